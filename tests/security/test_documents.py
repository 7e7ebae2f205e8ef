"""Files that a repository brings are read in bounded time and memory, whatever is in them."""

from __future__ import annotations

import contextlib
import json
import resource
import shlex
import signal
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from cn_daemon.adapters import json_text, toml_text
from cn_daemon.adapters.command_rows import row_of
from cn_daemon.adapters.command_sources.catalogs import CatalogReader, read_catalog
from cn_daemon.adapters.command_sources.climpt import ClimptReader
from cn_daemon.adapters.command_sources.manifest import Entry, Origin, Unfit
from cn_daemon.adapters.command_sources.markdown import MarkdownReader, Place
from cn_daemon.adapters.command_sources.openapi import check, openapi_commands
from cn_daemon.adapters.manifests import packages
from cn_daemon.adapters.markdown_text import read_markdown, split_frontmatter
from cn_daemon.adapters.report_text import report_row
from cn_daemon.adapters.yaml_text import load
from cn_daemon.domain import ids
from cn_daemon.domain.libraries import excerpts, prompts, reports
from cn_daemon.domain.libraries.ranking.words import terms
from cn_shared import state

HANG_S = 10


@pytest.fixture(autouse=True)
def alarm() -> Iterator[None]:
    """What hangs is interrupted; what is linear takes some milliseconds. By the processor's time: others may have it
    for a while."""

    def hung(*_: object) -> None:
        raise AssertionError(f"it takes more than {HANG_S} s")

    before = signal.signal(signal.SIGPROF, hung)
    signal.setitimer(signal.ITIMER_PROF, HANG_S)
    yield
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.signal(signal.SIGPROF, before)


DEEP = ["[" * 60_000, "{a: " * 15_000, "- " * 30_000, "a: " + "[" * 30_000 + "]" * 30_000, "? " * 30_000]


@pytest.mark.parametrize("document", DEEP, ids=range(len(DEEP)))
def test_deep_yaml_does_not_take_the_process_down(document: str) -> None:
    with pytest.raises(yaml.YAMLError):
        load(document)
    assert split_frontmatter(f"---\n{document}\n---\nbody\n")[1] == "body\n"


def test_merges_without_end_are_refused() -> None:
    first = ", ".join(f"k{n}: {n}" for n in range(300))
    lines = [f"a0: &a0 {{{first}}}", *(f"a{n}: &a{n} {{<<: *a{n - 1}, n{n}: 1}}" for n in range(1, 400))]
    with pytest.raises(yaml.YAMLError, match="merges too much"):
        load("\n".join(lines))
    assert load("a: &a {x: 1}\nb: {<<: *a, y: 2}") == {"a": {"x": 1}, "b": {"x": 1, "y": 2}}


def test_merges_that_double_end() -> None:
    lines = ["a0: &a0 {x: 1, y: 2}", *(f"a{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}]}}" for n in range(1, 60))]
    told: object
    try:
        told = load("\n".join(lines))["a59"]
    except yaml.YAMLError as error:
        told = str(error).partition("\n")[0]
    # From 6.0.4 on PyYAML merges each key once.
    assert told in ({"x": 1, "y": 2}, "it merges too much")


def test_aliases_that_double_do_not_expand_in_frontmatter() -> None:
    lines = ["a0: &a0 [x, x]", *(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 60)), "date: *a59"]
    found = read_markdown("---\n" + "\n".join(lines) + "\n---\n# Title\n\nText.\n")
    assert found.title == "Title"
    assert reports.date_of("name", found.frontmatter, "", 0.0) == "1970-01-01"


