"""A process and everything below it: who that is, what it weighs, and whether it works."""

from cn_shared import process


def descendants(pid: int) -> list[tuple[int, str]]:
    """The processes below that one: pid and start. Blocks for some milliseconds."""
    import psutil  # late: only a program that must be killed asks

    try:
        below = [one.pid for one in psutil.Process(pid).children(recursive=True)]
    except psutil.Error:
        return []
    return [(one, start) for one in below if (start := process.start_of(one))]


def worked_s(pid: int) -> float:
    """The processor time that a process has used."""
    import psutil  # late: only who waits long for a server asks

    try:
        used = psutil.Process(pid).cpu_times()
    except psutil.Error:
        return 0.0
    return float(used.user + used.system)


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
    for one in family:
        try:
            total += one.memory_info().rss
        except psutil.Error:
            continue  # it ended between the listing and the question
    return total
