"""Every case of the files `*.test` beside this one, by every server that it names."""

from __future__ import annotations

import itertools
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from cn_daemon.adapters.language_servers.provisioning import Toolchain
from tests.cases.answers import Folder, agree
from tests.cases.case import COMPONENTS, OTHERS, SERVERS, Case, Command, File, Question, Step, read
from tests.server.desk import TSCONFIG, Desk

pytestmark = pytest.mark.server

# In one workspace: with more, a server that is told of a new project has much to look at; with fewer, more are started.
MOST = 15
FILES = sorted(Path(__file__).parent.glob("*.test"))


@dataclass(frozen=True, slots=True)
class Group:
    """Cases that lie in one workspace: none asks for what another one's files speak of."""

    cases: list[Case]

    def has_room(self, case: Case) -> bool:
        return len(self.cases) < MOST and not any(_meet(case, other) for other in self.cases)


def grouped(cases: Iterable[Case]) -> list[Group]:
    groups: list[Group] = []
    for case in cases:
        group = next((group for group in groups if group.has_room(case)), None) or Group([])
        if not group.cases:
            groups.append(group)
        group.cases.append(case)
    return groups


def _meet(one: Case, other: Case) -> bool:
    bound = (COMPONENTS in one.servers) != (COMPONENTS in other.servers)
    return bound or one.alone or other.alone or one.name == other.name or one.meets(other) or other.meets(one)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "asked" not in metafunc.fixturenames:
        return
    rows = []
    for number, group in enumerate(grouped(case for file in FILES for case in read(file)), 1):
        # First what changes nothing, and one server after the other: a server of TypeScript 6 begins anew when a
        # tsconfig comes or goes, also of a case that is laid down once more.
        for server, case in itertools.product((*SERVERS, *OTHERS), sorted(group.cases, key=lambda case: case.changes)):
            if server in case.servers:
                marks = [pytest.mark.xfail(reason=case.why_wrong, strict=True)] if case.why_wrong else []
                name = f"{number}/{case.file.stem}/{case.name}/{server}"
                rows.append(pytest.param(group, (case, server), id=name, marks=marks))
    metafunc.parametrize(("workspace", "asked"), rows, indirect=["workspace"], scope="module")


@pytest.fixture(scope="module")
def workspace(
    request: pytest.FixtureRequest, toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Desk]:
    """With the files of every case of a group, each in its folder, before the first question."""
    group: Group = request.param
    desk = Desk(tmp_path_factory.mktemp("cases").resolve() / "work")
    for case in group.cases:
        lay(desk, case)
    yield desk
    assert desk.close() == []


def lay(desk: Desk, case: Case) -> None:
    folder = desk.root / case.folder
    if case.alone:
        for path in [*folder.iterdir()]:
            put(folder, File(path.name))
    elif folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(exist_ok=True)
    if case.strict and not any(Path(file.path).name in ("tsconfig.json", "jsconfig.json") for file in case.files):
        desk.write({f"{case.folder}tsconfig.json": TSCONFIG})
    for file in case.files:
        put(folder, file)


def put(folder: Path, file: File) -> None:
    path = folder / file.path
    path.parent.mkdir(parents=True, exist_ok=True)
    if file.link is not None:
        path.unlink(missing_ok=True)
        path.symlink_to(file.link)
    elif file.old is not None:
        (folder / file.old).rename(path)
    elif file.data is None:
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    else:
        # As editors save: a new file takes the old one's place.
        fresh = path.with_name(path.name + ".tmp~")
        fresh.write_bytes(file.data)
        fresh.replace(path)


def test_case(workspace: Desk, asked: tuple[Case, str], toolchain: Toolchain) -> None:
    case, server = asked
    if case.changes and server != case.servers[0]:
        lay(workspace, case)
    for step in case.later:
        carry_out(workspace, case, server, step, toolchain)


def run(toolchain: Toolchain, folder: Path, command: Command) -> None:
    program, *arguments = command.line.split()
    assert program in ("tsc", "git"), f"{command.line}: only tsc and git are run"
    tsc = (toolchain.node, toolchain.tsserver.with_name("tsc.js"))
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main")
    subprocess.run([*(tsc if program == "tsc" else git), *arguments], cwd=folder, check=True, capture_output=True)


def carry_out(desk: Desk, case: Case, server: str, step: Step, toolchain: Toolchain) -> None:
    match step:
        case File():
            put(desk.root / case.folder, step)
        case Command():
            run(toolchain, desk.root / case.folder, step)
        case Question() if step.server in (None, server):
            told = Folder(desk, case.folder, server).answer(step)
            if not agree(step.answer, told):
                wanted, had = ("".join(f"  {line}\n" for line in lines) for lines in (step.answer, told))
                where = f"{case.file}:{step.line}"
                pytest.fail(f"{where}: > {step.verb} {step.query}\nexpected:\n{wanted}told:\n{had}", pytrace=False)
