from __future__ import annotations

import ast
import warnings

import pytest

from cn_daemon.domain.declarations.plain_blocks import _unindented
from cn_daemon.domain.mentions.python_origins import ANYTHING, PythonOrigins
from cn_daemon.domain.mentions.python_text import PythonText
from cn_daemon.domain.mentions.python_types import PythonTypes
from cn_daemon.domain.source import python_parser
from cn_daemon.domain.source.text import Document

TOO_DEEP = f"x = {'-' * 20_000}1"
FAULTS = ["x = (", "\0", "x = '\ud800'", TOO_DEEP, f"x = {'(' * 300}{')' * 300}", f"x = {'not ' * 6000}1", "x = 1" * 2]


@pytest.mark.parametrize("text", FAULTS, ids=range(len(FAULTS)))
def test_what_a_text_causes_is_no_error(text: str) -> None:
    assert python_parser.module(text) is None
    assert python_parser.expression(text) is None
    assert python_parser.string(text) is None
    assert python_parser.module("x = 1") is not None


@pytest.mark.parametrize("error", [SystemError("AST constructor recursion depth mismatch"), RecursionError()])
def test_what_the_parser_takes_another_texts_depth_for_is_parsed_anew(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """gh-106905, of CPython before 3.11.9: Debian 12 has 3.11.2."""
    parse, failing = ast.parse, [error]

    def once_wrong(*given: object, **more: object) -> ast.AST:
        if failing:
            raise failing.pop()
        return parse(*given, **more)  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(ast, "parse", once_wrong)
    assert python_parser.module("x = 1") is not None
    assert not failing


def test_a_texts_odd_escapes_are_no_warnings_of_the_daemon() -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert python_parser.module(r"x = '\d'") is not None
    assert told == []


def test_a_docstring_that_is_no_literal_is_told_as_it_stands() -> None:
    assert _unindented('"""a\\n b"""') == "a\nb"
    assert _unindented('"""a\\N{no such}"""') == "a\\N{no such}"
    assert _unindented('b"a"') == 'b"a'


def test_strings_that_stand_for_types_may_be_anything() -> None:
    texts = ["a\\0", f"{'-' * 20_000}1", "Callable[[A], B]", "("]
    text = "".join(f'def f{at}(one: "{one}"):\n    one.go\n' for at, one in enumerate(texts))
    document = Document("/w/a.py", text)
    types = document.once(PythonTypes)
    assert [types.called_with(one) for one in types.functions] == [(), (), ("A",), ()]
    origins = document.once(PythonOrigins)
    places = [at for at in range(len(text)) if text.startswith("go", at)]
    assert [origins.receiver(place, lambda _: False) for place in places] == [ANYTHING] * 4


def test_a_chain_of_hundreds_of_calls_is_read() -> None:
    text = f"def test(one):\n    one{'.then()' * 600}.go()\n"
    document = Document("/w/a.py", text)
    assert document.once(PythonText).tree is not None
    assert document.once(PythonTypes).raises == []
    assert document.once(PythonOrigins).receiver(text.index("go"), lambda _: False) == ANYTHING
