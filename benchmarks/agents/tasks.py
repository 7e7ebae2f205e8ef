"""Three tasks on zod, done by a script as an agent does them: with grep alone, with `cn`, and with grep and `cn hook`.

    python -m benchmarks.agents.tasks [--work FOLDER] [--cn PROGRAM]

No model is asked: the calls are written down below. Counted are the calls, the tokens (o200k_base) of the commands and
of what they print, how many of the right places can be read there, and how many others beside them, which the agent has
to tell apart. The right ones were found by reading every line that holds the word; tests are left out.
"""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from benchmarks.agents import clients
from benchmarks.agents.__main__ import _options, _tokens
from benchmarks.hooks.__main__ import _event
from benchmarks.latency import workspaces
from benchmarks.latency.daemon import cn


@dataclass(frozen=True, slots=True)
class Task:
    """right: the places, `path:line`. grep, cn: the calls, in their order; the hook answers the greps."""

    question: str
    right: frozenset[str]
    grep: tuple[str, ...]
    cn: tuple[str, ...]


def _at(**lines: str) -> frozenset[str]:
    return frozenset(
        f"src/v4/{file.replace('__', '/')}.ts:{line}" for file, told in lines.items() for line in told.split()
    )


TASKS = (
    Task(
        "finalizeIssue gets another parameter: which calls change?",
        _at(core__parse="23 44 69 89", core__schemas="2050 2649 2768 2783 3535 3551"),
        ("grep -rnw finalizeIssue src",),
        ("cn --text callers finalizeIssue",),
    ),
    Task(
        "What uses the function clone of core/util (and not the method of that name)?",
        _at(classic__external="22", classic__schemas="159 1420", core__schemas="318", mini__external="14",
            mini__schemas="68 1066", core__util="602 625 647 663 679 724 765"),
        ("grep -rnw clone src --include='*.ts' --exclude-dir=tests",),
        ("cn --text find src/v4/core/util.ts:clone",),
    ),
    Task(
        "What calls the add of $ZodRegistry? (Two calls are made on a parameter of type any.)",
        _at(classic__schemas="162 207 221", mini__schemas="71"),
        (
            "grep -rn 'class $ZodRegistry' -A 40 src",
            "grep -rn '\\.add(' src --include='*.ts' --exclude-dir=tests",
            "sed -n 155,225p src/v4/classic/schemas.ts",
            "sed -n 60,75p src/v4/mini/schemas.ts",
        ),
        ("cn --text find '$ZodRegistry.add'",),
    ),
)  # fmt: skip


def main() -> None:
    options = _options()
    work = options.work.resolve()
    root, folder, program = workspaces.package("zod", "5", work), clients.install(work), options.cn or cn()
    try:
        subprocess.run([program, "find", "ZodString"], cwd=root, check=True, stdout=subprocess.DEVNULL)
        for task in TASKS:
            print(task.question)
            _report("grep", [_run(command, root, program) for command in task.grep], task, folder)
            _report("cn", [_run(command, root, program) for command in task.cn], task, folder)
            _report("grep, cn hook", _hooked(task, root, program), task, folder)
    finally:
        subprocess.run([program, "stop"], cwd=root, check=False, stdout=subprocess.DEVNULL)


def _run(command: str, root: Path, program: str) -> str:
    line = command.replace("cn ", f"{program} ", 1) if command.startswith("cn ") else command
    return (
        f"{command}\n{subprocess.run(['sh', '-c', line], cwd=root, capture_output=True, text=True, check=False).stdout}"
    )


def _hooked(task: Task, root: Path, program: str) -> list[str]:
    """The greps with what the hook adds; once it has answered, what it names for the rest is asked instead of them."""
    told = []
    for command in task.grep:
        hook = subprocess.run(
            [program, "hook"], cwd=root, input=_event(command, root), capture_output=True, check=False
        )
        added = json.loads(hook.stdout)["hookSpecificOutput"]["additionalContext"] if hook.stdout else ""
        told.append(_run(command, root, program) + added)
        if advised := re.search(r"^(?:there may be more uses|all .*): (cn .*)$", added, re.M):
            return [*told, _run(advised[1], root, program)]
        if added:
            return told
    return told


def _report(name: str, texts: list[str], task: Task, folder: Path) -> None:
    shown = {place for text in texts for place in _places(text) if "/tests/" not in place}
    right = len(shown & task.right)
    print(
        f"  {name:14} {len(texts)} calls · {sum(_tokens(texts, folder)):5} tokens · "
        f"{right} of {len(task.right)} right, {len(shown - task.right)} others"
    )


def _places(text: str) -> list[str]:
    """`path:line` of each place that is shown: grep's own form, and cn's, which says a path once."""
    found, path = [], ""
    for line in text.splitlines():
        if match := re.match(r"(src/[^\s:]+):(\d+):", line):
            found.append(f"{match[1]}:{match[2]}")
        elif match := re.match(
            r"(?:(?:Function|Method|Class|Constant|Variable|Property) \S+ )?(src/\S+?\.ts)(?::\d+:\d+)?$", line
        ):
            path = match[1]
        elif path and (match := re.match(r"\s+(\d+):\d+(?: |$)", line)):
            found.append(f"{path}:{match[1]}")
    return found


if __name__ == "__main__":
    main()
