"""`interfaces.daemon.Services` without a language server: each verb answers what the test puts there."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from cn_daemon.application.plain_answer import PlainAnswer
from cn_daemon.application.ports import Answer, Call, Handler
from cn_daemon.settings import Settings
from cn_shared.command_verbs import COMMAND_VERBS
from cn_shared.relation_verbs import RELATION_VERBS
from cn_shared.relations import (
    Callee,
    CalleesAnswer,
    Caller,
    CallersAnswer,
    FileUses,
    HoverAnswer,
    ImplsAnswer,
    RefsAnswer,
    Related,
    Relative,
    TypesAnswer,
    Use,
)
from cn_shared.survey_verbs import SURVEY_VERBS
from cn_shared.surveys import (
    ChangedAnswer,
    ChangedFile,
    ChangedSymbol,
    Diagnostic,
    DiagnosticsAnswer,
    FileMatches,
    FileRow,
    FolderRow,
    GrepAnswer,
    KeySymbol,
    OverviewAnswer,
    PackageRow,
    TextMatch,
)
from cn_shared.wire import (
    CodeContext,
    Completeness,
    FindAnswer,
    InspectAnswer,
    LanguageServerStatus,
    LibraryStatus,
    LineRange,
    LocationRef,
    MapAnswer,
    SymbolRow,
)

USER = LocationRef("ref::src/user.ts::3::14", "src/user.ts", 3, 14, "Class", "export class User {", "User")
MAPPED = MapAnswer(
    "src/user.ts",
    [
        SymbolRow("User", "Class", 3, "ref::src/user.ts::3::14", 20),
        SymbolRow("rename", "Method", 5, "ref::src/user.ts::5::3", 7, "User"),
        SymbolRow("LIMIT", "Constant", 22, "ref::src/user.ts::22::14"),
    ],
)
FOUND = FindAnswer(
    Completeness("complete", 2, 2, 2),
    3,
    [LocationRef("ref::src/old.ts::1::18", "src/old.ts", 1, 18, "Interface", "interface User {", "User")],
    definition=USER,
    references=[
        LocationRef("ref::src/app.ts::1::10", "src/app.ts", 1, 10, "Class", 'import { User } from "./user";'),
        LocationRef("ref::src/app.ts::4::17", "src/app.ts", 4, 17, "Class", 'const user = new User("Ann");'),
        LocationRef("ref::test/user.ts::2::9", "test/user.ts", 2, 9, "Class", "expect(User).toBeDefined();"),
    ],
)
INSPECTED = InspectAnswer(
    CodeContext(
        "src/user.ts",
        LineRange(5, 7),
        "  rename(name: string): void {\n    this.name = name;\n  }\n",
        ["rename", "name"],
        id="ref::src/user.ts::5::3",
        name="User.rename",
        kind="Method",
        signature="(method) User.rename(name: string): void",
    )
)

COMPLETE = Completeness("complete", 2, 2, 2)
APP = LocationRef("ref::src/app.ts::3::17", "src/app.ts", 3, 17, "Function", "export function start() {", "start")
CALL = Use("ref::src/app.ts::4::17", 4, "call", 'const user = new User("Ann");', "start")
MAP = LocationRef(
    "ref::/lib/lib.d.ts::9::5", "/lib/lib.d.ts", 9, 5, "Method", "push(...items: T[]): number;", "push", "Array", True
)
RELATED: dict[str, Related] = {
    "refs": RefsAnswer(
        COMPLETE,
        USER,
        FOUND.candidates,
        6,
        [
            FileUses(
                "src/app.ts",
                3,
                [Use("ref::src/app.ts::1::10", 1, "import", 'import { User } from "./user";'), CALL],
            ),
            FileUses("test/user.ts", 1, [Use("ref::test/user.ts::2::9", 2, "use", "expect(User);")], True),
        ],
        "3",
    ),
    "callers": CallersAnswer(
        COMPLETE,
        USER,
        [],
        2,
        [
            Caller(APP, 5, [CALL], [Caller(replace(APP, kind="Module", name="app.ts"), 1, [CALL])]),
            Caller(replace(APP, name="again"), 1, [CALL], repeated=True),
        ],
        4,
    ),
    "callees": CalleesAnswer(COMPLETE, APP, [], 2, [Callee(USER, [CALL]), Callee(MAP, [CALL])], ["anything"]),
    "impls": ImplsAnswer(COMPLETE, USER, [], [APP]),
    "types": TypesAnswer(
        COMPLETE,
        USER,
        [],
        [Relative(APP, "implements")],
        [Relative(APP, "extends", [Relative(MAP, "extends")]), Relative(APP, "extends", repeated=True)],
    ),
    "hover": HoverAnswer(COMPLETE, USER, [], "class User", "A user."),
}
SURVEYED: dict[str, Answer] = {
    "overview": OverviewAnswer(
        COMPLETE,
        ".",
        12,
        3456,
        [PackageRow("shop", ".")],
        ["tsconfig.json", "test/tsconfig.json"],
        [FolderRow("src", 10, 3000)],
        [KeySymbol(USER, 7)],
        [FileRow("build.ts", 456)],
        4,
    ),
    "changed": ChangedAnswer(
        COMPLETE,
        "0123456789ab",
        [
            ChangedFile(
                "src/user.ts",
                "renamed",
                3,
                2,
                [
                    ChangedSymbol("changed", USER, 2, [APP]),
                    ChangedSymbol("removed", APP, 1),
                    ChangedSymbol("added", USER, 0),
                    ChangedSymbol("added", USER),
                ],
                "src/people.ts",
            ),
            ChangedFile("notes.md", "modified", 1, 1, []),
        ],
    ),
    "diagnostics": DiagnosticsAnswer(
        COMPLETE,
        3,
        12,
        [
            Diagnostic(
                "ref::src/app.ts::4::17", "src/app.ts", 4, 17, "error", "TS2339", "Property 'x' does not exist."
            ),
            Diagnostic("ref::src/user.ts::1::1", "src/user.ts", 1, 1, "warning", "TS6133", "'y' is never read."),
        ],
        "2",
    ),
    "grep": GrepAnswer(
        COMPLETE,
        5,
        [
            FileMatches(
                "src/app.ts",
                3,
                [
                    TextMatch(1, 10, 'import { User } from "./user";'),
                    TextMatch(4, 20, 'const user = new User("Ann");', "start"),
                    TextMatch(5, 3, "user.rename();", "start"),
                ],
            ),
            FileMatches("README.md", 2, [TextMatch(1, 3, "# User", None)]),
        ],
        "4",
        "User( is not a regular expression: it is no pattern. It was searched for as plain text.",
    ),
}


@dataclass
class FakeHandler:
    """Gives `answer`, or raises it; remembers what it was asked. cancelled: set when it was cut off."""

    answer: Answer | BaseException
    delay_s: float = 0
    asked: list[dict[str, Any]] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    cancelled: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, call: Call, **parameters: Any) -> Answer:
        self.calls.append(call)
        self.asked.append(parameters)
        try:
            await asyncio.sleep(self.delay_s)
        except asyncio.CancelledError:
            self.cancelled.set()
            raise
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


class FakeServices:
    def __init__(self) -> None:
        self.map = FakeHandler(MAPPED)
        self.find = FakeHandler(FOUND)
        self.inspect = FakeHandler(INSPECTED)
        self.commands = {row.name: FakeHandler(PlainAnswer([])) for row in COMMAND_VERBS}
        self.handlers: Mapping[str, Handler] = {
            "map": self.map,
            "find": self.find,
            **{row.name: FakeHandler(RELATED[row.name]) for row in RELATION_VERBS},
            **{row.name: FakeHandler(SURVEYED[row.name]) for row in SURVEY_VERBS},
            "inspect": self.inspect,
            **self.commands,
        }
        self.settings = Settings()
        self.servers: list[LanguageServerStatus] = []
        self.rested = ""
        self.rows: list[LibraryStatus] = []
        self.values: Mapping[str, str] = {}
        self.reconfigured = 0
        self.revised: Hashable | None = 0

    def language_servers(self) -> list[LanguageServerStatus]:
        return self.servers

    def libraries(self) -> tuple[list[LibraryStatus], list[str]]:
        return self.rows, []

    def names(self, prefix: str, limit: int) -> list[str]:
        return [name for name in ("User", "useless", "User2") if name.startswith(prefix)][:limit]

    async def revision(self) -> Hashable | None:
        return self.revised

    async def reconfigure(self, settings: Settings, values: Mapping[str, str]) -> None:
        self.settings = settings
        self.values = values
        self.reconfigured += 1
