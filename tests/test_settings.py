"""Settings: five sources, one table, and what a cloned repository may not choose."""

from __future__ import annotations

import json
import os
import typing
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as tuned
from hypothesis import strategies as st

from cn_daemon import setting_values
from cn_daemon import settings as module
from cn_daemon.settings import KEYS, Settings, environment_names, load, schema
from cn_daemon.trusting import revoked, vouched
from cn_shared.errors import InputError
from tests import golden

SCHEMA_FILE = Path(module.__file__).with_name("cn.schema.json")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "root").mkdir()
    return tmp_path / "root"


@pytest.fixture
def user(tmp_path: Path) -> Path:
    (tmp_path / "config").mkdir()
    return tmp_path / "config" / "config.json"


def write(file: Path, **values: Any) -> Path:
    file.write_text(json.dumps(values))
    return file


def test_without_any_source_the_defaults_hold(root: Path, user: Path) -> None:
    settings = load(root, {}, user)
    assert settings == Settings(sources={row.name: "default" for row in KEYS})
    assert settings.warnings == []
    assert settings.server == "auto"
    assert settings.body_limit_bytes == 1 << 20


def test_the_higher_source_wins_and_is_named(root: Path, user: Path) -> None:
    assert load(root, {}, write(user, server="typescript")).sources["server"] == str(user)
    write(root / ".ai-command-tool.json", server="native")
    assert load(root, {}, user).sources["server"] == ".ai-command-tool.json"
    write(root / ".cn.json", server="auto")
    settings = load(root, {}, user)
    assert (settings.server, settings.sources["server"]) == ("auto", ".cn.json")
    settings = load(root, {"CN_SERVER": "typescript"}, user)
    assert (settings.server, settings.sources["server"]) == ("typescript", "CN_SERVER")
    assert load(root, {"CN_SERVER": ""}, user).sources["server"] == ".cn.json"


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("tsserver_memory_mb", "512", 512),
        ("request_timeout_s", "1.5", 1.5),
        ("idle_timeout_s", "0", 0),
        ("node", "/opt/node", Path("/opt/node")),
        ("node", "~nobody-of-this-name/node", Path("/root/of/it/~nobody-of-this-name/node")),
        ("server_command", "node 'my server.js' --stdio", ("node", "my server.js", "--stdio")),
        ("server_command", '["node", "my server.js"]', ("node", "my server.js")),
    ],
)
def test_a_variable_is_read_by_its_kind(key: str, text: str, value: object) -> None:
    settings = load(Path("/root/of/it"), {environment_names(key)[0]: text}, Path("/nowhere/config.json"))
    assert getattr(settings, key) == value


def test_a_tilde_is_the_home_folder() -> None:
    settings = load(Path("/root/of/it"), {environment_names("node")[0]: "~/node"}, Path("/nowhere/config.json"))
    assert settings.node == Path.home() / "node"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"server": "fast"}, "server must be one of auto, typescript, native."),
        ({"server": 1}, "server must be one of auto, typescript, native."),
        ({"tsserver_memory_mb": 1}, "tsserver_memory_mb must be a whole number from 256 to 65536."),
        ({"tsserver_memory_mb": "512"}, "tsserver_memory_mb must be a whole number from 256 to 65536."),
        ({"tsserver_memory_mb": 512.0}, "tsserver_memory_mb must be a whole number from 256 to 65536."),
        ({"tsserver_memory_mb": True}, "tsserver_memory_mb must be a whole number from 256 to 65536."),
        ({"node": 5}, "node must be a path."),
        ({"node": ""}, "node must be a path."),
        ({"node": "a\0b"}, "node must be a path."),
        ({"server_command": "node x"}, "server_command must be a list of strings."),
        ({"server_command": ["node", 1]}, "server_command must be a list of strings."),
    ],
)
def test_a_bad_value_in_the_users_file_names_file_key_and_what_was_expected(
    root: Path, user: Path, values: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError) as caught:
        load(root, {}, write(user, **values))
    assert caught.value.code == "bad_settings"
    assert caught.value.message == f"{user}: {message}"
    assert caught.value.data == {"source": str(user), "key": next(iter(values))}


@pytest.mark.parametrize(
    ("variable", "text"),
    [
        ("CN_SERVER", "x"),
        ("CN_TSSERVER_MEMORY_MB", "much"),
        ("CN_REQUEST_TIMEOUT_S", "nan"),
        ("CN_SERVER_COMMAND", "[1"),
        ("CN_SERVER_COMMAND", "it's"),
        ("CN_IDLE_TIMEOUT_S", "-1"),
    ],
)
def test_a_bad_variable_is_named(root: Path, user: Path, variable: str, text: str) -> None:
    with pytest.raises(InputError, match=f"^{variable} must be "):
        load(root, {variable: text}, user)


