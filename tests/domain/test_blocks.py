"""What a developer would call the block: the cases of DESIGN's "Blocks", without a server."""

from __future__ import annotations

import pytest

from cn_daemon.domain.declarations import blocks
from cn_daemon.domain.declarations.blocks import Fold
from cn_daemon.domain.declarations.heads import declaration_at
from cn_daemon.domain.declarations.outline import Declaration, flatten
from cn_daemon.domain.declarations.signatures import signature
from cn_daemon.domain.source.comments import documentation
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Document, Lines, Position, Span
from tests.domain.sources import document, item, outline


def span(source: Document, text: str) -> Span:
    whole = SourceText(source)
    start = whole.text.index(text)
    return whole.span(start, start + len(text))


def whole(source: Document, declaration: Declaration) -> str:
    lines = blocks.whole(SourceText(source), declaration)
    return "\n".join(source.lines[lines.first - 1 : lines.last])


def block(
    source: Document,
    roots: list[Declaration],
    at: str,
    folds: tuple[Fold, ...] = (),
    nesting: tuple[str, ...] = (),
) -> Lines:
    """The block around the place where the text `at` begins."""
    place = span(source, at).start
    spans = [span(source, text) for text in nesting]
    return blocks.enclosing_block(SourceText(source), roots, place, folds, spans)[0]


def test_a_declaration_has_its_decorators_and_its_comment() -> None:
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
    text = "@decorated\nexport class User {\n  /* inside */ rename() {}\n}"
    (user,) = outline(source, item(source, "User", "Class", text))
    assert blocks.whole(SourceText(source), user) == Lines(3, 9)
    assert documentation(source, user.span.start.line) == "Words.\nMore.\nand this"


def test_a_comment_behind_code_or_a_blank_line_is_not_the_declarations() -> None:
    source = document(
        "const a = 1; /* x */\nfunction f() {}\n// far\n\nfunction g() {}\n/// <reference/>\nfunction h() {}"
    )
    roots = outline(source, *(item(source, name, "Function", f"function {name}() {{}}") for name in "fgh"))
    assert [blocks.whole(SourceText(source), one).first for one in roots] == [2, 5, 7]


def test_a_constant_has_its_statement() -> None:
    source = document("// note\nexport const\n  a = () =>\n    1,\n  b = 2;")
    a, b = outline(source, item(source, "a", "Constant", "a = () =>\n    1"), item(source, "b", "Constant", "b = 2"))
    assert blocks.whole(SourceText(source), a) == blocks.whole(SourceText(source), b) == Lines(1, 5)


@pytest.mark.parametrize(
    ("character", "name"), [(0, "User"), (1, "User"), (8, "User"), (14, "User"), (18, "User"), (19, None)]
)
def test_the_head_of_a_declaration(character: int, name: str | None) -> None:
    source = document("export class User {\n  name = 1;\n}")
    text = source.text.strip()
    roots = outline(
        source, item(source, "User", "Class", text, children=(item(source, "name", "Property", "name = 1;"),))
    )
    found = declaration_at(roots, Position(1, character))
    assert (found.name if found else None) == name


def test_a_name_within_another_ones_head_wins() -> None:
    source = document("function f(a = class Inner {}) {}")
    text = source.text.strip()
    roots = outline(
        source, item(source, "f", "Function", text, children=(item(source, "Inner", "Class", "class Inner {}"),))
    )
    found = declaration_at(roots, Position(1, 22))
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


def user(source: Document) -> list[Declaration]:
    rename = "rename(name: string) {\n    if (name) {\n      this.name = name;\n    }\n  }"
    members = (
        item(source, "field", "Property", "field = [\n    1,\n  ];"),
        item(source, "rename", "Method", rename),
    )
    return outline(source, item(source, "User", "Class", source.text.strip(), children=members))


def test_inside_a_body_it_is_the_method_not_the_if() -> None:
    source = document(METHODS)
    fold = Fold("code", span(source, "{\n      this.name = name;\n    }"))
    assert block(source, user(source), "this.name", (fold,)) == Lines(6, 11)


def test_inside_a_field_it_is_the_field_not_the_class() -> None:
    source = document(METHODS)
    assert block(source, user(source), "1,") == Lines(2, 4)


def test_a_short_class_is_the_block_of_what_lies_between_its_members() -> None:
    source = document(METHODS)
    assert blocks.enclosing_block(SourceText(source), user(source), Position(5, 1), (), ())[0] == Lines(1, 12)


