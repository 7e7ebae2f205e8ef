"""What a developer would call the block: the cases of DESIGN's "Blocks", in texts whose syntax is read for real."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import Iterator
from typing import Any, cast

import pytest

from cn_daemon.adapters.compilers.bindings import Bindings
from cn_daemon.adapters.compilers.syntax import Syntax
from cn_daemon.adapters.language_servers.provisioning import Toolchain
from cn_daemon.application.hard_texts import HardTexts
from cn_daemon.domain.declarations import blocks
from cn_daemon.domain.declarations.heads import declaration_at
from cn_daemon.domain.declarations.outline import Declaration, flatten
from cn_daemon.domain.declarations.signatures import signature
from cn_daemon.domain.source.comments import documentation
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document, Lines, Position, Span
from tests.conftest import ROOT


class Form:
    """The process of the bindings, as far as it tells the form of a text."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._server = Syntax(cast(Bindings, self), HardTexts())

    async def formed(self, method: str, texts: list[dict[str, Any]], deadline: float) -> list[Any]:
        assert self._process.stdin
        assert self._process.stdout
        found = []
        for one in texts:
            print(json.dumps({"method": method, **one}), file=self._process.stdin, flush=True)
            found.append(json.loads(self._process.stdout.readline()))
        return found

    def outline(self, source: Document) -> list[Declaration]:
        return asyncio.run(self._server.outlines([source], 0.0))[source.path]

    def named(self, source: Document) -> dict[str, Declaration]:
        return {one.name: one for one in flatten(self.outline(source))}

    def block(self, source: Document, at: str | Position) -> tuple[Lines, Declaration | None]:
        """The block around a place, or where the text `at` begins."""
        place = span(source, at).start if isinstance(at, str) else at
        around = asyncio.run(self._server.around(source, place, 0.0))
        return blocks.enclosing_block(source, self.outline(source), place, around)


@pytest.fixture(scope="module")
def form(toolchain: Toolchain) -> Iterator[Form]:
    command = [toolchain.node, ROOT / "tests" / "domain" / "form.mjs", toolchain.tsserver.parent.parent]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield Form(process)
        process.communicate()


def document(text: str, path: str = "/w/a.ts") -> Document:
    return Document(path, text.strip("\n") + "\n")


def span(source: Document, text: str) -> Span:
    whole = SourceText(source)
    start = whole.text.index(text)
    return whole.span(start, start + len(text))


def test_a_declaration_has_its_decorators_and_its_comment(form: Form) -> None:
    source = document(
        """
const before = 1; // not this

/** Words.
 * More. */
// and this
@decorated
export class User {
  /* inside */ rename() {}
}
"""
    )
    user = form.named(source)["User"]
    assert blocks.block_lines(source, user) == Lines(3, 9)
    assert documentation(source, user.span.start.line) == "Words.\nMore.\nand this"


def test_a_comment_behind_code_or_a_blank_line_is_not_the_declarations(form: Form) -> None:
    source = document(
        "const a = 1; /* x */\nfunction f() {}\n// far\n\nfunction g() {}\n/// <reference/>\nfunction h() {}"
    )
    assert [blocks.block_lines(source, form.named(source)[name]).first for name in "fgh"] == [2, 5, 7]


def test_a_variable_has_its_statement(form: Form) -> None:
    source = document("// note\nexport const\n  a = () => {\n    const c = 1;\n  },\n  b = 2;")
    named = form.named(source)
    assert [blocks.block_lines(source, named[name]) for name in "abc"] == [Lines(1, 6), Lines(1, 6), Lines(4, 4)]


def test_a_variable_has_the_statement_that_its_pattern_stands_in(form: Form) -> None:
    source = document(
        "// note\nconst {\n  aa,\n  deep: [bb],\n} = read({ a: 1 },\n  2)\n"
        "const [cc, dd] =\n  x\n    .y\nlet ee = 1\n;(z)()"
    )
    named = form.named(source)
    lines = [blocks.block_lines(source, named[name]) for name in ("aa", "bb", "cc", "dd", "ee")]
    assert lines == [Lines(1, 6), Lines(1, 6), Lines(7, 9), Lines(7, 9), Lines(10, 10)]


@pytest.mark.parametrize(
    ("character", "name"), [(0, "User"), (1, "User"), (8, "User"), (14, "User"), (18, "User"), (19, None)]
)
def test_the_head_of_a_declaration(form: Form, character: int, name: str | None) -> None:
    source = document("export class User {\n  name = 1;\n}")
    found = declaration_at(form.outline(source), Position(1, character))
    assert (found.name if found else None) == name


