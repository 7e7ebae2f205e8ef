"""A repository that names what lies outside has none of it shown: not by `find`, `inspect`, `hover`, nor by what the
compiler infers and complains about."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from cn_daemon.adapters.language_servers import sandbox
from cn_daemon.adapters.language_servers.languages import LANGUAGES
from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_daemon.adapters.language_servers.provisioning.programs import provision_program
from cn_daemon.settings import Settings
from cn_shared.errors import CnError, LanguageServerError
from cn_shared.wire import document
from tests.faults.workbench import Workbench
from tests.mcp.http import over_http
from tests.mcp.test_serve import TOKEN, served
from tests.server.desk import Desk

pytestmark = pytest.mark.server

# What a stranger must not see of the files outside; their names the repository knows anyway.
CANARY = "canary"
CODE = """\
/** The canary's documentation. */
export const canaryToken = "s3cr3t-canary" as const;
export class CanaryBase { canaryMember() { return canaryToken; } }
export default canaryToken;
"""
DATA = json.dumps(
    {"auths": {"canary.example": {"auth": "Y2FuYXJ5"}}, "compilerOptions": {"paths": {"canary-x": ["x"]}}}
)
OPTIONS = {"strict": True, "module": "esnext", "moduleResolution": "bundler", "types": [], "lib": ["es2022"],
           "resolveJsonModule": True}  # fmt: skip
# What the compiler would tell of a module that it has read.
USES = """
export const all = taken;
type Keys = keyof typeof taken;
export const keys: Keys = 0;
export class Own extends taken.CanaryBase {}
export function call() { return new taken.CanaryBase().canaryMember(); }
"""
Plot = Callable[[Path, Path], str]


def paths(clone: Path, secret: Path) -> str:
    return written(clone, f"import * as taken from '@x/{secret.name}';", {"paths": {"@x/*": [f"{secret.parent}/*"]}})


def base_url(clone: Path, secret: Path) -> str:
    return written(clone, f"import * as taken from 'home/{secret.name}';", {"baseUrl": str(secret.parent.parent)})


def root_dirs(clone: Path, secret: Path) -> str:
    return written(clone, f"import * as taken from './{secret.name}';", {"rootDirs": ["src", str(secret.parent)]})


def type_roots(clone: Path, secret: Path) -> str:
    code = f"import * as taken from '{secret}';"
    return written(clone, code, {"typeRoots": [str(secret.parent.parent)], "types": [secret.parent.name]})


def absolute(clone: Path, secret: Path) -> str:
    return written(clone, f"import * as taken from '{secret}';", {})


def relative(clone: Path, secret: Path) -> str:
    return written(clone, f"import * as taken from '{os.path.relpath(secret, clone / 'src')}';", {})


def required(clone: Path, secret: Path) -> str:
    return written(clone, f"import taken = require('{secret}');", {"module": "commonjs", "moduleResolution": "node10"})


def reference(clone: Path, secret: Path) -> str:
    return written(clone, f"/// <reference path='{secret}' />\nimport * as taken from '{secret}';", {})


def link(clone: Path, secret: Path) -> str:
    (clone / "src").mkdir(parents=True)
    (clone / "src" / f"linked-{secret.name}").symlink_to(secret)
    return written(clone, f"import * as taken from './linked-{secret.name}';", {})


def link_that_is_kept(clone: Path, secret: Path) -> str:
    (clone / "src").mkdir(parents=True)
    (clone / "src" / f"linked-{secret.name}").symlink_to(secret)
    return written(clone, f"import * as taken from './linked-{secret.name}';", {"preserveSymlinks": True})


def folder_link(clone: Path, secret: Path) -> str:
    clone.mkdir(parents=True)
    (clone / "linked").symlink_to(secret.parent)
    return written(clone, f"import * as taken from '../linked/{secret.name}';", {})


def package(clone: Path, secret: Path) -> str:
    (clone / "node_modules").mkdir(parents=True)
    (clone / "node_modules" / "x").symlink_to(secret.parent)
    return written(clone, f"import * as taken from 'x/{secret.name}';", {})


def manifest(clone: Path, secret: Path) -> str:
    folder = clone / "node_modules" / "x"
    folder.mkdir(parents=True)
    there = os.path.relpath(secret, folder)
    (folder / "package.json").write_text(json.dumps({"name": "x", "types": there, "main": there}))
    return written(clone, "import * as taken from 'x';", {"moduleResolution": "node10"})


def written(clone: Path, code: str, options: dict[str, object]) -> str:
    """The source that takes a module for itself, in a project of its own."""
    (clone / "src").mkdir(parents=True, exist_ok=True)
    (clone / "src" / "a.ts").write_text(code.replace(".ts'", "'") + USES)
    (clone / "tsconfig.json").write_text(json.dumps({"compilerOptions": OPTIONS | options, "include": ["src"]}))
    return f"{clone.name}/src/a.ts"


PLOTS = (paths, base_url, root_dirs, type_roots, absolute, relative, required, reference, link, link_that_is_kept,
         folder_link, package, manifest)  # fmt: skip


class Clone(Desk):
    """A workspace beside a home that holds what is nobody's business."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        super().__init__(folder / "work", settings)
        self.home = folder / "home"
        self.home.mkdir()
        (self.home / "secret.ts").write_text(CODE)
        (self.home / "secret.json").write_text(DATA)

    def told(self, verb: str, **parameters: object) -> str:
        """The whole answer, or the refusal."""
        try:
            if verb == "inspect":
                parameters["target_id"] = parameters.pop("query")
            answer = self.run(self.ask(verb, **parameters))
        except CnError as error:
            return json.dumps([error.message, error.hint, error.data])
        return json.dumps(document(answer))