def test_a_bad_value_in_a_roots_file_warns_and_the_daemon_starts(root: Path, user: Path) -> None:
    write(root / ".cn.json", server="fast", log_level="debug")
    settings = load(root, {}, user)
    assert settings.server == "auto"
    assert settings.log_level == "debug"
    assert settings.warnings == [".cn.json: server must be one of auto, typescript, native. The key is ignored."]


@pytest.mark.parametrize("content", [b"{", b"[]", b"\xff", b'"x"', b"[" * 100_000, b" " * (1 << 20) + b"{}"])
def test_a_file_that_is_no_json_object_stops_for_the_user_and_warns_for_a_root(
    root: Path, user: Path, content: bytes
) -> None:
    (root / ".cn.json").write_bytes(content)
    assert len(load(root, {}, user).warnings) == 1
    user.write_bytes(content)
    with pytest.raises(InputError, match=r"config\.json"):
        load(root, {}, user)


def test_a_pipe_in_the_files_place_does_not_hang_the_start(root: Path, user: Path) -> None:
    os.mkfifo(root / ".cn.json")
    assert load(root, {}, user).warnings == [f"{root}/.cn.json is not a file. The file is ignored."]


def test_an_unknown_key_names_the_near_ones(root: Path, user: Path) -> None:
    write(root / ".cn.json", sever="auto", **{"$schema": "https://example.invalid/cn.schema.json"})
    write(user, loglevel="info")
    assert load(root, {"CN_NOED": "x", "CN_NORTH_1_REGION": "x", "CN_ROOT": "/x"}, user).warnings == [
        f"{user}: 'loglevel' is not a setting of cn. Did you mean log_level?",
        ".cn.json: 'sever' is not a setting of cn. Did you mean server?",
        "CN_NOED is not a setting of cn. Did you mean CN_NODE?",
    ]


def test_the_other_tools_file_keeps_its_documented_keys(root: Path, user: Path) -> None:
    write(root / ".ai-command-tool.json", commands_directory="C", cache_ttl_seconds=5, search_timeout_ms=1, odd=1)
    assert load(root, {}, user).warnings == [".ai-command-tool.json: 'odd' is not a setting of cn."]


def test_a_clone_names_folders_of_its_own_and_no_others(root: Path, user: Path) -> None:
    (root / "out").symlink_to(root.parent)
    write(root / ".cn.json", commands_directory="lib/commands", reports_directory="../reports", catalogs=["a", "out/b"])
    settings = load(root, {}, user)
    assert settings.commands_directory == root / "lib" / "commands"
    assert (settings.reports_directory, settings.catalogs) == (None, ())
    assert [warning.split(" is ")[0] for warning in settings.warnings] == [
        ".cn.json: reports_directory",
        ".cn.json: catalogs",
    ]
    vouched(root)
    settings = load(root, {}, user)
    assert settings.reports_directory == root.parent / "reports"
    assert settings.catalogs == (root / "a", root / "out" / "b")


def test_the_names_of_the_other_tool_win_over_its_file_and_lose_to_ours(root: Path, user: Path) -> None:
    write(root / ".ai-command-tool.json", commands_directory="file", cache_ttl_seconds=5)
    values = {"AICMD_COMMANDS_DIR": "theirs", "AICMD_REPORTS_DIR": "/r", "AICMD_CACHE_TTL": "7"}
    settings = load(root, {**values, "AICMD_REPORT_BASE_URL": "https://reports.example.com"}, user)
    assert settings.commands_directory == root / "theirs"
    assert settings.reports_directory == Path("/r")
    assert settings.cache_ttl_seconds == 7
    assert settings.report_link_base_url == "https://reports.example.com"
    assert load(root, {**values, "CN_COMMANDS_DIRECTORY": "ours"}, user).commands_directory == root / "ours"


def test_a_link_address_is_one_of_the_web(root: Path, user: Path) -> None:
    with pytest.raises(InputError, match="must be an http:// or https:// address"):
        load(root, {"AICMD_REPORT_BASE_URL": "javascript:alert(1)"}, user)


