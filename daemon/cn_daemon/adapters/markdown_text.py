"""A Markdown file as data: frontmatter, title, description, headings, body.

One frontmatter in five is not valid YAML (an unquoted colon, a bracketed hint, a tab): then its `key: value` lines
are read one by one. What stands for a description that nobody wrote counts as none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cn_daemon.adapters import toml_text
from cn_daemon.adapters.yaml_text import load
from cn_daemon.domain.libraries.front_matter import front_matter

_LINE = re.compile(r"^([A-Za-z_][\w .-]{0,60}?)[ \t]*:(?:[ \t]+(.*))?$")
_HEADING = re.compile(r" {0,3}#{1,6}")
_FENCE = re.compile(r"^ {0,3}(```+|~~~+)")
_NO_PARAGRAPH = re.compile(r"^(?:[-*+>|=]|\d+[.)]\s|<!--|!\[|\[!\[|<[a-zA-Z/]|\$ARGUMENTS|[-*_]{3,}$)")
_PLACEHOLDER = re.compile(
    r"placeholder|\$\(|\{\{|^\s*(?:todo|tbd|description|n/?a|none|\.+)\s*(?:\.\s*)?$|lorem ipsum", re.I
)
_DESCRIPTION_LIMIT = 500


@dataclass(frozen=True, slots=True)
class MarkdownText:
    """title: the first heading. description: from the frontmatter, else the first real paragraph. body: what
    follows the frontmatter. valid: False when the frontmatter was no YAML and had to be recovered."""

    frontmatter: Mapping[str, Any]
    title: str
    description: str
    headings: tuple[str, ...]
    body: str
    valid: bool = True


def read_markdown(text: str) -> MarkdownText:
    """What a Markdown file holds. Nothing in it is an error."""
    frontmatter, body, valid = split_frontmatter(text)
    headings = [heading for line in prose(body) if (heading := _heading(line))]
    paragraph = ""
    stated = described(frontmatter)
    if not stated:
        paragraph = first_paragraph(body)
    title = headings[0] if headings else ""
    return MarkdownText(frontmatter, title, (stated or paragraph)[:_DESCRIPTION_LIMIT], tuple(headings), body, valid)


def split_frontmatter(text: str) -> tuple[Mapping[str, Any], str, bool]:
    """The frontmatter (YAML between ---, TOML between +++ or in a fence), the rest, and whether it was valid."""
    found = front_matter(text)
    if found is None:
        return {}, text.removeprefix("\ufeff"), True
    if found.toml:
        return _toml(found.block), text[found.end :], True
    values, valid = _yaml(found.block)
    return values, text[found.end :], valid


def prose(body: str) -> list[str]:
    """The lines outside of code fences."""
    lines: list[str] = []
    fence = ""
    for line in body.splitlines():
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1][:3]
        elif mark and line.strip().startswith(fence) and fence:
            fence = ""
        elif not fence:
            lines.append(line)
    return lines


def first_paragraph(body: str) -> str:
    """The first paragraph that is prose: no heading, list, quote, table, code, comment or argument line."""
    gathered: list[str] = []
    for line in prose(_uncommented(body)):
        bare = line.strip()
        if not bare or _heading(line):
            if gathered:
                break
        elif gathered or not (_NO_PARAGRAPH.match(bare) or _PLACEHOLDER.search(bare)):
            gathered.append(bare)
    return " ".join(gathered)


def _heading(line: str) -> str:
    """The text of a heading, "" for any other line. A pattern that ends in what may repeat would look at a long line
    again from each of its characters."""
    mark = _HEADING.match(line)
    return line[mark.end() :].strip(" \t").rstrip(" \t#") if mark else ""


def _uncommented(body: str) -> str:
    """The text without its `<!-- … -->`; one that does not end is text."""
    kept: list[str] = []
    at = 0
    while (start := body.find("<!--", at)) >= 0 and (end := body.find("-->", start + 4)) >= 0:
        kept.append(body[at:start])
        at = end + 3
    return "".join([*kept, body[at:]])


def described(frontmatter: Mapping[str, Any]) -> str:
    """The description that a frontmatter states; "" for none, and for what stands where nobody wrote one."""
    for key in ("description", "summary", "purpose"):
        value = frontmatter.get(key)
        if isinstance(value, str) and value.strip() and not _PLACEHOLDER.search(value):
            return " ".join(value.split())
    return ""


def _yaml(block: str) -> tuple[Mapping[str, Any], bool]:
    import yaml

    try:
        value = load(block)
    except yaml.YAMLError:
        return recovered(block), False
    return (value, True) if isinstance(value, dict) else (recovered(block), value is None)


def _toml(block: str) -> Mapping[str, Any]:
    try:
        value = toml_text.load(block)
    except (ValueError, RecursionError):
        return {}
    # One table of details (`[advisory]`) is the frontmatter.
    inner = [item for item in value.values() if isinstance(item, dict)]
    return {**value, **inner[0]} if inner else value


def recovered(block: str) -> dict[str, Any]:
    """The `key: value` lines of a frontmatter that is not YAML; a line that continues one is joined to it."""
    values: dict[str, Any] = {}
    key = ""
    for line in block.splitlines():
        found = _LINE.match(line)
        if found:
            key = found[1]
            values[key] = _bare(found[2] or "")
        elif key and line[:1] in " \t" and line.strip():
            values[key] = f"{values[key]} {_bare(line.strip())}".strip()
    return values


def _bare(value: str) -> str:
    value = value.strip()
    if value in ("|", ">", "|-", ">-"):
        return ""
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1]
    return value