# Of each a hundred bytes or more were an error of the whole library, or of every answer.
ODD_YAML = [
    "a: " + "1:" * 200 + "1.5", "a: " + "1:" * 3000 + "1", "a: 2001-99-99", "a: !!timestamp x", "a: !!int x",
    "a: !!float 1e", "a: 1e999999", "a: .inf", "a: " + "9" * 5000, "a: 0x" + "f" * 5000, "a: !!int 0x" + "f" * 5000,
    "a: !!binary x", "a: !!bool x", "? [a]\n: b", "a: &a [*a]", 'a: "\\ud800"', "=: =", "a: !!python/object:os.x {}",
]  # fmt: skip
ODD_JSON = [
    '{"a": ' + "9" * 5000 + "}", '{"a": ' + "9" * 4000 + "}", '{"a": 1e999999}', '{"a": NaN}', '{"a": "\\ud800"}',
    '{"\\udc00": 1, "commands": [{"name": "\\ud83d"}]}', '{"a": 1, "a": 2}', '{"a": ' * 900 + "1" + "}" * 900, "",
    '{"commands": [{"name": "x", "flags": [{"name": "f", "default_value": ' + "9" * 4000 + "}]}]}",
    '{"openapi": "3.0.0", "paths": ' + "[" * 150 + "]" * 150 + "}", '{"openapi": 1e999, "paths": {}}',
]  # fmt: skip
SOUND = {"vendor": "v", "commands": [{"group": "v", "name": "sound"}]}


def _told(reader: CatalogReader | ClimptReader | MarkdownReader) -> tuple[dict[str, Any], list[str]]:
    """The commands by their files, as they are written in answers and kept on disk; and the warnings."""
    with contextlib.closing(reader):
        found = reader.read(everything=True)
    for commands in found.files.values():
        json.dumps([row_of(one.command) for one in commands], ensure_ascii=False, allow_nan=False).encode()
        for one in commands:
            terms(f"{one.command.name} {one.headings} {one.body}")
    return dict(found.files), list(found.warnings)


def _served(folder: Path, name: str, content: bytes) -> None:
    """One file costs itself: what stands beside it is read, and it is told, or read as well."""
    (folder / "sound.json").write_text(json.dumps(SOUND))
    (folder / "sound.md").write_text("# Sound")
    (folder / name).write_bytes(content)
    catalogs, warnings = _told(CatalogReader([folder]))
    assert len(catalogs[str(folder / "sound.json")]) == 1
    assert name.endswith(".md") or catalogs.get(str(folder / name)) is not None or any(name in one for one in warnings)
    commands, _ = _told(MarkdownReader([Place(folder, "workspace")], [], 0))
    assert len(commands[str(folder / "sound.md")]) == 1
    if name.endswith(".md"):
        report_row(name, content.decode("utf-8", "replace"), (0, 1, 1))


@pytest.mark.parametrize("number", range(len(ODD_YAML)))
def test_odd_yaml_costs_only_its_own_file(tmp_path: Path, number: int) -> None:
    document = ODD_YAML[number].encode()
    with contextlib.suppress(yaml.YAMLError):
        load(document)
    _served(tmp_path.resolve(), "api.yaml", document + b"\ncommands: [{name: x}]\n")
    _served(tmp_path.resolve(), "odd.md", b"---\n" + document + b"\n---\nbody\n")


@pytest.mark.parametrize("number", range(len(ODD_JSON)))
def test_odd_json_costs_only_its_own_file(tmp_path: Path, number: int) -> None:
    folder = tmp_path.resolve()
    document = ODD_JSON[number].encode()
    _served(folder, "api.json", document)
    registry = folder / ".agent" / "climpt" / "registry.json"
    registry.parent.mkdir(parents=True)
    registry.write_bytes(document)
    _told(ClimptReader(folder, folder / "home"))
    (folder / "package.json").write_bytes(document)
    (folder / "tsconfig.json").write_bytes(document)
    packages([str(folder / "package.json"), str(folder / "tsconfig.json")], lambda real: True)


def test_plain_scalars_are_those_of_the_core_schema() -> None:
    told = load("[1:30, 2025-01-02, yes, 0o17, 017, 1.5, ~, true, 0x1f, '1', -3, 1e3]")
    assert told == ["1:30", "2025-01-02", "yes", 15, 17, 1.5, None, True, 31, "1", -3, 1000.0]
    assert reports.date_of("name", load("date: 2025-01-02"), "", 0.0) == "2025-01-02"


