"""`cn_client/sdk/verbs.py`, written from the table of verbs and the answers that the doors give."""

from __future__ import annotations

import keyword
import textwrap

from cn_daemon.interfaces.openapi import ANSWERS
from cn_daemon.interfaces.requests import snake
from cn_shared.command_verbs import COMMAND_VERBS
from cn_shared.verbs import VERBS, Parameter, Verb

_KINDS = {
    "string": "str",
    "file": "Path",
    "integer": "int",
    "boolean": "bool",
    "stdin": "str",
    "files": "Sequence[Path]",
    "words": "Sequence[str]",
    "list": "Sequence[str]",
    "rest": "Sequence[str]",
    "object": "Mapping[str, Any]",
    "options": "Mapping[str, Any] | Sequence[str]",
}
_STDIN = "Text for its standard input."
_PLAIN = {row.name for row in COMMAND_VERBS} | {"stop"}

HEAD = '''"""Every verb of `cn_shared.verbs` as a method, sync and async.

Written from the table by `GOLDEN=write pytest tests/sdk/test_verbs.py`: change that, not this.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from cn_client.sdk.asking import Path, T
'''


def module() -> str:
    typed = {}
    for row in VERBS:
        if row.name not in _PLAIN:
            answer = ANSWERS[row.name]
            typed.setdefault(answer.__module__, set()).add(answer.__name__)
    imports = [f"from {name} import (\n" + "".join(f"    {kind},\n" for kind in sorted(kinds)) + ")\n"
               if len(kinds) > 1 else f"from {name} import {next(iter(kinds))}\n"
               for name, kinds in sorted(typed.items())]  # fmt: skip
    return HEAD + "".join(imports) + _class("Verbs", "", "") + _class("AsyncVerbs", "async ", "await ")


def method_name(row: Verb) -> str:
    return row.name.replace(" ", "_")


def argument_name(item: Parameter) -> str:
    name = snake(item.name)
    return name + "_" if keyword.iskeyword(name) else name


def _class(name: str, begins: str, waits: str) -> str:
    return f"""

class {name}(ABC):
    @abstractmethod
    {begins}def _ask(
        self, verb: str, kind: type[T] | None, given: Mapping[str, Any], deadline_s: float | None, budget: int | None
    ) -> Any: ...
""" + "".join(_method(row, begins, waits) for row in VERBS)


def _method(row: Verb, begins: str, waits: str) -> str:
    positional = [item for item in row.parameters if item.positional]
    named = [item for item in row.parameters if not item.positional]
    answer = "None" if row.name in _PLAIN else ANSWERS[row.name].__name__
    result = "Any" if answer == "None" else answer
    lines = [f"\n    {begins}def {method_name(row)}(", "        self,"]
    lines += [f"        {_argument(item)}," for item in positional]
    lines += ["        *,"]
    lines += [f"        {_argument(item)}," for item in named]
    lines += ["        deadline_s: float | None = None,", "        budget: int | None = None,", f"    ) -> {result}:"]
    lines += _docstring(row)
    given = [f'"{item.name}": {argument_name(item)}' for item in row.parameters]
    flat = "{" + ", ".join(given) + "}"
    keep = f"answer: {answer} = {waits}self._ask" if answer != "None" else f"return {waits}self._ask"
    call = f'        {keep}("{row.name}", {answer}, {flat}, deadline_s, budget)'
    if len(call) > 120:
        inner = "".join(f"                {pair},\n" for pair in given)
        call = (f'        {keep}(\n            "{row.name}",\n            {answer},\n            {{\n{inner}'
                "            },\n            deadline_s,\n            budget,\n        )")  # fmt: skip
    lines.append(call)
    if answer != "None":
        lines.append("        return answer")
    return "\n".join(lines) + "\n"


def _argument(item: Parameter) -> str:
    kind = f"Literal[{', '.join(_quoted(word) for word in item.choices)}]" if item.choices else _KINDS[item.kind]
    if item.positional and not item.optional and item.default is None:
        return f"{argument_name(item)}: {kind}"
    if item.default is None:
        return f"{argument_name(item)}: {kind} | None = None"
    default = _quoted(item.default) if isinstance(item.default, str) else repr(item.default)
    return f"{argument_name(item)}: {kind} = {default}"


def _quoted(word: str) -> str:
    return '"' + word + '"'


def _docstring(row: Verb) -> list[str]:
    lines = [f'        """{row.summary}', ""]
    lines += textwrap.wrap(row.help, 112, initial_indent=" " * 8, subsequent_indent=" " * 8)
    about = [f"{argument_name(item)}: {_STDIN if item.kind == 'stdin' else item.help}" for item in row.parameters]
    if about:
        lines.append("")
    for sentence in about:
        lines += textwrap.wrap(sentence, 112, initial_indent=" " * 8, subsequent_indent=" " * 12)
    return [*lines, '        """']