UNCONFINED = pytest.mark.skipif(bool(sandbox.lacking()), reason=f"no sandbox here: {sandbox.lacking()}")
# tsserver keeps to what it may read by itself, all others by the sandbox.
SERVERS = {
    "tsserver alone": Settings(server="typescript", sandbox=False),
    "native": Settings(server="native"),
}


@pytest.fixture(scope="module", params=["tsserver alone", pytest.param("native", marks=UNCONFINED)])
def clone(
    request: pytest.FixtureRequest, toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Clone]:
    desk = Clone(tmp_path_factory.mktemp("clone").resolve(), SERVERS[request.param])
    yield desk
    assert desk.close() == []


@pytest.fixture(scope="module")
def native(toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Clone]:
    """Where the system has no sandbox it may read what it likes; none of it is shown as a place."""
    desk = Clone(tmp_path_factory.mktemp("native").resolve(), Settings(server="native", sandbox=False))
    yield desk
    assert desk.close() == []


def places(path: str, text: str) -> list[str]:
    """Every word of the code that stands for something outside."""
    wanted = ("all", "keys", "CanaryBase", "canaryMember")
    found = []
    for number, line in enumerate(text.split("\n"), start=1):
        for word in wanted:
            at = line.find(word)
            if at >= 0 and "reference" not in line:
                found.append(f"{path}:{number}:{at + 1}")
    return found


def elsewhere(clone: Clone, path: str, text: str) -> list[str]:
    """Where the words lead, what a class inherits, what a function calls."""
    told = [clone.told("find", query=place, mode="definition") for place in places(path, text)]
    return [*told, clone.told("types", query=f"{path}#Own"), clone.told("callees", query=f"{path}#call")]


def without_own_code(answer: str, text: str) -> str:
    """What is told beside lines of the asking file itself, which name what they import."""
    for line in sorted(text.split("\n"), key=len, reverse=True):
        if line.strip():
            answer = answer.replace(json.dumps(line.strip())[1:-1], "")
    for word in ("CanaryBase", "canaryMember"):
        answer = answer.replace(word, "")
    return answer.replace("secret.ts", "").replace("secret.json", "")