def test_documents_of_many_parts_are_refused_before_they_are_read() -> None:
    with pytest.raises(yaml.YAMLError, match="more than"):
        load("- a\n" * 1_100_000)
    with pytest.raises(ValueError, match="more than"):
        json_text.load(b"[" + b"[]," * 2_000_000 + b"1]")


def test_thousands_of_operations_of_one_name_are_named_at_once() -> None:
    operation = {"get": {"responses": {"200": {"description": "ok"}}}}
    document = {**openapi({}), "paths": {f"/x/{{a{number}}}": operation for number in range(6000)}}
    names = [one.command.name for one in openapi_commands(document, Entry(), Origin("x"))]
    assert len(set(names)) == 6000
    assert names[:1] + names[-1:] == ["x:info", "x:info:5999"]


MUTILATED = st.builds(
    lambda text, at, cut, put, times: text[:at] + put * times + text[at + cut :],
    st.sampled_from([*(one.encode() for one in (*ODD_YAML, *ODD_JSON)), json.dumps(SOUND).encode(),
                     b"---\ndate: 2025-01-02\ntags: [a, b]\n---\n# T\n", b"openapi: 3.0.0\npaths:\n  /a: {get: {}}\n"]),
    st.integers(0, 200), st.integers(0, 20), st.binary(max_size=3), st.sampled_from([1, 2, 300]),
)  # fmt: skip


@given(
    content=st.binary(max_size=200) | MUTILATED,
    name=st.sampled_from(["odd.md", "odd.yaml", "odd.json", "catalogs.json"]),
)
def test_whatever_is_in_one_file_the_others_are_served(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, name: str
) -> None:
    folder = tmp_path_factory.mktemp("library").resolve()
    if name == "catalogs.json":
        (folder / name).write_bytes(content)
        _told(CatalogReader([folder, folder / "none.json"]))
    else:
        _served(folder, name, content)
    registry = folder / ".agent" / "climpt" / "registry.json"
    registry.parent.mkdir(parents=True)
    registry.write_bytes(content)
    _told(ClimptReader(folder, folder / "home"))


