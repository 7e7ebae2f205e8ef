"""The whole command line, by click, generated from the table of verbs."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Callable
from typing import Any

import click

from cn_client import completing, output
from cn_client.call import write
from cn_client.commands import VerbCommand, VerbGroup, metavar
from cn_client.invocation import FORMATS, LONGEST_S, Invocation
from cn_client.own_verbs import ROWS
from cn_client.trusting import TRUST
from cn_shared import __version__
from cn_shared.errors import CnError, InputError
from cn_shared.verbs import VERBS, Parameter, Verb

Carry = Callable[[Invocation], int]

START = Verb(
    "start",
    "Start the daemon of this workspace, and show it.",
    "Every verb starts the daemon when none runs: this one only does it beforehand. Prints what cn status prints.",
    path="/status",
    method="GET",
    examples=("cn start",),
)
_GROUPS = {"reports": "Find past reports of commands.", "config": "Look at the settings."}
_ABOUT = """Exact code navigation and command search for coding agents.

One warm daemon per workspace answers; the first question starts it. Prints JSON when piped and text on a
terminal.
"""
_EXITS = (
    "Exit codes: 0 found · 1 nothing found · 2 bad usage or input · 3 answered, but incomplete · "
    "4 no daemon · 5 language server failed · 6 the executed command failed · 7 timed out"
)


def run(arguments: list[str], carry: Carry) -> int:
    """Carry out the command line; the exit code. `carry`: what is done with the invocation it spells out.

    Raises CnError.
    """
    first = next((word for word in arguments if not word.startswith("-")), "")
    if first in ("help", "version"):
        rest = [word for word in arguments if word != first]
        arguments = [*rest, "--help"] if first == "help" else ["--version", *rest]
    group = build(carry)
    chosen: dict[str, str] = {}
    if completing.ASKED in os.environ:
        return completing.answer(group)
    said = io.StringIO()  # by click: the help, the version
    try:
        with contextlib.redirect_stdout(said):
            return int(group.main(arguments, "cn", standalone_mode=False, obj=chosen) or 0)
    except click.exceptions.Abort:
        raise KeyboardInterrupt from None
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except click.ClickException as error:
        return output.failure(_usage(error), chosen.get("format"))
    except CnError as error:
        return output.failure(error, chosen.get("format"))
    finally:
        write(1, said.getvalue().encode())


def build(carry: Carry) -> click.Group:
    """The `cn` group: one command per verb, a group per first word of two, `start` and `trust`."""
    group = VerbGroup(
        "cn",
        help=_ABOUT,
        epilog=_EXITS,
        params=[*_common(), _version()],
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
        no_args_is_help=False,
        invoke_without_command=True,
        callback=_alone,
    )
    for row in (*VERBS, START, TRUST, *ROWS):
        first, _, second = row.name.partition(" ")
        if second and first not in group.commands:
            group.add_command(VerbGroup(first, short_help=_GROUPS[first], help=_GROUPS[first], params=_common()))
        inner = group.commands[first] if second else group
        assert isinstance(inner, click.Group)
        inner.add_command(_command(row, carry))
    return group


def _command(row: Verb, carry: Carry) -> click.Command:
    def callback(**values: Any) -> int:
        given: dict[str, Any] = {item.name: values.get(item.name.lower()) for item in row.parameters}
        others: list[str] = []
        for item in row.parameters:
            if item.several:
                given[item.name], *others = given[item.name]
        chosen = click.get_current_context().obj
        if chosen.get("format") == "envelope" and not row.bare:
            raise click.NoSuchOption("--envelope")
        return carry(
            Invocation(
                row,
                {name: list(value) if isinstance(value, tuple) else value for name, value in given.items()
                 if value is not None and value != ()},
                chosen.get("root"),
                chosen.get("format"),
                chosen.get("deadline"),
                chosen.get("budget"),
                others,
            )
        )  # fmt: skip

    parameters = [_parameter(item) for item in row.parameters if item.positional or item.flag]
    return VerbCommand(
        row,
        help=row.help,
        short_help=row.summary,
        params=[*parameters, *_common(envelope=row.bare)],
        callback=callback,
    )


def _parameter(item: Parameter) -> click.Parameter:
    kind, words_of = _kind(item), completing.source(item)
    if item.positional:
        shown = metavar(item)
        if item.optional:
            count = -1 if item.kind in ("files", "words") else 1
            return click.Argument([item.name.lower()], type=kind, required=False, metavar=f"[{shown}]", nargs=count,
                                  shell_complete=words_of)  # fmt: skip
        count = -1 if item.several else 1
        shown += "..." if item.several else ""
        return click.Argument([item.name.lower()], type=kind, required=True, metavar=shown, nargs=count,
                              shell_complete=words_of)  # fmt: skip
    names = [*filter(None, (item.short, item.flag)), item.name.lower()]
    if item.kind in ("boolean", "stdin"):
        return click.Option(names, is_flag=True, default=None, help=item.help)
    shown = f"{item.help} Default: {item.default}." if item.default is not None else item.help
    value = item.metavar or ("N" if item.kind == "integer" else None)
    return click.Option(names, type=kind, help=shown, metavar=value, multiple=item.kind == "list",
                        shell_complete=words_of)  # fmt: skip


def _kind(item: Parameter) -> Any:
    if item.choices:
        return click.Choice(item.choices)
    if item.kind == "integer":
        return click.IntRange(item.minimum, item.maximum)
    return click.STRING


class _Seconds(click.FloatRange):
    """Of a day at most, and no NaN, which is neither less nor more than anything."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        seconds: float = super().convert(value, param, ctx)
        if not seconds <= LONGEST_S:
            self.fail(f"{value} is more than {LONGEST_S} seconds, or no number.", param, ctx)
        return seconds


