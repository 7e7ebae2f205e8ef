"""What a command line asks for, and the fast way to read it: the exact known forms of the table of verbs.

click reads the same lines, and all others (help, errors, abbreviations, rare spellings). Whatever is not
plain here is left to it; a property test holds that both read a line alike.
"""

from cn_shared.verbs import Parameter, Verb, verb

FORMATS = ("json", "text")
LONGEST_S = 86_400  # a deadline


class Invocation:
    """One call of a verb.

    `parameters` by their wire name, only those given. others: further values of the positional that may be `several`.
    root, format, deadline_s, budget (in tokens): None is unset.
    format: json, text, or envelope (JSON that wraps a bare array).
    """

    __slots__ = ("budget", "deadline_s", "format", "others", "parameters", "root", "verb")

    def __init__(
        self,
        verb: Verb,
        parameters: dict[str, object],
        root: str | None = None,
        format: str | None = None,
        deadline_s: float | None = None,
        budget: int | None = None,
        others: "list[str] | None" = None,
    ) -> None:
        self.verb = verb
        self.others = others or []
        self.parameters = parameters
        self.root = root
        self.format = format
        self.deadline_s = deadline_s
        self.budget = budget


def read(arguments: list[str]) -> Invocation | None:
    """The invocation that the command line spells out, or None: ask click."""
    call: Invocation | None = None
    positionals: list[Parameter] = []
    seen: set[str] = set()
    common: dict[str, str] = {}
    words = iter(arguments)
    for word in words:
        if not word.startswith("-"):
            if call is None:
                row = verb(word) or verb(word + " " + next(words, ""))
                if row is None:
                    return None
                call = Invocation(row, {})
                positionals = [parameter for parameter in row.parameters if parameter.positional]
                seen = set()  # the common options may stand once before the verb and once after it: the latter counts
            elif not word:
                return None
            elif not positionals:
                if not any(parameter.positional and parameter.several for parameter in call.verb.parameters):
                    return None
                call.others.append(word)
            elif positionals[0].kind in ("files", "words"):
                call.parameters[positionals[0].name] = [*call.parameters.get(positionals[0].name, ()), word]  # type: ignore[misc]
            else:
                call.parameters[positionals.pop(0).name] = word
            continue
        if word == "--":
            rest = [parameter for parameter in call.verb.parameters if parameter.kind == "rest"] if call else []
            if call is None or not rest:
                return None
            more = list(words)
            if more:
                call.parameters[rest[0].name] = more
            continue
        flag, equals, value = word.partition("=")
        if flag in seen:
            return None
        parameter = _parameter(call, flag) if call else None
        if parameter is None or parameter.kind != "list":
            seen.add(flag)
        if (flag in ("--json", "--text") or (flag == "--envelope" and (call is None or call.verb.bare))) and not equals:
            if "format" in seen:
                return None
            seen.add("format")
            common["format"] = flag[2:]
            continue
        if call and parameter and parameter.kind in ("boolean", "stdin"):
            if equals:
                return None
            call.parameters[parameter.name] = True
            continue
        if not equals:
            value = next(words, "")
        if not value or value.startswith("-"):
            return None
        if flag in ("--root", "--deadline", "--format", "--budget"):
            if flag == "--format" and ("format" in seen or value not in FORMATS):
                return None
            seen.add(flag[2:])
            common[flag[2:]] = value
        elif call is None or parameter is None or not _option(call, parameter, value):
            return None
    if call is None or any(not parameter.optional for parameter in positionals):
        return None
    if common.get("format") == "envelope" and not call.verb.bare:
        return None
    return _with_common(call, common)


def _parameter(call: Invocation, flag: str) -> Parameter | None:
    for parameter in call.verb.parameters:
        if flag in (parameter.flag, parameter.short):
            return parameter
    return None


def _option(call: Invocation, parameter: Parameter, value: str) -> bool:
    name, given = parameter.name, call.parameters
    if parameter.kind == "list":
        given[name] = [*given.get(name, ()), value]  # type: ignore[misc]
        return True
    if name in given:  # by its other flag
        return False
    if parameter.kind == "integer":
        # Digits alone: int() takes more spellings than one would think.
        if not (value.isascii() and value.isdigit() and len(value) < 10):
            return False
        number = int(value)
        if parameter.minimum is not None and number < parameter.minimum:
            return False
        if parameter.maximum is not None and number > parameter.maximum:
            return False
        given[name] = number
        return True
    if parameter.choices and value not in parameter.choices:
        return False
    given[name] = value
    return True


def _with_common(call: Invocation, common: dict[str, str]) -> Invocation | None:
    seconds = common.get("deadline")
    if seconds is not None:
        if not (seconds.isascii() and seconds.replace(".", "", 1).isdigit() and len(seconds) < 10):
            return None
        call.deadline_s = float(seconds)
        if not 0 < call.deadline_s <= LONGEST_S:
            return None
    tokens = common.get("budget")
    if tokens is not None:
        if not (tokens.isascii() and tokens.isdigit() and len(tokens) < 8) or not int(tokens):
            return None
        call.budget = int(tokens)
    call.root = common.get("root")
    call.format = common.get("format")
    return call
