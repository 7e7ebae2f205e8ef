"""What the daemon and everything below it weigh."""


def resident_bytes(pid: int) -> int:
    """The resident memory of a process and its descendants, in bytes.

    Blocks for some milliseconds: call it in a thread.
    """
    import psutil  # late: only `cn status` asks

    try:
        top = psutil.Process(pid)
        family = [top, *top.children(recursive=True)]
    except psutil.Error:
        return 0
    total = 0
    for process in family:
        try:
            total += process.memory_info().rss
        except psutil.Error:
            continue  # it ended between the listing and the question
    return total