def test_a_long_function_gives_its_nearest_callback_then_its_nearest_fold() -> None:
    filler = "".join(f"  step{number}();\n" for number in range(100))
    callback = "(error) => {\n    report(error);\n    retry();\n  }"
    condition = "{\n    one();\n    two();\n  }"
    source = document(f"function long() {{\n{filler}  on('😀', {callback});\n  if (x) {condition}\n}}")
    roots = outline(source, item(source, "long", "Function", source.text.strip()))
    folds = (
        Fold("code", span(source, source.text.strip()[len("function long() ") :])),
        Fold("code", span(source, condition)),
        Fold("comment", span(source, "one()")),
    )
    assert block(source, roots, "retry", folds, ("retry", callback, source.text.strip())) == Lines(102, 105)
    assert block(source, roots, "one", folds, ("one", condition, source.text.strip())) == Lines(106, 109)
    assert block(source, roots, "step7()", ()) == Lines(9, 9)


@pytest.mark.parametrize(
    ("before", "behind"), [("when(a as ", ")"), ("when<", ">(a)"), ("const one: A | ", " = a"), ("let one: ", " = a")]
)
def test_a_functions_type_was_taken_for_a_callback(before: str, behind: str) -> None:
    filler = "".join(f"    step{number}();\n" for number in range(100))
    written = "(\n      one: B,\n    ) => C"
    callback = f"() => {{\n    {before}{written}{behind};\n    end();\n  }}"
    source = document(f"function long() {{\n{filler}  on({callback});\n}}")
    roots = outline(source, item(source, "long", "Function", source.text.strip()))
    assert block(source, roots, "B,", nesting=("B", "one: B", written, callback, source.text.strip())) == Lines(
        102, 107
    )


def test_a_statement_at_the_top_is_whole_with_its_comment() -> None:
    source = document("import a from 'a';\n\n// go\nit('works', () => {\n  expect(a);\n});\n\nit('b');")
    statement = "it('works', () => {\n  expect(a);\n});"
    inner = Fold("code", span(source, "{\n  expect(a);\n}"))
    nesting = ("expect(a)", "{\n  expect(a);\n}", statement, source.text.rstrip("\n"))
    assert block(source, [], "expect", (inner,), nesting) == Lines(3, 6)


def test_a_statement_at_the_top_that_is_too_long_with_its_comment_is_none() -> None:
    body = "() => {\n" + "  expect(a);\n" * 77 + "}"
    source = document(f"/**\n * Words.\n */\ndescribe('it', {body});\n")
    assert block(source, [], "expect(a)", nesting=(body, f"describe('it', {body});")) == Lines(4, 82)


def test_braces_that_stand_alone_are_the_statement() -> None:
    """One server tells what is in them with the space around it, the other its statements alone."""
    inner = "\n  const made = make();\n  made.run(\n    made,\n  );\n"
    source = document("a();\n\n// Alone.\n{" + inner + "}\n\nb();\n")
    whole = source.text.rstrip("\n")
    for around in (inner, inner.strip().partition("\n")[2].strip()):
        assert block(source, [], "made,", nesting=("made", around, whole)) == Lines(3, 9)


def test_imports_are_one_fold_and_a_comment_another() -> None:
    source = document("import a from 'a';\nimport b from 'b';\nimport {\n  c,\n} from 'c';\n\n/*\n long\n*/\n\nx();")
    folds = (
        Fold("imports", Span(Position(1, 1), Position(5, 12))),
        Fold("comment", span(source, "/*\n long\n*/")),
    )
    assert block(source, [], "c,", folds, ("import {\n  c,\n} from 'c';",)) == Lines(1, 5)
    assert block(source, [], "long", folds) == Lines(7, 9)
    assert block(source, [], "x()", folds, ("x();",)) == Lines(11, 11)


def test_a_member_of_a_namespace_is_a_block_of_its_own() -> None:
    source = document("namespace A {\n  export const b = [\n    1,\n  ];\n}")
    inner = item(source, "b", "Constant", "b = [\n    1,\n  ]")
    roots = outline(source, item(source, "A", "Namespace", source.text.strip(), children=(inner,)))
    assert block(source, roots, "1,") == Lines(2, 4)