def test_a_name_within_another_ones_head_wins(form: Form) -> None:
    source = document("const f = a || class Inner {};")
    found = declaration_at(form.outline(source), Position(1, 22))
    assert found is not None
    assert found.name == "Inner"


METHODS = """
class User {
  field = [
    1,
  ];

  /** Renames. */
  rename(name: string) {
    if (name) {
      this.name = name;
    }
  }
}
"""


def test_inside_a_body_it_is_the_method_not_the_if(form: Form) -> None:
    assert form.block(document(METHODS), "this.name")[0] == Lines(6, 11)


def test_inside_a_field_it_is_the_field_not_the_class(form: Form) -> None:
    assert form.block(document(METHODS), "1,")[0] == Lines(2, 4)


def test_a_short_class_is_the_block_of_what_lies_between_its_members(form: Form) -> None:
    assert form.block(document(METHODS), Position(5, 1))[0] == Lines(1, 12)


def test_a_long_function_gives_its_nearest_callback_then_its_nearest_fold(form: Form) -> None:
    filler = "".join(f"  step{number}();\n" for number in range(100))
    callback = "(error) => {\n    report(error);\n    retry();\n  }"
    condition = "{\n    one();\n    two();\n  }"
    source = document(f"function long() {{\n{filler}  on('😀', {callback});\n  if (x) {condition}\n}}")
    assert form.block(source, "retry")[0] == Lines(102, 105)
    assert form.block(source, "one")[0] == Lines(106, 109)
    assert form.block(source, "step7()")[0] == Lines(1, 110)


def test_lines_end_as_they_do_in_windows(form: Form) -> None:
    filler = "".join(f"  step{number}();\r\n" for number in range(100))
    source = Document("/w/a.ts", f"function long() {{\r\n{filler}  on(() => {{\r\n    go();\r\n  }});\r\n}}\r\n")
    assert form.block(source, Position(103, 5))[0] == Lines(102, 104)


@pytest.mark.parametrize(
    ("before", "behind"), [("when(a as ", ")"), ("when<", ">(a)"), ("const one: A | ", " = a"), ("let one: ", " = a")]
)
def test_a_functions_type_was_taken_for_a_callback(form: Form, before: str, behind: str) -> None:
    filler = "".join(f"    step{number}();\n" for number in range(100))
    written = "(\n      one: B,\n    ) => C"
    callback = f"() => {{\n    {before}{written}{behind};\n    end();\n  }}"
    source = document(f"function long() {{\n{filler}  on({callback});\n}}")
    assert form.block(source, "B,")[0] == Lines(102, 107)


def test_a_statement_at_the_top_is_whole_with_its_comment(form: Form) -> None:
    source = document("import a from 'a';\n\n// go\nit('works', () => {\n  expect(a);\n});\n\nit('b');")
    assert form.block(source, "expect")[0] == Lines(3, 6)


def test_a_statement_at_the_top_that_is_too_long_with_its_comment_is_none(form: Form) -> None:
    body = "() => {\n" + "  expect(a);\n" * 77 + "}"
    source = document(f"/**\n * Words.\n */\ndescribe('it', {body});\n")
    assert form.block(source, "expect(a)")[0] == Lines(4, 82)


def test_braces_that_stand_alone_are_the_statement(form: Form) -> None:
    source = document("a();\n\n// Alone.\n{\n  const made = make();\n  made.run(\n    made,\n  );\n}\n\nb();\n")
    assert form.block(source, "made,")[0] == Lines(3, 9)


def test_imports_are_one_fold_and_a_comment_another_and_a_list_of_several_lines_one_of_its_own(form: Form) -> None:
    source = document("import a from 'a';\nimport b from 'b';\nimport {\n  c,\n} from 'c';\n\n/*\n long\n*/\n\nx();")
    assert form.block(source, "a from")[0] == Lines(1, 5)
    assert form.block(source, "c,")[0] == Lines(3, 5)
    assert form.block(source, "long")[0] == Lines(7, 9)
    assert form.block(source, "x()")[0] == Lines(11, 11)