def _common(*, envelope: bool = True) -> list[click.Parameter]:
    """The options that stand before or after the verb; the latter count. envelope: there is an array to wrap."""
    wrapping = "Of an array: wrap it as {results, total, next, completeness}; implies JSON."

    def keep(name: str) -> Callable[[click.Context, click.Parameter, Any], None]:
        def callback(context: click.Context, parameter: click.Parameter, value: Any) -> None:
            if value is not None and value is not False:
                context.obj[name] = parameter.name if value is True else value

        return callback

    def option(*names: str, keeps: str, **settings: Any) -> click.Option:
        return click.Option(list(names), expose_value=False, callback=keep(keeps), **settings)

    return [
        option("--root", keeps="root", metavar="FOLDER", help="The root. Default: CN_ROOT, or found upward.",
               shell_complete=completing.folders),
        option("--format", keeps="format", type=click.Choice(FORMATS),
               help="Default: CN_FORMAT, or text on a terminal and json in a pipe."),
        option("--json", keeps="format", is_flag=True, help="Short for --format json."),
        option("--text", keeps="format", is_flag=True, help="Short for --format text."),
        *([option("--envelope", keeps="format", is_flag=True, help=wrapping)] if envelope else []),
        option(
            "--deadline", keeps="deadline", type=_Seconds(0, min_open=True), metavar="SECONDS",
            help="How long the answer may take. Default: 60.",
        ),
        option(
            "--budget", keeps="budget", type=click.IntRange(1, 9_999_999), metavar="TOKENS",
            help="At most about so many tokens: lines of code, then the last places are left out, and that is noted.",
        ),
    ]  # fmt: skip


def _alone() -> None:
    context = click.get_current_context()
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def _version() -> click.Option:
    def tell(context: click.Context, parameter: click.Parameter, value: bool) -> None:
        if value and not context.resilient_parsing:
            click.echo(f"cn {__version__}")
            context.exit()

    return click.Option(
        ["--version", "-V"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=tell,
        help="Show the version.",
    )


def _usage(error: click.ClickException) -> InputError:
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "cn"
    hint = f"{path} --help shows how."
    if context and isinstance(error, click.NoSuchOption):
        flags = (
            max(item.opts, key=len) for item in context.command.get_params(context) if isinstance(item, click.Option)
        )
        hint = f"{path} takes {', '.join(flags)}."
    return InputError("bad_usage", error.format_message(), hint)
