"""Which names agents grep for: command lines as they write them, and what is none of cn's business."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cn_shared.grepping import MOST, names

COMMANDS = {
    'grep -rn "compose" src': ["compose"],
    'grep -rn "compose" src/ --include="*.ts"': ["compose"],
    "grep -rn compose .": ["compose"],
    'grep -rnw "compose" src tests': ["compose"],
    'grep -rn "class Hono\\b" src': ["Hono"],
    'grep -rn "export class Hono" src | head -20': ["Hono"],
    'grep -rnE "(export|import).*compose" src': ["compose"],
    'grep -rn "compose\\|HonoBase" src': ["compose", "HonoBase"],
    'grep -rnE "compose|HonoBase|getPath|mergePath" src': ["compose", "HonoBase", "getPath"],
    "grep -rn 'new Hono(' src": ["Hono"],
    "grep -rn 'compose(' src --include=*.ts --include=*.tsx": ["compose"],
    "grep -n 'handleRequest' src/app.ts": ["handleRequest"],
    "grep -l 'useState<' -r src": ["useState"],
    "grep -c 'describeRoute' src/index.tsx": ["describeRoute"],
    "grep -A 5 -B2 'function refuse' src/checkout.ts": ["refuse"],
    "grep -rn --exclude-dir=node_modules 'interface Store' .": ["Store"],
    "grep -rne fooBar -e bazQux .": ["fooBar", "bazQux"],
    "grep --regexp=fooBar -r .": ["fooBar"],
    "grep -R -i --color=never isAdmin ./src 2>/dev/null": ["isAdmin"],
    "egrep -rn 'type (Role|OrderStatus)' src": ["Role", "OrderStatus"],
    "fgrep -rn 'Order.advance' src": ["Order.advance"],
    "git grep -n isAdmin": ["isAdmin"],
    "git grep -n 'isAdmin' -- '*.ts'": ["isAdmin"],
    "rg compose": ["compose"],
    "rg -n 'compose' src": ["compose"],
    'rg -n "compose|HonoBase" --type ts': ["compose", "HonoBase"],
    "rg -n -t ts 'function\\s+compose'": ["compose"],
    "rg -tts 'compose' -g '!**/*.test.ts'": ["compose"],
    "rg -A 3 'class MemoryStore' src -g '*.ts'": ["MemoryStore"],
    "rg --files-with-matches '\\bMemoryStore\\b'": ["MemoryStore"],
    "rg -nU 'export (async )?function handler'": ["handler"],
    "rg '^export const isAdmin' src": ["isAdmin"],
    "rg -F 'store.put' src": ["store.put"],
    "rg '\\.advance\\(' src test": ["advance"],
    "rg 'def make_app' app.py tests/": ["make_app"],
    "rg -n 'func (s \\*Server) Listen' .": [],
    "rg 'fn parse_args' -g '*.rs'": ["parse_args"],
    "cd packages/zod && rg -n 'ZodString' src": ["ZodString"],
    "cd a; grep -rn fooBar .; grep -rn bazQux .": ["fooBar", "bazQux"],
    "LC_ALL=C grep -rn fooBar src": ["fooBar"],
    "time rg fooBar": ["fooBar"],
    "find . -name '*.ts' | xargs grep -n 'Router'": ["Router"],
    "find src -name '*.ts' -print0 | xargs -0 grep -ln 'Router'": ["Router"],
    "/usr/bin/grep -rn fooBar lib": ["fooBar"],
    "grep -rn \\\n  fooBar src": ["fooBar"],
    "grep -rn 'fooBar' src && echo yes || echo no": ["fooBar"],
    "grep -rn 'fooBar' src > out.txt": ["fooBar"],
    "ack fooBar src": ["fooBar"],
    "ag -l fooBar": ["fooBar"],
    "rg -n '\\b(Admin|isAdmin)\\b|(?:get|set)Header|get(Path|Query)' src": ["Admin", "isAdmin"],
}
NOTHING = [
    "", "ls -la", "cat src/user.ts | grep Admin", "git log --oneline | grep fix", "ps aux | grep node",
    "npm test 2>&1 | grep -i fail | head", "grep -rn 'TODO fix this' src", "grep -rn 'not found' .",
    "grep -n version package.json", "grep fooBar README.md CHANGELOG.md", "rg -g '*.md' fooBar",
    "grep -rn --include=*.json fooBar .", "grep 'it(' a.test.ts", "rg '\\d+'", "grep -rn 'my-package' .",
    "grep -rn 'unterminated", "grep", "rg", "grep -e", "grep -rn -- '--flag' .", "sed -n 1,20p src/a.ts",
    "echo 'grep fooBar'", "rg 'import|export|const'", "grep -rn '@scope/name' .", "grep 'x' <<< \"$y\"",
]  # fmt: skip


def test_fifty_greps_as_agents_write_them() -> None:
    assert len(COMMANDS) == 50
    assert {command: names({"command": command}) for command in COMMANDS} == COMMANDS


@pytest.mark.parametrize("command", NOTHING)
def test_what_is_no_search_for_a_symbol(command: str) -> None:
    assert names({"command": command}) == []


def test_other_tools() -> None:
    assert names({"pattern": "class Hono|compose", "path": "/w/src"}) == ["Hono", "compose"]
    assert names({"pattern": "compose", "glob": "*.{ts,tsx}"}) == ["compose"]
    assert names({"pattern": "compose", "glob": "*.md"}) == []
    assert names({"pattern": "compose", "path": "docs/a.md"}) == []
    assert names({"command": ["bash", "-lc", "rg compose src"]}) == ["compose"]
    assert names({"cmd": "rg compose src"}) == ["compose"]
    assert names({"pattern": "(" + "|" * 100_000}) == []
    for odd in ({}, {"command": 5}, {"pattern": None}, {"command": []}, {"file_path": "a.ts"}):
        assert names(odd) == []


@given(st.text(st.sampled_from("grep -rne|\\\"'()[]{}<>&;*.^$ \n\tabcFoo_=/é"), max_size=60))
def test_no_command_line_is_too_odd(command: str) -> None:
    for tool in ({"command": f"grep -rn {command}"}, {"command": command}, {"pattern": command}):
        found = names(tool)
        assert len(found) <= MOST
        assert all(name.replace("$", "_").replace("#", "").replace(".", "").isidentifier() for name in found)
