"""`cn init --write` and odd files: whatever it is given, nothing of it is lost, and a second time changes nothing."""

from __future__ import annotations

import json
import os
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cn_client import entries, jsonc, registration
from cn_shared.errors import InputError
from tests.client.conftest import Run

ROOT = Path("/nowhere")
KEYS = st.sampled_from(["mcpServers", "servers", "cn", "other", "command", "args", "type", "a//b", 'x"y', "/*", ""])
SCALARS = st.sampled_from(
    [None, True, 0, -1.5, "cn", "", "// no comment", "/* none */", '"', "\\", "\u2028 é", "{", "}"]
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=10,
)
DOCUMENTS = st.dictionaries(KEYS, VALUES, max_size=4)
GAPS = st.sampled_from(["", "", " ", "\n", "\t", "\r\n", "// c }\n", "// ,\r\n", "/* { */", "/**/", "/* a\n * b */ "])


@st.composite
def files(draw: st.DrawFn) -> tuple[str, Any]:
    """JSON as editors leave it, and what it says."""

    def written(value: Any) -> str:
        def gap() -> str:
            return draw(GAPS)

        if isinstance(value, dict):
            rows = [f"{gap()}{text(key)}{gap()}:{gap()}{written(item)}{gap()}" for key, item in value.items()]
        elif isinstance(value, list):
            rows = [f"{gap()}{written(item)}{gap()}" for item in value]
        else:
            return text(value)
        comma = "," + gap() if rows and draw(st.booleans()) else ""
        opening, closing = "{}" if isinstance(value, dict) else "[]"
        return opening + (",".join(rows) + comma or gap()) + closing

    def text(value: Any) -> str:
        return json.dumps(value, ensure_ascii=draw(st.booleans()))

    document = draw(DOCUMENTS)
    mark = draw(st.sampled_from(["", "", "\ufeff"]))
    return mark + draw(GAPS) + written(document) + draw(GAPS), document


def entry(client: str, *, chosen: bool = False) -> entries.Entry:
    return registration._entries(client, "cn", ROOT, chosen, False)[0]


def merge(one: entries.Entry, text: str) -> str | None:
    """None when it was refused, in a sentence."""
    try:
        return one.merge(text)
    except InputError as error:
        if error.code != "not_mergeable":
            raise
        return None


def bare(text: str) -> str:
    return re.sub(r"\s", "", text)


def holds_in_order(whole: str, part: str) -> bool:
    rest = iter(whole)
    return all(character in rest for character in part)


@given(files(), st.sampled_from(["claude", "cursor", "vscode", "gemini", "windsurf"]))
@example(('{"mcpServers":{"cn":[]}}', {"mcpServers": {"cn": []}}), "windsurf")
def test_json_with_comments(file: tuple[str, Any], client: str) -> None:
    text, document = file
    one = entry(client)
    [[group, servers]] = json.loads(one.content).items()
    before = document.get(group, {})
    there = before.get("cn", {}) if isinstance(before, dict) else None
    merged = merge(one, text)
    if merged is None:
        others = isinstance(there, dict) and there and there.get("command") != "cn"
        assert others or not isinstance(there, dict), "what stands in the way is no object, or another server"
        return
    if "cn-nowhere" in jsonc.read(merged).value[group]:
        assert client == "windsurf", "one file for all workspaces: another's entry stays"
        assert there not in (None, {}), "the name was free"
        assert jsonc.read(merged).value == {**document, group: {**before, "cn-nowhere": servers["cn"]}}
        assert one.merge(merged) == merged
        return
    assert isinstance(there, dict)
    assert jsonc.read(merged).value == {**document, group: {**before, "cn": {**there, **servers["cn"]}}}
    assert one.merge(merged) == merged
    if not there:  # else a value of ours was replaced
        left = jsonc.read(one.remove(merged)).value if one.remove(merged).strip() else {}
        assert left == document or {**left, group: before} == document
        assert holds_in_order(bare(merged), bare(text))
        assert merged.startswith("\ufeff") == text.startswith("\ufeff")


@given(st.text(st.sampled_from('{}[]",:/*\\ \n\tacmepSrvn1.-'), max_size=40))
def test_what_is_no_json_is_refused_in_a_sentence(text: str) -> None:
    merged = merge(entry("claude"), text)
    assert merged is None or entry("claude").merge(merged) == merged


LINES = st.lists(
    st.sampled_from(
        ['model = "x"', "# note", "", "[mcp_servers.other]", 'command = "y"', "[profiles.a]", "[[list]]", "n = 1",
         'text = """\ntwo\r\nlines"""', "mcp_servers.cn.command = 'cn'", "[mcp_servers]", "[mcp_servers.cn.env]", "x ="]
    ),
    max_size=6,
)  # fmt: skip