def test_a_clone_does_not_choose_what_runs_before_it_is_trusted(root: Path, user: Path) -> None:
    file = write(root / ".cn.json", node="bin/node", server="native")
    settings = load(root, {}, user)
    assert settings.node is None
    assert settings.server == "native"
    assert "cn trust" in settings.warnings[0]
    assert vouched(root)["trusted"] == [".cn.json"]
    settings = load(root, {}, user)
    assert settings.node == root / "bin" / "node"
    assert settings.warnings == []
    write(file, node="bin/other")
    assert load(root, {}, user).node is None


def test_a_choice_of_before_says_what_takes_its_place(root: Path, user: Path) -> None:
    with pytest.raises(InputError, match=r"must be one of auto, bundled \(.* runs after `cn trust`\)"):
        load(root, {"CN_TYPESCRIPT_SOURCE": "workspace"}, user)


def test_trust_is_taken_back(root: Path, user: Path) -> None:
    write(root / ".cn.json", node="/bin/node")
    vouched(root)
    assert revoked(root)["revoked"] == [".cn.json"]
    assert revoked(root)["revoked"] == []
    assert load(root, {}, user).node is None


def test_trust_holds_for_one_folder_only(root: Path, tmp_path: Path, user: Path) -> None:
    write(root / ".cn.json", node="/bin/node")
    vouched(root)
    (tmp_path / "copy").mkdir()
    write(tmp_path / "copy" / ".cn.json", node="/bin/node")
    assert load(tmp_path / "copy", {}, user).node is None


def test_a_root_without_settings_has_nothing_to_trust(root: Path) -> None:
    assert vouched(root)["trusted"] == []


def test_every_key_that_names_a_program_or_a_folder_wants_trust() -> None:
    kinds = typing.get_type_hints(Settings)
    for row in KEYS:
        free = not row.metadata["choices"]
        if free and kinds[row.name] in (Path | None, tuple[str, ...], tuple[Path, ...]):
            assert row.metadata["trusted"], row.name


def test_the_shipped_schema_is_up_to_date() -> None:
    golden.check(SCHEMA_FILE.name, json.dumps(schema(), indent=2) + "\n", SCHEMA_FILE.parent)


def test_the_defaults_fit_the_schema() -> None:
    values = {row.name: setting_values.json_schema(row)["default"] for row in KEYS}
    jsonschema.Draft202012Validator.check_schema(schema())
    jsonschema.validate(values, schema())


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3),
)
FILES = st.dictionaries(st.sampled_from([row.name for row in KEYS]) | st.text(max_size=8), VALUES, max_size=5)


@tuned(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(values=FILES)
def test_no_root_file_stops_the_daemon(root: Path, user: Path, values: dict[str, Any]) -> None:
    write(root / ".cn.json", **values)
    settings = load(root, {}, user)
    for row in KEYS:
        assert settings.sources[row.name] in ("default", ".cn.json")
        if row.metadata["trusted"] is True:
            assert settings.sources[row.name] == "default"


@tuned(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(values=FILES)
def test_the_users_file_and_the_schema_agree(root: Path, user: Path, values: dict[str, Any]) -> None:
    known = {name: value for name, value in values.items() if name in {row.name for row in KEYS}}
    try:
        load(root, {}, write(user, **known))
    except InputError:
        return
    jsonschema.validate(json.loads(user.read_text()), schema())


@given(row=st.sampled_from(KEYS), text=st.text(st.characters(exclude_characters="\0"), max_size=20))
def test_a_variable_is_a_value_or_a_clear_refusal(row: Any, text: str) -> None:
    variable = environment_names(row.name)[0]
    refusal = ""
    try:
        settings = load(Path("/nowhere"), {variable: text}, Path("/nowhere/config.json"))
        assert settings.sources[row.name] == (variable if text else "default")
    except InputError as error:
        refusal = error.message
    assert refusal == "" or refusal.startswith(f"{variable} must be ")


def test_a_record_that_another_user_planted_is_no_trust(
    root: Path, user: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(root / ".cn.json", node="/bin/node")
    vouched(root)
    mine = os.geteuid()
    assert load(root, {}, user).node is not None
    monkeypatch.setattr(os, "geteuid", lambda: mine + 1)
    assert load(root, {}, user).node is None


def test_a_home_that_cannot_be_written_to_does_not_stop_the_daemon(
    root: Path, user: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/proc/nowhere")
    write(root / ".cn.json", node="/bin/node", server="native")
    assert load(root, {}, user).server == "native"


def test_the_files_whose_edits_count_are_those_that_load_reads(root: Path, user: Path) -> None:
    write(root / ".cn.json", server="auto")
    named = module.files(root, user)
    assert str(user) in named
    assert str(root / ".cn.json") in named
