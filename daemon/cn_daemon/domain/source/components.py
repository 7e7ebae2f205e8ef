"""Components of Vue, Svelte and Astro: what they are called, where their scripts stand, the elements around a line."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from cn_daemon.domain.source.text import Lines

ENDINGS = (".vue", ".svelte", ".astro")
_IDENTIFIER = re.compile(r"[^\W\d]\w*|[$_][\w$]*")
_PART = re.compile(r"(?:^|[-_. ]+)(\w)")
_ATTRIBUTES = r"(?:[^<>\"'{}]|\"[^\"]*\"|'[^']*'|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*"
_SCRIPT = re.compile(rf"(<script\b{_ATTRIBUTES}>)([\s\S]*?)(?=</script\s*>|\Z)", re.IGNORECASE)
_FRONT_MATTER = re.compile(r"(\A\s*---\r?\n)([\s\S]*?)(?=^---)", re.MULTILINE)
_TAG = re.compile(rf"<!--[\s\S]*?-->|<(?P<close>/?)(?P<name>[A-Za-z][\w.:-]*){_ATTRIBUTES}?(?P<empty>/?)>")
_HYPHENATED = re.compile(r"(?<![\w$-])[\w$]+(?:-+[\w$]+)+")
_VALUE = re.compile(r"\"[^\"]*\"|'[^']*'|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}")
_GIVEN = re.compile(r"\$props\s*\(|\bexport\s+(?:let|var|const|function|class|async|\{)")
_RAW = re.compile(r"script|style", re.IGNORECASE)
_VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())


def is_component(path: str) -> bool:
    return path.endswith(ENDINGS)


def may_have_props(text: str) -> bool:
    """Whether variables of a component of Svelte may be given from outside."""
    return _GIVEN.search(text) is not None


def component_name(path: str) -> str:
    """What the component of a file is called: `AccountAvatar.vue`, `account-avatar.vue`; of `card/index.vue` as its
    folder. As `nameOf` of `cn_compiler/bindings/components/names.mjs`."""
    folder, name = os.path.split(path)
    stem = os.path.splitext(name)[0]
    own = os.path.basename(folder) if stem == "index" else stem
    if _IDENTIFIER.fullmatch(own):
        return own
    return _PART.sub(lambda match: match[1].upper(), own) if re.fullmatch(r"[^\W\d_][\w-]*", own) else stem


def script_spans(path: str, text: str) -> list[tuple[int, int]]:
    """Where the scripts of a component stand, tags left out."""
    front = _FRONT_MATTER.match(text) if path.endswith(".astro") else None
    found = [front.span(2)] if front else []
    return [*found, *(match.span(2) for match in _SCRIPT.finditer(text, front.end() if front else 0))]


def scripts(path: str, text: str) -> str:
    """The text with nothing in it but its scripts, each where it stands."""
    return _outside(path, text, r"[^\r\n]")


def readable(path: str, text: str) -> str:
    """The text as TypeScript can be read of it: of what is no script the words alone, each where it stands."""
    return _outside(path, text, r"[^\w$.\r\n]|(?<![\w$])\.")


def _outside(path: str, text: str, masked: str) -> str:
    parts, last = [], 0
    for start, end in script_spans(path, text):
        parts += [re.sub(masked, " ", text[last:start]), text[start:end]]
        last = end
    return "".join([*parts, re.sub(masked, " ", text[last:])])


def name_start(path: str, text: str, place: int) -> int:
    """Where the hyphenated name of an element or of an attribute begins that stands at a place of a component, as
    `row-item` and `note-html`; of anything else the place itself."""
    name = next((one for one in _HYPHENATED.finditer(text, text.rfind("\n", 0, place) + 1) if one.end() > place), None)
    if name is None or name.start() >= place or any(start <= place < end for start, end in script_spans(path, text)):
        return place
    tag = next((one for one in _TAG.finditer(text) if one.end() > place), None)
    if tag is None or tag["name"] is None or tag.start() >= place:
        return place
    value = next((one.start() for one in _VALUE.finditer(text, tag.start(), tag.end()) if one.end() > place), place + 1)
    return name.start() if value > place or text.endswith(" is=", 0, value) else place


def elements(text: str) -> Iterator[Lines]:
    """The lines of each element of several lines, inner ones first."""
    opened: list[tuple[str, int]] = []
    place = 0
    while (tag := _TAG.search(text, place)) is not None:
        place = tag.end()
        name = tag["name"]
        if name is None:
            continue
        if not tag["close"]:
            if not tag["empty"] and name.lower() not in _VOID:
                opened.append((name, tag.start()))
                if _RAW.fullmatch(name):
                    closing = re.compile(rf"</{name}\s*>", re.IGNORECASE).search(text, place)
                    place = closing.start() if closing else len(text)
                continue
            start = tag.start()
        elif any(one == name for one, _ in opened):
            while (last := opened.pop())[0] != name:
                pass
            start = last[1]
        else:
            continue
        first = text.count("\n", 0, start) + 1
        last_line = first + text.count("\n", start, tag.end())
        if last_line > first:
            yield Lines(first, last_line)