@pytest.mark.parametrize(
    ("kind", "text", "name", "told"),
    [
        ("Function", "export async function f<T>(a: { b: T }): Promise<{ c: 1 }> {\n  return x;\n}", "f",
         "export async function f<T>(a: { b: T }): Promise<{ c: 1 }>"),
        ("Function", "declare function f(a: string): void;", "f", "declare function f(a: string): void"),
        ("Class", "@dec({ a: 1 })\nclass A extends B<{ c: 1 }> {\n  x = 1;\n}", "A",
         "@dec({ a: 1 }) class A extends B<{ c: 1 }>"),
        ("Interface", "interface A<T = {}> {\n  x: T;\n}", "A", "interface A<T = {}>"),
        ("TypeAlias", "type A = { a: 1 } | { b: 2 };", "A", "type A = { a: 1 } | { b: 2 }"),
        ("Enum", "enum A { B, C = 2 }", "A", "enum A"),
        ("Constant", "export const f = (a: string): number => {\n  return 1;\n};", "f",
         "export const f = (a: string): number"),
        ("Constant", "const limit = 100;", "limit", "const limit = 100"),
        ("Constant", "const limit: number = compute({ a: 1 });", "limit", "const limit: number"),
    ],
)  # fmt: skip
def test_a_signature_is_the_declaration_without_its_body(kind: str, text: str, name: str, told: str) -> None:
    source = document(text)
    spanned = text.rstrip(";").split("const ")[-1] if kind == "Constant" else text
    (one, *_) = flatten(outline(source, item(source, name, kind, spanned)))
    assert signature(SourceText(source), one) == told


def test_a_local_behind_other_code_is_not_the_block_of_that_code() -> None:
    source = document("function f(a) {\n  if (a) { const b = 1; }\n  return g({ title: a });\n}")
    keys = (item(source, "b", "Constant", "b = 1"), item(source, "title", "Property", "title: a"))
    roots = outline(source, item(source, "f", "Function", source.text.strip(), children=keys))
    assert declaration_at(roots, Position(2, 7)) is None
    assert declaration_at(roots, Position(3, 10)) is None
    told = declaration_at(roots, Position(2, 13))
    assert told is not None
    assert told.name == "b"


def test_a_callback_may_have_its_parameters_on_lines_of_their_own() -> None:
    callback = "(\n  one: (x: number) => void,\n  two: string,\n): Promise<void> => {\n  done();\n}"
    parenthesised = "(\n  a +\n  b\n)"
    filler = "".join(f"  a{number}();\n" for number in range(90))
    source = document(f"function long() {{\n  run({callback});\n  run({parenthesised});\n{filler}}}")
    roots = outline(source, item(source, "long", "Function", source.text.strip()))
    assert block(source, roots, "done()", nesting=("done()", callback, source.text.strip())) == Lines(2, 7)
    fold = Fold("code", span(source, parenthesised))
    assert block(source, roots, "a +", (fold,), ("a +", parenthesised, source.text.strip())) == Lines(8, 11)


def test_a_callback_of_one_line_is_not_made_longer_by_the_lines_of_its_list() -> None:
    arguments = "\n    (one) => one === null\n  "
    callback = f"() => {{\n  const known = when({arguments});\n  two();\n}}"
    filler = "".join(f"  a{number}();\n" for number in range(90))
    source = document(f"function long() {{\n  run({callback});\n{filler}}}")
    roots = outline(source, item(source, "long", "Function", source.text.strip()))
    nesting = ("one === null", "(one) => one === null", arguments, f"when({arguments})", callback, source.text.strip())
    fold = Fold("code", span(source, f"({arguments})"))
    assert block(source, roots, "one === null", (fold,), nesting) == Lines(2, 7)


def test_a_place_in_a_parameter_that_is_a_property_lies_in_the_constructor() -> None:
    constructor = "constructor(@inject(Key) public key: Key) {\n    log(key);\n  }"
    source = document(f"class User {{\n  {constructor}\n}}")
    members = (
        item(source, "constructor", "Constructor", constructor),
        item(source, "key", "Property", "@inject(Key) public key: Key"),
    )
    roots = outline(source, item(source, "User", "Class", source.text.strip(), children=members))
    assert block(source, roots, "Key)") == Lines(2, 4)


def test_a_statement_is_not_the_file_whose_first_line_is_a_comment() -> None:
    source = document('// @ts-ignore\nimport a from "a";\n\ntest("x", () => {\n  a();\n});')
    statement = 'test("x", () => {\n  a();\n});'
    assert block(source, [], "a();", nesting=(statement, f'import a from "a";\n\n{statement}')) == Lines(4, 6)


