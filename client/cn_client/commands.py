"""The commands that click is given: how a verb's help is laid out, and what click would read otherwise."""

from __future__ import annotations

import difflib
import re
import shlex
from typing import Any

import click

from cn_shared.errors import InputError
from cn_shared.verbs import ALIASES, Parameter, Verb

# Listed by their names alone in the help of a verb; and not even so.
_COMMON = frozenset({"root", "json", "text", "deadline", "budget"})
_UNTOLD = frozenset({"--format", "--help"})


_SECTIONS = {
    "Questions about code": "find inspect map refs callers callees impls types hover grep",
    "The whole workspace": "overview changed diagnostics",
    "Commands and reports": "search get invoke execute describe commands reports reload",
    "Coding agents": "init mcp hook serve",
    "The daemon": "start status stop doctor logs",
    "Settings and shells": "config trust completion",
}
_HINTS = {
    "rename": "cn changes no files. cn refs NAME lists every mention that a new name has to reach.",
    "edit": "cn changes no files. cn inspect NAME shows the code, cn refs NAME who is touched.",
    "index": "There is nothing to index: ask, and the daemon reads what the question needs.",
    "install": "cn init sets up coding agents; language servers are fetched when they are first needed.",
}


class VerbGroup(click.Group):
    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if ctx.parent is not None:
            super().format_commands(ctx, formatter)
            return
        width = max(map(len, self.commands))
        for title, names in _SECTIONS.items():
            rows = [(name.ljust(width), self.commands[name].short_help or "") for name in names.split()]
            with formatter.section(title):
                formatter.write_dl(rows)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if ctx.parent is None:
            super().format_options(ctx, formatter)
            return
        self.format_commands(ctx, formatter)
        _write_options(self, ctx, formatter)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)  # as the table has them

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        name = args[0]
        if name in ALIASES and name not in self.commands and ctx.parent is None:
            verb, *more = ALIASES[name]
            args = [verb, *args[1:], *more]
        elif name not in self.commands:
            above = ctx.command_path
            near = difflib.get_close_matches(name, self.commands, 3, 0.5)
            hint = _HINTS.get(name) if ctx.parent is None else ""
            meant = "Did you mean " + " or ".join(f"{above} {word}" for word in near) + "?" if near else ""
            symbol = f"cn find {shlex.quote(name)} looks for a symbol of that name." if ctx.parent is None else ""
            hint = hint or " ".join(filter(None, (meant, symbol))) or f"{above} --help lists the verbs."
            raise InputError("unknown_verb", f"There is no verb {name!r}.", hint, near=near)
        return super().resolve_command(ctx, args)


class VerbCommand(click.Command):
    """A verb's command: its examples stand below its options."""

    def __init__(self, row: Verb, **settings: Any) -> None:
        super().__init__(row.name.split()[-1], **settings)
        self._examples = row.examples
        self._arguments = [(metavar(item), item.help) for item in row.parameters if item.positional]
        self._rest = next((item.name for item in row.parameters if item.kind == "rest"), "")
        self._idle = re.compile(f"[{row.idle}]") if row.idle else None
        self._shorts = {item.short: item.flag for item in row.parameters if item.short}

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """What stands after `--` belongs to the command that is run, when the verb runs one."""
        own, more = args, None
        if self._rest and "--" in args:
            cut = args.index("--")
            own, more = args[:cut], args[cut + 1 :]
        # Climpt writes -e=detailed, which click would read as the value "=detailed".
        own = [self._shorts[word[:2]] + word[2:] if word[2:3] == "=" and word[:2] in self._shorts else word
               for word in own]  # fmt: skip
        own = [kept for word in own if (kept := self._kept(word)) != "-" or word == "-"]
        left = super().parse_args(ctx, own)
        if more:
            ctx.params[self._rest] = more
        return left

    def _kept(self, word: str) -> str:
        """Flags without the letters that change nothing."""
        return self._idle.sub("", word) if self._idle and re.fullmatch("-[A-Za-z]+", word) else word

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        return [*super().collect_usage_pieces(ctx), *(["[-- MORE...]"] if self._rest else [])]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if self._arguments:
            with formatter.section("Arguments"):
                formatter.write_dl(self._arguments)
        _write_options(self, ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Examples"):
            for line in self._examples:
                formatter.write_text(line)


def _write_options(command: click.Command, ctx: click.Context, formatter: click.HelpFormatter) -> None:
    """The verb's own, one by one, and those that every verb has by their names."""
    given = [item for item in command.get_params(ctx) if isinstance(item, click.Option)]
    own = [item for item in given if item.name not in _COMMON and not _UNTOLD.intersection(item.opts)]
    if own:
        with formatter.section("Options"):
            formatter.write_dl([record for item in own if (record := item.get_help_record(ctx))])
    named = [" ".join(filter(None, (item.opts[0], item.metavar))) for item in given if item.name in _COMMON]
    with formatter.section("Options of every verb (cn --help)"):
        formatter.write_text(", ".join(named))


def metavar(item: Parameter) -> str:
    """Of `filePath` FILE, of `targetId` ID: as the help sentences call them."""
    words = {"filePath": "FILE", "targetId": "ID", "files": "FILE...", "queries": "QUERY..."}
    return item.metavar or words.get(item.name, item.name.upper())