def test_a_member_of_a_namespace_is_a_block_of_its_own(form: Form) -> None:
    source = document("namespace A {\n  export const b = [\n    1,\n  ];\n}")
    assert form.block(source, "1,")[0] == Lines(2, 4)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("export async function f<T>(a: { b: T }): Promise<{ c: 1 }> {\n  return x;\n}",
         "export async function f<T>(a: { b: T }): Promise<{ c: 1 }>"),
        ("declare function f(a: string): void;", "declare function f(a: string): void"),
        ("@dec({ a: 1 })\nclass A extends B<{ c: 1 }> {\n  x = 1;\n}", "@dec({ a: 1 }) class A extends B<{ c: 1 }>"),
        ("interface A<T = {}> {\n  x: T;\n}", "interface A<T = {}>"),
        ("type A = { a: 1 } | { b: 2 };", "type A = { a: 1 } | { b: 2 }"),
        ("enum A { B, C = 2 }", "enum A"),
        ("export const f = (a: string): number => {\n  return 1;\n};", "export const f = (a: string): number"),
        ("const f = async function* (a) {};", "const f = async function* (a)"),
        ("const limit = 100;", "const limit = 100"),
        ("const limit: number = compute({ a: 1 });", "const limit: number"),
        ("const table = {\n  a: 1,\n};", "const table"),
        ("namespace A.B { export const c = 1; }", "namespace A.B"),
    ],
)  # fmt: skip
def test_a_signature_is_the_declaration_without_its_body(form: Form, text: str, told: str) -> None:
    source = document(text)
    assert signature(SourceText(source), form.outline(source)[0]) == told


def test_a_local_behind_other_code_is_not_the_block_of_that_code(form: Form) -> None:
    source = document("function f(a) {\n  if (a) { const b = 1; }\n  return g({ title: a });\n}")
    roots = form.outline(source)
    assert declaration_at(roots, Position(2, 7)) is None
    assert declaration_at(roots, Position(3, 10)) is None
    told = declaration_at(roots, Position(2, 13))
    assert told is not None
    assert told.name == "b"


def test_a_callback_may_have_its_parameters_on_lines_of_their_own(form: Form) -> None:
    callback = "(\n  one: (x: number) => void,\n  two: string,\n): Promise<void> => {\n  done();\n}"
    arguments = "\n  a +\n  b\n"
    filler = "".join(f"  a{number}();\n" for number in range(90))
    source = document(f"function long() {{\n  run({callback});\n  run({arguments});\n{filler}}}")
    assert form.block(source, "done()")[0] == Lines(2, 7)
    assert form.block(source, "a +")[0] == Lines(8, 11)


def test_a_callback_of_one_line_is_not_made_longer_by_the_lines_of_its_list(form: Form) -> None:
    callback = "() => {\n  const known = when(\n    (one) => one === null\n  );\n  two();\n}"
    filler = "".join(f"  a{number}();\n" for number in range(90))
    source = document(f"function long() {{\n  run({callback});\n{filler}}}")
    assert form.block(source, "one === null")[0] == Lines(2, 7)


def test_a_place_in_a_parameter_that_is_a_property_lies_in_the_constructor(form: Form) -> None:
    source = document("class User {\n  constructor(@inject(Key) public key: Key) {\n    log(key);\n  }\n}")
    assert form.block(source, "Key)")[0] == Lines(2, 4)


def test_a_statement_is_not_the_file_whose_first_line_is_a_comment(form: Form) -> None:
    source = document('// @ts-ignore\nimport a from "a";\n\ntest("x", () => {\n  a();\n});')
    assert form.block(source, "a();")[0] == Lines(4, 6)


def test_a_list_of_arguments_that_begins_with_a_callback_is_none(form: Form) -> None:
    callback = "() =>\n    render(() => one, {\n      two: three,\n    })"
    filler = "".join(f"  a{number}();\n" for number in range(90))
    source = document(f"function long() {{\n  expect({callback});\n{filler}}}")
    assert form.block(source, "one")[0] == Lines(2, 5)


def test_comments_of_both_forms_adjoin_and_a_member_within_a_line_has_none(form: Form) -> None:
    source = document("type A = {\n  // /** was */\n  /** is */\n  a: 1\n};\n/** Words. */\ntype B = { b: 1 };")
    a, b = form.outline(source)
    assert blocks.block_lines(source, a.children[0]) == Lines(2, 4)
    assert blocks.block_lines(source, b) == Lines(6, 7)
    assert blocks.block_lines(source, b.children[0]) == Lines(7, 7)


def test_a_comment_begins_above_an_opening_that_it_speaks_of(form: Form) -> None:
    source = document("const a = 'b/*';\n/*\n/**\n * Words.\n */\ninterface A {}")
    assert blocks.block_lines(source, form.named(source)["A"]) == Lines(2, 6)


def test_a_comment_on_the_line_of_a_function_parts_it_from_none_above(form: Form) -> None:
    source = document("/** Words. */\n/** @internal *//* c */ function f() {}\n// of A\na(/* b */ function g() {});")
    named = form.named(source)
    assert blocks.block_lines(source, named["f"]) == Lines(1, 2)
    assert blocks.block_lines(source, named["g"]) == Lines(4, 4)