def test_a_list_of_arguments_that_begins_with_a_callback_is_none() -> None:
    callback = "() =>\n    render(() => one, {\n      two: three,\n    })"
    arguments = "() => one, {\n      two: three,\n    }"
    filler = "".join(f"  a{number}();\n" for number in range(90))
    source = document(f"function long() {{\n  expect({callback});\n{filler}}}")
    roots = outline(source, item(source, "long", "Function", source.text.strip()))
    nesting = ("one", "() => one", arguments, f"render({arguments})", callback, source.text.strip())
    assert block(source, roots, "one", nesting=nesting) == Lines(2, 5)


def test_comments_of_both_forms_adjoin_and_a_member_within_a_line_has_none() -> None:
    source = document("type A = {\n  // /** was */\n  /** is */\n  a: 1\n};\n/** Words. */\ntype B = { b: 1 };")
    members = item(source, "a", "Property", "a: 1"), item(source, "b", "Property", "b: 1")
    (a, b) = outline(
        source,
        item(source, "A", "TypeAlias", source.text[: source.text.index(";")], children=members[:1]),
        item(source, "B", "TypeAlias", "type B = { b: 1 };", children=members[1:]),
    )
    assert blocks.whole(SourceText(source), a.children[0]) == Lines(2, 4)
    assert blocks.whole(SourceText(source), b) == Lines(6, 7)
    assert blocks.whole(SourceText(source), b.children[0]) == Lines(7, 7)


def test_a_comment_begins_above_an_opening_that_it_speaks_of() -> None:
    source = document("const a = 'b/*';\n/*\n/**\n * Words.\n */\ninterface A {}")
    (told,) = outline(source, item(source, "A", "Interface", "interface A {}"))
    assert blocks.whole(SourceText(source), told) == Lines(2, 6)


def test_a_comment_on_the_line_of_a_function_parts_it_from_none_above() -> None:
    source = document("/** Words. */\n/** @internal *//* c */ function f() {}\n// of A\na(/* b */ function g() {});")
    (f, g) = outline(source, *(item(source, name, "Function", f"function {name}() {{}}") for name in "fg"))
    assert blocks.whole(SourceText(source), f) == Lines(1, 2)
    assert blocks.whole(SourceText(source), g) == Lines(4, 4)


def test_a_variable_has_the_statement_that_its_pattern_stands_in() -> None:
    source = document(
        "// note\nconst {\n  aa,\n  deep: [bb],\n} = read({ a: 1 },\n  2)\n"
        "const [cc, dd] =\n  x\n    .y\nlet ee = 1\n;(z)()"
    )
    names = ["aa", "bb", "cc", "dd", "ee = 1"]
    found = outline(source, *(item(source, name[:2], "Constant", name) for name in names))
    lines = [blocks.whole(SourceText(source), one) for one in found]
    assert lines == [Lines(1, 6), Lines(1, 6), Lines(7, 9), Lines(7, 9), Lines(10, 10)]


def test_what_is_caught_is_no_part_of_the_statement_above() -> None:
    source = document("let before = '*/*'\ntry {\n  go()\n} catch (error) {\n  stop()\n}")
    (error,) = outline(source, item(source, "error", "Variable", "error"))
    assert blocks.whole(SourceText(source), error) == Lines(4, 4)
    assert blocks.commented_at(SourceText(source), [error], Position(3, 3)) is None


def test_a_file_of_one_statement_may_be_called_at_once() -> None:
    body = "(function (root) {\n  root.a = 1;\n})"
    source = document(f"{body}(window, function () {{\n}});\n// end\n")
    nesting = ("root.a = 1;", body, source.text.partition(";\n//")[0], source.text.partition("\n//")[0])
    assert block(source, [], "root.a", nesting=nesting) == Lines(1, 4)
    two = document("import a from 'a';\n\ntest(() => {\n  a();\n});\n\n// test(() => {\n// });\n")
    statement = "test(() => {\n  a();\n});"
    assert block(two, [], "a();", nesting=("a();", statement, f"import a from 'a';\n\n{statement}")) == Lines(3, 5)


