"""No parameter of any verb that names a file leads out of the workspace, over HTTP and over what really answers."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from cn_daemon import bootstrap
from cn_daemon.interfaces.http import DaemonInfo, create_app
from cn_daemon.settings import Settings
from cn_shared.verbs import VERBS
from tests.fakes.door import PORT, TOKEN

CANARY = "canarycanary"
# Stands in for Climpt: prints the files that it is handed.
PRINT = "import sys\nfor word in sys.argv:\n if word.startswith('-f'): print(open(word[2:].lstrip('=')).read())"
DEEP = "../" * 12


def ways(outside: Path) -> list[str]:
    """How a file outside may be spelled."""
    plain = [
        *(
            "../secret.ts",
            f"src/../../{outside.name}",
            str(outside),
            f"/{outside}",
            f"{DEEP}{str(outside)[1:]}",
            "link.ts",
        ),
        *("folder/secret.ts", f"file://{outside}", "~/secret.ts", "/proc/self/environ", f"/proc/self/root{outside}"),
        *("/dev/stdin", "/dev/fd/0"),
    ]
    coded = [quote(one, safe="") for one in plain[:5]] + [quote(quote(plain[0], safe=""), safe="")]
    windows = [
        *("..\\secret.ts", "C:\\secret.ts", "C:/secret.ts", "\\\\?\\C:\\secret.ts", "\\\\host\\share\\secret.ts"),
        "..\\..\\secret.ts",
    ]
    odd = [
        *(
            "../secret.ts\0",
            "\0",
            "src/a.ts\0../../secret.ts",
            "../secret.ts/.",
            "....//secret.ts",
            "..%c0%afsecret.ts",
        ),
        *("．．/secret.ts", "../secret.ts ", " ../secret.ts", "../secret.ts\n", "..;/secret.ts"),
        "src/a.ts/../../../secret.ts",
    ]
    return [*plain, *coded, *windows, *odd]


class Asked:
    """The real services behind the door; no language server can start."""

    def __init__(self, folder: Path) -> None:
        self.outside = folder / "secret.ts"
        self.root = folder / "root"
        for name in ("src", ".claude/commands", ".agent/climpt", "x-reports"):
            (self.root / name).mkdir(parents=True)
        for file in (self.outside, folder / "secret.md", folder / "secret.ts.md"):
            file.write_text(f"---\ndescription: {CANARY}\n---\nexport const {CANARY} = 1;\n")
        (self.root / "src" / "a.ts").write_text("export const a = 1;\n")
        (self.root / "link.ts").symlink_to(self.outside)
        (self.root / "folder").symlink_to(folder)
        (self.root / ".claude" / "commands" / "leak.md").symlink_to(folder / "secret.md")
        (self.root / "x-reports" / "leak.md").symlink_to(folder / "secret.md")
        rows = [{"c1": "a", "c2": "b", "c3": "c", "description": "d"}]
        (self.root / ".agent" / "climpt" / "registry.json").write_text(json.dumps({"tools": {"commands": rows}}))
        chosen = Settings(
            server_command=("false",), climpt_command=(sys.executable, "-c", PRINT), reports_directory=self.root
        )
        self.services = bootstrap.Services(self.root, chosen, Path(os.devnull))
        info = DaemonInfo(self.root, 42, PORT, Path(os.devnull), Path(os.devnull))
        self.app = create_app(self.services, token=TOKEN, on_shutdown=lambda: None, info=info)
        self.runner = asyncio.Runner()

    def post(self, path: str, body: dict[str, Any]) -> httpx.Response:
        async def ask() -> httpx.Response:
            headers = {"Authorization": f"Bearer {TOKEN}", "Cn-Deadline": "2", "Cn-Cwd": quote(str(self.root))}
            async with httpx.AsyncClient(
                transport=httpx.ASGITransport(self.app), base_url=f"http://127.0.0.1:{PORT}"
            ) as client:
                return await client.post(path, json=body, headers=headers)

        return self.runner.run(ask())


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    asked = Asked(tmp_path_factory.mktemp("traversal").resolve())
    yield asked
    asked.runner.run(asked.services.close())
    asked.runner.close()


TEMPLATES = {
    "map": [("filePath", "{}")],
    "find": [("query", form) for form in ("{}:1:14", "ref::{}::1::14", "{}#canarycanary", "{}::canarycanary")],
    "inspect": [("targetId", form) for form in ("ref::{}::1::14", "{}:1:14", "{}#canarycanary")],
}


def bodies(verb: str, way: str) -> list[dict[str, Any]]:
    if verb in TEMPLATES:
        return [{name: template.format(way)} for name, template in TEMPLATES[verb]]
    row = next(one for one in VERBS if one.name == verb)
    given: dict[str, Any] = {}
    for item in row.parameters:
        if item.positional and not item.optional and item.kind in ("string", "file"):
            given[item.name] = way
    if verb == "execute":
        named = {"c1": "a", "c2": "b", "c3": "c"}
        return [
            given,
            {**named, "file": way},
            {**named, "options": [f"-f{way}"]},
            {**named, "options": ["--from", way]},
        ]
    return [given]


NAMING = ["map", "find", "inspect", "get", "invoke", "execute", "reports show", "reports link"]


@pytest.mark.parametrize("verb", NAMING)
def test_no_spelling_of_a_path_leads_outside(asked: Asked, verb: str) -> None:
    path = next(row.path for row in VERBS if row.name == verb)
    for way in ways(asked.outside):
        for body in bodies(verb, way):
            reply = asked.post(path, body)
            assert reply.status_code != 500, (body, reply.text)
            told = (
                reply.text.replace(json.dumps(way)[1:-1], "").replace("#canarycanary", "").replace("::canarycanary", "")
            )
            assert f"const {CANARY}" not in told, body
            assert f"description: {CANARY}" not in told, body


def test_a_path_inside_is_read(asked: Asked) -> None:
    """So that the others mean something."""
    named = {"c1": "a", "c2": "b", "c3": "c"}
    for more in ({"file": "src/a.ts"}, {"options": ["-fsrc/a.ts"]}):
        assert "export const a = 1" in asked.post("/execute", {**named, **more}).text
    error = asked.post("/map", {"filePath": "src/a.ts"}).json().get("error", {"code": "none"})
    assert error["code"] not in ("outside_root", "file_not_found")


@pytest.mark.parametrize(("path", "body"), [("/search", {"query": CANARY}), ("/reports/search", {"query": CANARY})])
def test_no_library_follows_a_link_out(asked: Asked, path: str, body: dict[str, Any]) -> None:
    assert CANARY not in asked.post(path, body).text.replace(f'"{CANARY}"', "")
