"""`execute` and `invoke`: carry a command out, whichever library it is from.

A Climpt command is run, a Markdown command is rendered for the caller to carry out, an API command is sent, and a tool
of an MCP server called.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from cn_daemon.application.libraries.api_calls import ApiCalls
from cn_daemon.application.libraries.climpt import Climpt
from cn_daemon.application.libraries.library_ports import Usage
from cn_daemon.application.libraries.prompting import Prompting
from cn_daemon.application.libraries.tool_calls import ToolCalls
from cn_daemon.application.libraries.verbatim_answer import VerbatimAnswer
from cn_daemon.application.plain_answer import PlainAnswer
from cn_daemon.application.ports import Call
from cn_daemon.domain.libraries import climpt_line, prompts
from cn_daemon.domain.libraries.commands import Command
from cn_daemon.domain.libraries.refusal import RefusalError
from cn_shared.errors import InputError

Carried = PlainAnswer | VerbatimAnswer
Options = Mapping[str, Any] | Sequence[str]


class Commands(Protocol):
    """Where commands are found; `application.commands.Commands` is one."""

    async def find(self, call: Call, command_id: str) -> Command: ...

    async def find_climpt(self, call: Call, agent: str, c1: str, c2: str, c3: str) -> Command: ...

    async def content(self, call: Call, command: Command) -> str: ...


class Execution:
    """The use cases. Every one raises CnError only."""

    def __init__(
        self,
        commands: Commands,
        climpt: Climpt,
        prompting: Prompting,
        api: ApiCalls,
        tools: ToolCalls,
        usage: Usage,
    ) -> None:
        self._commands = commands
        self._climpt = climpt
        self._prompting = prompting
        self._api = api
        self._tools = tools
        self._usage = usage

    async def execute(
        self,
        call: Call,
        c1: str,
        c2: str | None = None,
        c3: str | None = None,
        agent: str = "climpt",
        edition: str | None = None,
        adaptation: str | None = None,
        file: str | None = None,
        destination: str | None = None,
        options: Options | None = None,
        more: Sequence[str] | None = None,
        arg: Sequence[str] | None = None,
        dry_run: bool | None = None,
        stdin: str | None = None,
    ) -> Carried:
        """Run a Climpt command: its standard output as it is. With c1 alone, that is a command's id: invoke it.

        options: by name, or as Climpt's command line has them. more: further words for that command line.
        """
        named = {"edition": edition, "adaptation": adaptation, "file": file, "destination": destination}
        given = {key: value for key, value in named.items() if value is not None}
        if c2 is None:
            context = {**(options if isinstance(options, Mapping) else {}), **given}
            words = [*(() if options is None or isinstance(options, Mapping) else options), *(more or ())]
            return await self.invoke(call, c1, arg, context, words, None, dry_run, stdin)
        if arg:
            hint = "Options of Climpt stand after --: cn execute C1 C2 C3 -- --uv-name=value"
            raise InputError("bad_usage", "A Climpt command takes options, not --arg.", hint, parameter="arg")
        with _refusing():
            climpt_line.check(agent=agent, c1=c1, c2=c2, c3=c3 or "")
            line = _line(options) + climpt_line.from_object(given) + list(more or ())
            command = await self._commands.find_climpt(call, agent, c1, c2, c3 or "")
            answer = await self._climpt.run(call, command, line, stdin or "", dry_run=bool(dry_run))
        if not dry_run:
            await self._usage.note(command.canonical_id)
        return answer

    async def invoke(
        self,
        call: Call,
        command_id: str,
        arg: Sequence[str] | None = None,
        context: Mapping[str, Any] | None = None,
        more: Sequence[str] | None = None,
        dialect: str | None = None,
        dry_run: bool | None = None,
        stdin: str | None = None,
    ) -> Carried:
        """Carry out the command of that canonical id or name.

        arg: `name=value` each. context: the same as an object; its `arguments` is the raw argument text of a
        prompt. more: words of that text, or the positional arguments of an API command.
        """
        values, words = {**(context or {}), **_pairs(arg or ())}, list(more or ())
        command = await self._commands.find(call, command_id)
        with _refusing():
            answer = await self._carried(call, command, values, words, dialect, stdin or "", dry_run=bool(dry_run))
        if not dry_run:
            await self._usage.note(command.canonical_id)
        return answer

    async def _carried(
        self,
        call: Call,
        command: Command,
        values: dict[str, Any],
        words: list[str],
        dialect: str | None,
        stdin: str,
        *,
        dry_run: bool,
    ) -> Carried:
        match command.execution_type:
            case "climpt":
                line = _climpt_line(values) + words
                return await self._climpt.run(call, command, line, stdin, dry_run=dry_run)
            case "prompt":
                text = await self._commands.content(call, command)
                return self._prompting.render(command, text, values, words, dialect, stdin)
            case "http":
                return await self._api.send(call, command, values, words, stdin, dry_run=dry_run)
            case "mcp" if command.source == "mcp":
                return await self._tools.call(call, command, values, dry_run=dry_run)
        raise InputError(
            "not_executable",
            f"{command.canonical_id} is a tool of an MCP server that a catalog names; cn does not call those.",
            f"Call the tool itself. cn get {command.canonical_id!r} names its server.",
        )


@contextmanager
def _refusing() -> Iterator[None]:
    try:
        yield
    except RefusalError as refusal:
        raise InputError(refusal.code, refusal.message, refusal.hint, **refusal.data) from None


def _climpt_line(values: dict[str, Any]) -> list[str]:
    """What a context says to Climpt: `options`, `arguments` (text, or words), and options by their names."""
    options, extra = values.pop("options", None), values.pop("arguments", None)
    typed = prompts.words(extra) if isinstance(extra, str) else _line(extra)
    return _line(options) + climpt_line.from_object(values) + typed


def _line(options: Options | None) -> list[str]:
    if options is None:
        return []
    if isinstance(options, Mapping):
        return climpt_line.from_object(options)
    if isinstance(options, str) or not all(isinstance(word, str) for word in options):
        raise InputError("bad_options", "options must be an object or an array of strings.", parameter="options")
    return list(options)


def _pairs(arguments: Sequence[str]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for item in arguments:
        name, equals, value = item.partition("=")
        if not equals or not name:
            raise InputError("bad_argument", f"{item!r} is not NAME=VALUE.", "Such as --arg app=shop.", parameter="arg")
        pairs[name] = value
    return pairs