def test_a_list_is_no_function_though_it_begins_with_one() -> None:
    statements = "function inner() {\n    one();\n  }\n  two();"
    callback = f"async () => {{\n  {statements}\n}}"
    source = document(f"test('x', {callback});\ntest('y');")
    nesting = ("two()", statements, callback, f"test('x', {callback});", source.text.strip())
    filler = "".join(f"  a{number}();\n" for number in range(90))
    assert block(source, [], "two()", nesting=nesting) == Lines(1, 6)
    long = document(f"describe(() => {{\n{filler}test('x', {callback});\n}});")
    assert block(long, [], "two()", nesting=("two()", statements, callback, long.text.strip())) == Lines(92, 97)


def test_a_function_that_the_outline_lacks_is_a_block_of_its_own() -> None:
    inner = "/** Words. */\n  function inner(a) {\n    one();\n  }"
    source = document(f"export default () => {{\n  {inner}\n  return inner;\n}};")
    nesting = ("one();", inner.partition("\n  ")[2], source.text.strip())
    shown, found = blocks.enclosing_block(
        SourceText(source), [], span(source, "one").start, (), [span(source, text) for text in nesting]
    )
    assert shown == Lines(2, 5)
    assert found is not None
    assert (found.kind, found.name, found.position) == ("Function", "inner", Position(3, 12))


def test_an_expression_is_no_block_of_its_own_but_a_field_of_it_is() -> None:
    field = "made = [\n      1,\n    ]"
    body = f"class Inner extends make(given) {{\n    {field}\n  }}"
    source = document(f"function f() {{\n  return {body}\n}}")
    inner = item(source, "Inner", "Class", body, children=(item(source, "made", "Property", field),))
    roots = outline(source, item(source, "f", "Function", source.text.strip(), children=(inner,)))
    assert block(source, roots, "given") == Lines(1, 7)
    assert block(source, roots, "1,") == Lines(3, 5)


def test_a_comment_may_speak_of_another_one() -> None:
    source = document("a(); /* not\n this */\nfunction f() {}\n/**\n * app.get('/*', handler)\n */\nfunction g() {}")
    (f, g) = outline(source, *(item(source, name, "Function", f"function {name}() {{}}") for name in "fg"))
    assert [blocks.whole(SourceText(source), one) for one in (f, g)] == [Lines(3, 3), Lines(4, 7)]


@pytest.mark.parametrize(
    ("head", "shown"),
    [
        ("proxy.map =", Lines(2, 4)),
        ("proxy[0] =", Lines(2, 4)),
        ("const map =", Lines(1, 5)),
        ("const map: typed.Map =", Lines(1, 5)),
    ],
)
def test_a_named_function_that_a_member_was_assigned_was_not_its_own_block(head: str, shown: Lines) -> None:
    inner = "function named() {\n    return 1;\n  }"
    whole = f"function outer(proxy) {{\n  {head} {inner};\n}}"
    source = document(whole)
    roots = outline(source, item(source, "outer", "Function", whole))
    assert block(source, roots, "return 1", nesting=(inner, whole)) == shown


def test_what_a_script_declares_by_assigning_a_named_function_is_whole() -> None:
    inner = "function show() {\n  return 1;\n}"
    whole = f"Store.prototype.show = {inner};"
    source = document(f"function Store() {{}}\n// Words.\n{whole}\n", path="/work/store.js")
    shown = item(source, "show", "Method", whole)
    roots = outline(source, item(source, "Store", "Function", "function Store() {}"), shown)
    assert block(source, roots, "return 1", nesting=(inner, whole)) == Lines(2, 5)


def test_a_value_was_taken_for_the_head_of_the_next_variable() -> None:
    source = document("function mix(b, d) {\n  let a = b,\n    c = d, e = a;\n  return c;\n}")
    inner = [item(source, text[0], "Variable", text) for text in ("a = b", "c = d", "e = a")]
    whole = "\n".join(source.lines).strip()
    roots = outline(source, item(source, "mix", "Function", whole, children=tuple(inner)))
    for at, name in (("b,", None), ("d, e", None), ("e = a", "e"), ("let a", "a")):
        found = declaration_at(roots, span(source, at).start)
        assert (found and found.name) == name


def test_a_variable_has_its_statement_though_one_before_it_declares_others() -> None:
    text = "const a = () => {\n    const b = 1;\n    return b;\n  },\n  c = 2;"
    source = document(f"const before = 1;\n{text}\n")
    first, last = outline(
        source, item(source, "before", "Constant", "before = 1"), item(source, "c", "Constant", "c = 2")
    )
    assert (first.name, whole(source, last)) == ("before", text)