# Each pair is a pattern's nightmare: what repeats, and what spoils the match in the end.
LONG = 100_000
REPEATED = [
    *("#", "# ", "<!--", "`", "```", "```\n", "~~~\n```\n", "!`", "@a/", "$A", "{{", " ", "\t", "\n", "---", "---\n"),
    *(
        "a",
        "a.",
        "a#",
        "::",
        "a::",
        "::1",
        "a:1",
        "todo ",
        "2025-01-01 ",
        "2025 年",
        "january ",
        "A-1",
        "a-",
        "a'",
        '\\"',
    ),
]
TEXTS = [head + piece * (LONG // len(piece)) + end for piece in REPEATED for head in ("", "# ") for end in ("x", "!\n")]
READERS: dict[str, Callable[[str], Any]] = {
    "markdown": read_markdown,
    "frontmatter": lambda text: read_markdown(f"---\n{text[:60_000]}\n---\n"),
    "prompt": lambda text: prompts.render(text, "claude", "a b", {"name": "value"}),
    "arguments": lambda text: prompts.render("$1 $ARGUMENTS", "claude", text),
    "dialect": lambda text: prompts.dialect_of("a.md", text),
    "id": ids.parse,
    "report query": lambda text: reports.read_query(text, date(2025, 1, 1)),
    "report date": lambda text: reports.date_of("name", {"date": text}, text, 0.0),
    "day": lambda text: (reports.iso_day(text), reports.last_day(text)),
    "excerpt": lambda text: excerpts.excerpt(text, ["alpha"]),
    "words": terms,
}


def test_a_key_of_twenty_thousand_parts_is_not_read() -> None:
    """TOML's reader took 12 s for one, and 30 s for as many as a frontmatter may have."""
    signal.setitimer(signal.ITIMER_PROF, 2)
    assert read_markdown("+++\n" + "a." * 31_000 + "a = 1\n+++\ntext\n").body == "text\n"
    with pytest.raises(ValueError, match="dots"):
        toml_text.load("a." * 500_000 + "a = 1\n")


@pytest.mark.slow
@pytest.mark.parametrize("reader", READERS)
def test_no_pattern_goes_back_over_a_long_text(reader: str) -> None:
    for text in TEXTS:
        signal.setitimer(signal.ITIMER_PROF, HANG_S)
        READERS[reader](text)


def test_a_short_query_has_no_two_to_the_thirtieth_readings() -> None:
    for query in ("a." * 40 + "!", "#a" * 40 + "!", "#" * 60 + "!", "a::" * 40 + "!"):
        assert ids.parse(query) is None


def openapi(schemas: dict[str, Any], wanted: str = "#/components/schemas/A") -> dict[str, Any]:
    answer = {"description": "ok", "content": {"application/json": {"schema": {"$ref": wanted}}}}
    operation = {"operationId": "x", "summary": "X", "responses": {"200": answer}}
    return {"openapi": "3.0.0", "info": {"title": "T", "version": "1"}, "paths": {"/x": {"get": operation}},
            "components": {"schemas": schemas}}  # fmt: skip


def of(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


WIDE = {name: {"type": "object", "properties": {f"p{n}": of("ABCDEFGH"[(at + 1) % 8]) for n in range(30)}}
        for at, name in enumerate("ABCDEFGH")}  # fmt: skip
HOSTILE = {
    "itself": openapi({"A": of("A")}),
    "a circle": openapi({"A": of("B"), "B": of("A")}),
    "a circle of allOf": openapi({"A": {"allOf": [of("A"), of("A")]}}),
    "a circle of items": openapi({"A": {"type": "array", "items": of("A")}}),
    "a hundred million schemas": openapi(WIDE),
    "a file": openapi({}, "file:///etc/passwd"),
    "a path": openapi({}, "../../../../etc/passwd"),
    "a server": openapi({}, "http://127.0.0.1:1/x.json"),
    "another document": openapi({}, "other.json#/A"),
    "nowhere": openapi({}, "#/components/schemas/None"),
    "the document": openapi({}, "#/"),
    "a list": openapi({}, "#/paths/~1x/get/tags/99999999999999999999"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_references_of_an_api_document_lead_nowhere_else_and_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    file = tmp_path / "api.json"
    file.write_text(json.dumps(HOSTILE[name]))

    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("it opened a connection")

    monkeypatch.setattr("socket.socket.connect", forbidden)
    try:
        found, _ = read_catalog(str(file.resolve()), Entry(), None)
    except Unfit:
        return
    told = json.dumps(found[0].command.output_schema)
    assert len(told) < 2_000_000
    assert "root:" not in told


def lent(kind: str) -> dict[str, Any]:
    """A small document, of which each of many operations, properties or parts takes a large one by reference."""
    item: dict[str, Any] = {"get": {"responses": {"200": {"description": "ok"}}}}
    many = range(1500)
    if kind == "properties":
        return openapi({"A": {"type": "object", "properties": {f"p{n}": of("A") for n in range(3000)}}})
    if kind == "properties of many":
        one = openapi({"A": {"type": "object", "properties": {f"p{n}": of("A") for n in range(140)}}})
        return {**one, "paths": {f"/x{n}": one["paths"]["/x"] for n in range(300)}}
    if kind == "parts":
        wide = {"type": "object", "properties": {f"p{n}": {} for n in many}}
        return openapi({"A": {"allOf": [of("W")] * 20_000}, "W": wide})
    if kind == "a long reference":
        return openapi({"A": {"properties": {f"p{n}": of("L") for n in many}}, "L": {"$ref": "#/" + "a/" * 500_000}})
    item["parameters"] = [{"name": f"p{n}", "in": "query", "schema": {}} for n in many]
    if kind == "text":
        item["parameters"] = [{"name": "p", "in": "query", "schema": {}, "description": "x" * 500_000}]
    return {**openapi({}), "paths": {"/x": item, **{f"/x{n}": {"$ref": "#/paths/~1x"} for n in many}}}


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", ["properties", "properties of many", "parts", "a long reference", "parameters", "text"]
)
def test_what_an_api_document_repeats_by_reference_is_bounded(kind: str) -> None:
    """44 KB took a minute and a half, and 1.5 GB; three times as much, ten times that."""
    document = lent(kind)
    check(document)
    limits = resource.getrlimit(resource.RLIMIT_DATA)
    used = int(Path("/proc/self/statm").read_text().split()[5]) * resource.getpagesize()
    signal.setitimer(signal.ITIMER_PROF, 30)
    resource.setrlimit(resource.RLIMIT_DATA, (used + (1 << 30), limits[1]))
    refused = kind in ("parameters", "text")
    try:
        with pytest.raises(Unfit) if refused else contextlib.nullcontext():
            assert openapi_commands(document, Entry(), Origin("x"))
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, limits)
        signal.setitimer(signal.ITIMER_PROF, 0)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=12,
)
KEYS = st.sampled_from(
    "tools commands steps c1 c2 c3 description usage options uv edition file vendor group name summary positional_args "
    "flags execution http method path base_url openapi info title version paths get parameters responses catalogs "
    "manifest_path headers $ref".split()
)
NESTED = st.recursive(JSON, lambda inner: st.dictionaries(KEYS, inner, max_size=5) | st.lists(inner, max_size=3))


@given(document=NESTED, config=NESTED)
def test_no_registry_and_no_catalog_is_more_than_a_warning(
    tmp_path_factory: pytest.TempPathFactory, document: Any, config: Any
) -> None:
    root = tmp_path_factory.mktemp("root")
    folder = root / ".agent" / "climpt"
    (folder / "mcp").mkdir(parents=True)
    (folder / "mcp" / "config.json").write_text(json.dumps(config))
    for name in ("registry.json", "catalogs.json", "api.json"):
        (folder / name).write_text(json.dumps(document))
    (folder / "api.yaml").write_bytes(yaml.safe_dump(json.loads(json.dumps(document))).encode())
    ClimptReader(root, root / "home").read(everything=True)
    (folder / "mcp" / "config.json").unlink()
    ClimptReader(root, root / "home").read(everything=True)
    CatalogReader([folder / "catalogs.json", folder / "api.json", folder / "api.yaml"]).read(everything=True)


@given(text=st.text(alphabet=st.sampled_from(list("---\n:[]{}&*!|>'\"#,?<.\t a\x00\x85\ufeff\u2028")), max_size=80))
def test_no_frontmatter_is_an_error(text: str) -> None:
    for whole in (text, f"---\n{text}\n---\nbody", f"+++\n{text}\n+++\nbody"):
        read_markdown(whole)


@given(text=st.text(alphabet=st.sampled_from(list("ab \t\n\"'\\é")), max_size=24))
def test_words_are_those_of_the_shell(text: str) -> None:
    try:
        expected = shlex.split(text)
    except ValueError:
        expected = text.split()
    assert prompts.words(text) == expected


@given(text=st.text(max_size=60) | st.from_regex(r"(ref::)?[a./#:]{0,12}(::\d{1,12}){0,3}", fullmatch=True))
def test_whatever_is_asked_for_is_a_place_a_name_or_neither(text: str) -> None:
    found = ids.parse(text)
    assert found is None or isinstance(found, ids.Place | ids.Name)


FIELDS = st.sampled_from([*state._KINDS, "schema", "pumpPort"])


@given(content=st.binary(max_size=80) | st.dictionaries(FIELDS, JSON).map(lambda value: json.dumps(value).encode()))
def test_no_state_file_breaks_the_client(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    file = tmp_path_factory.getbasetemp() / state.NAME
    file.write_bytes(content)
    file.chmod(0o600)
    assert state.read(str(file)) is None or b'"schema": 1' in content
    assert state.live(str(file.parent)) is None