CASES = [
    *((plot, "secret.ts") for plot in PLOTS),
    *((plot, "secret.json") for plot in (paths, absolute, link, package)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("plot", "kind"), CASES, ids=lambda one: getattr(one, "__name__", one))
def test_no_answer_shows_what_only_the_repository_names(clone: Clone, plot: Plot, kind: str) -> None:
    path = plot(clone.root / f"{plot.__name__}-{kind[7:]}", clone.home / kind)
    text = (clone.root / path).read_text()
    told = [clone.told(verb, query=place) for place in places(path, text) for verb in ("hover", "inspect")]
    told += elsewhere(clone, path, text)
    told.append(clone.told("diagnostics", files=[path]))
    for one in told:
        assert CANARY not in without_own_code(one, text).lower()
    for target in (f"ref::{clone.home / kind}::2::14", f"{clone.home / kind}:canaryToken"):
        assert "outside the workspace" in clone.told("inspect", query=target)
    assert "outside the workspace" in clone.told("map", file_path=str(clone.home / kind))


@pytest.mark.parametrize("plot", [paths, absolute, folder_link, package, manifest], ids=lambda plot: plot.__name__)
def test_nor_is_a_place_shown_to_which_the_native_server_leads(native: Clone, plot: Plot) -> None:
    path = plot(native.root / plot.__name__, native.home / "secret.ts")
    text = (native.root / path).read_text()
    for one in elsewhere(native, path, text):
        assert CANARY not in without_own_code(one, text).lower()


def test_a_place_outside_is_told_with_the_reason(clone: Clone) -> None:
    path = relative(clone.root / "told", clone.home / "secret.ts")
    answer = clone.find(f"{path}:1:13", mode="definition")
    assert answer.completeness.status == "partial"
    assert "outside the workspace" in (answer.completeness.reason or "")


def test_a_tsconfig_that_extends_a_secret_is_told_nothing_of_it(clone: Clone) -> None:
    """What it names would be looked for as the workspace's own."""
    folder = clone.root / "extending"
    written(folder, "import * as taken from 'canary-x';", {})
    config = {"extends": str(clone.home / "secret.json"), "include": ["src"]}
    (folder / "tsconfig.json").write_text(json.dumps(config))
    clone.find("extending/src/a.ts:1:13")
    code = clone.services.code.built
    assert code is not None
    assert not any("canary" in path for path in code.words.packages().targets)
    assert "is not there" in code.words.packages().flaw(str(folder / "tsconfig.json"))


# By row of the table: what a clone brings, where `{home}` is the home, and the places that tell of it.
OTHERS = {
    "python": (
        {
            "pyproject.toml": """
                [tool.ty.environment]
                extra-paths = ["{home}"]
                """,
            "a.py": """
                import secret
                from secret import canary_token
                held = canary_token
                made = secret.CanaryClass()
                wrong: int = canary_token
                """,
        },
        ("a.py:3:1", "a.py:2:20", "a.py:4:1", "a.py:4:15", "a.py:1:8"),
    ),
    "c": (
        {
            "a.cpp": """
                #include "{home}/secret.h"
                #include "linked.h"
                auto held = &secretOf;
                auto made = canaryMacro;
                int wrong = made;
                """,
            "compile_flags.txt": "-include\n{home}/secret.h\n-I{home}\n",
        },
        ("a.cpp:3:6", "a.cpp:3:14", "a.cpp:4:6", "a.cpp:4:13"),
    ),
    "rust": (
        {
            "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
            "Cargo.lock": 'version = 3\n\n[[package]]\nname = "shop"\nversion = "0.1.0"\n',
            "src/lib.rs": """
                pub const HELD: &str = include_str!("{home}/secret.rs");
                #[path = "{home}/secret.rs"]
                pub mod secret;
                pub const MADE: &str = secret::TOKEN;
                """,
        },
        ("src/lib.rs:1:11", "src/lib.rs:3:9", "src/lib.rs:4:11", "src/lib.rs:4:32"),
    ),
}
SECRETS = {
    "secret.py": 'from typing import Literal\ncanary_token: Literal["s3cr3t-canary"] = "s3cr3t-canary"\n'
    'class CanaryClass:\n    """Of the canary."""\n    canary_member = 1\n',
    "secret.h": "struct S3cr3tCanary {}; S3cr3tCanary secretOf(int canaryParameter);\n"
    '#define canaryMacro "s3cr3t-canary"\nCanaryUnknown canaryBroken;\n',
    "secret.rs": 'pub const TOKEN: &str = "s3cr3t-canary";\n',
}


@UNCONFINED
@pytest.mark.parametrize("row", OTHERS)
def test_nor_do_the_servers_of_other_languages_tell_of_it(row: str, user_folders: Path, tmp_path: Path) -> None:
    clone = Clone(tmp_path.resolve(), Settings())
    try:
        _provisioned(row, clone.root)
        for name, text in SECRETS.items():
            (clone.home / name).write_text(text)
        files, asked = OTHERS[row]
        clone.write({path: text.replace("{home}", str(clone.home)) for path, text in files.items()})
        (clone.root / "linked.h").symlink_to(clone.home / "secret.h")
        source = next(path for path in files if path.endswith((".py", ".cpp", ".rs")))
        text = (clone.root / source).read_text()
        told = [clone.told(verb, query=place) for place in asked for verb in ("find", "hover")]
        told.append(clone.told("diagnostics", files=[source]))
        for one in told:
            answer = without_own_code(one, text)
            for word in ("canary_token", "CanaryClass", "canaryMacro"):
                answer = answer.replace(word, "")
            assert CANARY not in answer.lower(), one
    finally:
        assert clone.close() == []


def _provisioned(name: str, root: Path) -> None:
    row = next(one for one in LANGUAGES if one.name == name)
    try:
        asyncio.run(provision_program(row, root, Settings(), print, environ=os.environ))
    except LanguageServerError as error:
        pytest.skip(f"{error.message} {error.hint}")


def test_nor_is_it_shown_by_http_or_to_the_clients_of_cn_serve(toolchain: Toolchain, tmp_path: Path) -> None:
    bench = Workbench(tmp_path.resolve(), servers=True)
    home = tmp_path.resolve() / "home"
    home.mkdir()
    (home / "secret.ts").write_text(CODE)
    path = absolute(bench.root / "clone", home / "secret.ts")
    text = (bench.root / path).read_text()
    asked = [(verb, {key: place}) for place in places(path, text) for verb, key in _BY_NETWORK.items()]
    asked += [("inspect", {"targetId": f"ref::{home}/secret.ts::2::14"})]
    try:
        started = bench.start()
        with httpx.Client(
            base_url=f"http://127.0.0.1:{started.port}",
            headers={"Authorization": f"Bearer {started.token}"},
            timeout=60,
        ) as client:
            told = [client.post(f"/{verb}", json=sent).text for verb, sent in asked]

        async def talk(base: str) -> None:
            async with over_http(base, TOKEN) as client:
                for verb, sent in asked:
                    told.append((await client.call_tool(verb, sent)).model_dump_json())

        with served(bench, "--root", str(bench.root)) as base:
            asyncio.run(asyncio.wait_for(talk(base), 120))
    finally:
        bench.cn("stop")
    assert len(told) == 2 * len(asked)
    assert sum("outside the workspace" in one for one in told) >= 2
    for one in told:
        assert CANARY not in without_own_code(one, text).lower()


_BY_NETWORK = {"find": "query", "hover": "query", "inspect": "targetId"}
