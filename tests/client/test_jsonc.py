"""Merging into other people's JSON: every byte that is not ours stays."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cn_client import jsonc

COMMENTED = """{
    // how we talk to others
    "mcpServers": {
        "other": { "command": "x", "args": ["//no comment"] }, /* keep */
    },
    "editor.fontSize": 13 // last
}
"""


def test_a_member_goes_behind_the_last_one() -> None:
    merged = jsonc.put(COMMENTED, ("mcpServers", "cn", "command"), "cn")
    assert merged == COMMENTED.replace(
        '["//no comment"] }, /* keep */',
        '["//no comment"] }, /* keep */\n        "cn": {\n            "command": "cn"\n        },',
    )
    assert jsonc.put(merged, ("mcpServers", "cn", "command"), "cn") == merged


def test_only_the_value_that_differs_is_replaced() -> None:
    text = '{"mcpServers": {"cn": {"command": "old", "env": {"A": "1"}, "args": []}}}'
    merged = jsonc.put(text, ("mcpServers", "cn", "command"), "cn")
    assert merged == text.replace('"old"', '"cn"')


@pytest.mark.parametrize(
    ("text", "merged"),
    [
        ("", '{\n  "a": {\n    "b": 1\n  }\n}\n'),
        ("  \n", '{\n  "a": {\n    "b": 1\n  }\n}\n'),
        ("{}", '{\n  "a": {\n    "b": 1\n  }\n}'),
        ('{"x": 1}', '{"x": 1,\n  "a": {\n    "b": 1\n  }}'),
        ('{\r\n\t"x": 1\r\n}', '{\r\n\t"x": 1,\r\n\t"a": {\r\n\t\t"b": 1\r\n\t}\r\n}'),
        ('\ufeff{"a": {}}', '\ufeff{"a": {\n    "b": 1\n  }}'),
        ("{ /* empty */ }", '{\n  /* empty */\n  "a": {\n    "b": 1\n  }\n}'),
        ("{ // empty\n}", '{\n  // empty\n  "a": {\n    "b": 1\n  }\n}'),
        ('{"x": 1, // one\n}', '{"x": 1, // one\n  "a": {\n    "b": 1\n  },\n}'),
    ],
)
def test_where_it_goes(text: str, merged: str) -> None:
    assert jsonc.put(text, ("a", "b"), 1) == merged
    assert jsonc.read(merged).value["a"] == {"b": 1}


@pytest.mark.parametrize(
    "text",
    ["[]", "{", '{"a" 1}', '{"a": 1 "b": 2}', "{} {}", '{"a": tru}', '{"a": 5}', "{'a': 1}", '{"a": [1 2]}', "{,}"],
)
def test_what_cannot_be_merged_into_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        jsonc.put(text, ("a", "b"), 1)


# `-` is the end of an array.
KEYS = st.text(max_size=4).filter(lambda key: key != "-")
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(KEYS, VALUES, max_size=4), st.sampled_from([None, 2, "\t"]), KEYS)
def test_all_else_stays(document: dict[str, object], indent: int | str | None, key: str) -> None:
    text = json.dumps(document, indent=indent, ensure_ascii=False)
    assert jsonc.read(text).value == document
    merged = jsonc.put(text, (key,), "ours")
    assert json.loads(merged) == {**document, key: "ours"}
    if key not in document:
        assert merged.replace("\n", "").startswith(text.replace("\n", "").rstrip("}").rstrip())


@given(
    st.dictionaries(st.text(max_size=4), VALUES, min_size=1, max_size=4), st.sampled_from([None, 2, "\t"]), st.data()
)
def test_removing_leaves_all_else(document: dict[str, object], indent: int | str | None, data: st.DataObject) -> None:
    text = json.dumps(document, indent=indent, ensure_ascii=False)
    key = data.draw(st.sampled_from(sorted(document)))
    left = jsonc.remove(text, (key,))
    assert json.loads(left) == {name: value for name, value in document.items() if name != key}
    assert jsonc.remove(left, (key,)) == left


@given(st.dictionaries(KEYS, VALUES, max_size=4), st.sampled_from([None, 2, "\t"]), KEYS)
def test_what_was_put_is_removed(document: dict[str, object], indent: int | str | None, key: str) -> None:
    text = json.dumps(document, indent=indent, ensure_ascii=False)
    if key not in document:
        assert json.loads(jsonc.remove(jsonc.put(text, (key, "a"), 1), (key, "a"))) == document


def test_removing_keeps_comments_and_the_array_of_others() -> None:
    merged = jsonc.put(COMMENTED, ("mcpServers", "cn", "command"), "cn")
    assert jsonc.remove(merged, ("mcpServers", "cn")) == COMMENTED
    text = '{"hooks": {"A": [\n  {"x": 1} // theirs\n]}}'
    added = jsonc.put(text, ("hooks", "A", "-"), {"y": 2})
    assert jsonc.read(added).value == {"hooks": {"A": [{"x": 1}, {"y": 2}]}}
    assert jsonc.remove(added, ("hooks", "A", "1")) == text
    assert jsonc.put("", ("hooks", "A", "-"), 1) == '{\n  "hooks": {\n    "A": [\n      1\n    ]\n  }\n}\n'