@given(LINES, st.lists(st.sampled_from(["\n", "\r\n"]), min_size=6, max_size=6), st.booleans())
def test_toml(lines: list[str], ends: list[str], closed: bool) -> None:
    text = "".join(line + end for line, end in zip(lines, ends, strict=False))
    text = text if closed else text.rstrip("\r\n")
    one = entry("codex")
    merged = merge(one, text)
    if merged is None:
        return
    before = tomllib.loads(text)
    cn = {"command": "cn", "args": ["mcp"]}
    policy = {"shell_environment_policy": {"set": {"CN_FORMAT": "text"}}}
    assert tomllib.loads(merged) == {**before, "mcp_servers": {**before.get("mcp_servers", {}), "cn": cn}, **policy}
    assert holds_in_order(merged, text)
    assert one.merge(merged) == merged
    if "cn" not in before.get("mcp_servers", {}):
        left = tomllib.loads(one.remove(merged))
        assert left == before or {**left, "mcp_servers": {}} == before


BEGIN, END = entries.BEGIN, entries.END
PIECES = st.lists(
    st.sampled_from(["# Rules\n", "\r\n", "\n", "mine", BEGIN, END, f"{BEGIN}\nold\n{END}\n"]), max_size=7
)


def not_ours(text: str) -> str:
    """All but what stands between the first two marks that belong together."""
    end = text.find(END)
    while end >= 0:
        begin = text.rfind(BEGIN, 0, end)
        if begin >= 0 and text.find(END, begin) == end:
            return text[:begin] + text[end + len(END) :]
        end = text.find(END, end + 1)
    return text


@given(PIECES)
def test_the_paragraph_and_marks_that_lost_their_other(pieces: list[str]) -> None:
    """A begin mark without its end took what stood between it and the next run's end mark."""
    text = "".join(pieces)
    one = entry("agents")
    merged = one.merge(text)
    assert one.merge(merged) == merged
    assert holds_in_order(merged, not_ours(text))
    assert "## Code and command search: cn" in merged


def test_line_ends_of_others_stay(home: Path, cn: Run) -> None:
    """One CRLF made all of them CRLF."""
    file = home / ".codex" / "config.toml"
    file.parent.mkdir()
    file.write_bytes(b'a = 1\r\nb = """\none\ntwo"""\n')
    assert cn("init", "--client", "codex", "--write")[0] == 0
    assert file.read_bytes().startswith(b'a = 1\r\nb = """\none\ntwo"""\n')


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.delenv("CODEX_HOME", raising=False)
    return folder


def refused(cn: Run, *arguments: str) -> dict[str, Any]:
    code, out, err = cn("init", "--write", *arguments)
    assert code != 0
    assert out == b""
    told: dict[str, Any] = json.loads(err)["error"]
    return told


def test_a_link_that_leads_out_of_the_workspace(
    cn: Run, workspace: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A cloned repository could have its AGENTS.md lead to the user's .profile."""
    profile = tmp_path_factory.mktemp("user") / ".profile"
    profile.write_text("export A=1\n")
    os.symlink(profile, workspace / "AGENTS.md")
    assert refused(cn, "--client", "agents")["code"] == "outside_root"
    assert profile.read_text() == "export A=1\n"


def test_a_file_that_is_read_only(cn: Run, workspace: Path) -> None:
    file = workspace / ".mcp.json"
    file.write_text("{}")
    file.chmod(0o444)
    told = refused(cn, "--client", "claude")
    assert (told["code"], "read-only" in told["message"]) == ("unwritable", True)
    assert file.read_text() == "{}"


@pytest.mark.parametrize("kind", ["folder", "pipe", "loop", "file above"])
def test_what_is_no_file(cn: Run, workspace: Path, kind: str) -> None:
    file = workspace / ".cursor" / "mcp.json"
    if kind == "file above":
        file.parent.write_text("x")
    else:
        file.parent.mkdir()
        {"folder": os.mkdir, "pipe": os.mkfifo, "loop": lambda path: os.symlink(path, path)}[kind](file)
    assert refused(cn, "--client", "cursor")["code"] == "unwritable"
    assert list(file.parent.glob("*")) == ([] if kind == "file above" else [file])


def test_another_server_of_that_name_stays_unless_the_name_was_chosen(cn: Run, workspace: Path) -> None:
    """There is another program called cn."""
    file = workspace / ".mcp.json"
    text = '{"mcpServers": {"cn": {"command": "npx", "args": ["-y", "@continuedev/cli"]}}}'
    file.write_text(text)
    told = refused(cn, "--client", "claude")
    assert (told["code"], "--as" in told["message"]) == ("not_mergeable", True)
    assert file.read_text() == text
    assert cn("init", "--write", "--client", "claude", "--as", "cn")[0] == 0
    server = {"command": "cn", "args": ["mcp"], "alwaysLoad": True}
    assert json.loads(file.read_text()) == {"mcpServers": {"cn": server}}


def test_a_program_that_is_named_in_full_stays(cn: Run, workspace: Path) -> None:
    """docs/agents.md tells people to write its path when it is not on the client's PATH."""
    file = workspace / ".cursor" / "mcp.json"
    file.parent.mkdir()
    text = '{"mcpServers": {"cn": {"command": "/home/ada/.local/bin/cn", "args": ["mcp"]}}}'
    file.write_text(text)
    assert json.loads(cn("init", "--write", "--client", "cursor")[1])[0]["changed"] is False
    assert file.read_text() == text