def test_what_is_caught_is_no_part_of_the_statement_above(form: Form) -> None:
    source = document("let before = '*/*'\ntry {\n  go()\n} catch (error) {\n  stop()\n}")
    error = form.named(source)["error"]
    assert blocks.block_lines(source, error) == Lines(4, 4)
    assert blocks.commented_at(source, [error], Position(3, 3)) is None
    assert error.local


def test_a_file_of_one_statement_may_be_called_at_once(form: Form) -> None:
    source = document("(function (root) {\n  root.a = 1;\n})(window, function () {\n});\n// end\n")
    assert form.block(source, "root.a")[0] == Lines(1, 4)
    two = document("import a from 'a';\n\ntest(() => {\n  a();\n});\n\n// test(() => {\n// });\n")
    assert form.block(two, "a();")[0] == Lines(3, 5)


def test_a_list_is_no_function_though_it_begins_with_one(form: Form) -> None:
    callback = "async () => {\n  function inner() {\n    one();\n  }\n  two();\n}"
    source = document(f"test('x', {callback});\ntest('y');")
    filler = "".join(f"  a{number}();\n" for number in range(90))
    assert form.block(source, "two()")[0] == Lines(1, 6)
    long = document(f"describe(() => {{\n{filler}test('x', {callback});\n}});")
    assert form.block(long, "two()")[0] == Lines(92, 97)


def test_a_function_in_a_value_without_a_name_is_a_block_of_its_own(form: Form) -> None:
    inner = "/** Words. */\n  function inner(a) {\n    one();\n  }"
    source = document(f"export default () => {{\n  {inner}\n  return inner;\n}};")
    shown, found = form.block(source, "one")
    assert shown == Lines(2, 5)
    assert found is not None
    assert (found.kind, found.name, found.position) == ("Function", "inner", Position(3, 12))


def test_a_field_of_a_class_in_an_expression_is_a_block_of_its_own(form: Form) -> None:
    source = document(
        "function f() {\n  return class Inner extends make(given) {\n    made = [\n      1,\n    ]\n  }\n}"
    )
    assert form.block(source, "given")[0] == Lines(2, 6)
    assert form.block(source, "1,")[0] == Lines(3, 5)


def test_a_comment_may_speak_of_another_one(form: Form) -> None:
    source = document("a(); /* not\n this */\nfunction f() {}\n/**\n * app.get('/*', handler)\n */\nfunction g() {}")
    named = form.named(source)
    assert [blocks.block_lines(source, named[name]) for name in "fg"] == [Lines(3, 3), Lines(4, 7)]


@pytest.mark.parametrize(
    ("head", "shown"),
    [
        ("proxy.map =", Lines(2, 4)),
        ("proxy[0] =", Lines(2, 4)),
        ("const map =", Lines(1, 5)),
        ("const map: typed.Map =", Lines(1, 5)),
    ],
)
def test_a_named_function_that_a_member_was_assigned_was_not_its_own_block(form: Form, head: str, shown: Lines) -> None:
    source = document(f"function outer(proxy) {{\n  {head} function named() {{\n    return 1;\n  }};\n}}")
    assert form.block(source, "return 1")[0] == shown


def test_what_a_script_declares_by_assigning_a_named_function_is_whole(form: Form) -> None:
    text = "function Store() {}\n// Words.\nStore.prototype.show = function show() {\n  return 1;\n};\n"
    assert form.block(document(text, path="/work/store.js"), "return 1")[0] == Lines(2, 5)


def test_a_value_was_taken_for_the_head_of_the_next_variable(form: Form) -> None:
    source = document("function mix(b, d) {\n  let a = b,\n    c = d, e = a;\n  return c;\n}")
    for at, name in (("b,", None), ("d, e", None), ("e = a", "e"), ("let a", "a")):
        found = declaration_at(form.outline(source), span(source, at).start)
        assert (found and found.name) == name


def test_a_head_of_many_lines_stands_on_one(form: Form) -> None:
    """In the preview of a declaration it broke off in its midst."""
    source = document(
        "export function far(\n  first: A,\n  second: B,\n): C {}\nexport class B<\n  T,\n> extends C<T> {}"
    )
    far, b = form.outline(source)
    assert signature(SourceText(source), far) == "export function far( first: A, second: B, ): C"
    assert signature(SourceText(source), b) == "export class B< T, > extends C<T>"
