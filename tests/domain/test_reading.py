"""From a server's outline to declarations: names, kinds, modifiers and places are read from the source."""

from __future__ import annotations

import time

import pytest

from cn_daemon.domain.declarations.heads import declaration_at, head_at
from cn_daemon.domain.declarations.items import Item
from cn_daemon.domain.declarations.symbols import group
from cn_daemon.domain.source.reading import SourceText
from cn_daemon.domain.source.text import Position, Span
from tests.domain.sources import document, item, outline, rows


def test_the_name_of_a_decorated_class_is_not_its_decorator() -> None:
    whole = (
        '@Injectable({ name: "User", with: User })\n@User.mark\nexport abstract class User {\n  @log() rename() {}\n}'
    )
    source = document(whole)
    method = item(source, "rename", "Method", "@log() rename() {}")
    assert rows(outline(source, item(source, "User", "Class", whole, children=(method,)))) == [
        "3:23 Class User exported",
        "4:10 Method User.rename",
    ]


def test_overloads_are_one_symbol_each_with_its_own_place() -> None:
    source = document(
        "export function f(a: string): void;\nexport function f(a: number): void;\nexport function f(a) {}"
    )
    spans = source.text.strip().split("\n")
    found = outline(source, item(source, "f", "Function", *spans))
    assert rows(found) == ["1:17 Function f exported", "2:17 Function f exported", "3:17 Function f exported"]
    assert [len(symbol.declarations) for symbol in group(found, lambda _: source)] == [3]


def test_overloads_under_a_computed_name_have_their_own_places() -> None:
    """The server tells the name's place of the first one alone."""
    source = document("interface A {\n  [key](a: string): void;\n  readonly [key]: [key];\n  [a.b](): void;\n}")
    members = (
        item(source, "[key]", "Method", "[key](a: string): void;", "readonly [key]: [key];"),
        item(source, "[a.b]", "Method", "[a.b](): void;"),
    )
    found = outline(source, item(source, "A", "Interface", source.text.strip(), children=members))
    assert [line.split()[0] for line in rows(found)] == ["1:11", "2:3", "3:12", "4:3"]


def test_accessor_pairs_are_one_symbol_and_statics_another() -> None:
    body = "get size() { return 1 }\n  set size(value) {}\n  static size = 2;\n  static get big() { return 3 }"
    source = document(f"class A {{\n  {body}\n}}")
    members = (
        item(source, "size", "Accessor", "get size() { return 1 }", "set size(value) {}"),
        item(source, "size", "Property", "static size = 2;"),
        item(source, "big", "Accessor", "static get big() { return 3 }"),
    )
    found = outline(source, item(source, "A", "Class", source.text.strip(), children=members))
    assert rows(found) == [
        "1:7 Class A",
        "2:7 Accessor A.size",
        "3:7 Accessor A.size",
        "4:10 Property A.size static",
        "5:14 Accessor A.big static",
    ]
    assert sorted(len(symbol.declarations) for symbol in group(found[0].children, lambda _: source)) == [1, 1, 2]


def test_an_interface_a_constant_and_a_namespace_of_one_name_are_one_symbol() -> None:
    parts = [
        "export interface User { id: string }",
        "export const User = 1;",
        "export namespace User { export const a = 1; }",
    ]
    source = document("\n".join(parts))
    found = outline(
        source,
        item(source, "User", "Interface", parts[0], children=(item(source, "id", "Property", "id: string"),)),
        item(source, "User", "Constant", "User = 1"),
        item(source, "User", "Namespace", parts[2], children=(item(source, "a", "Constant", "a = 1"),)),
    )
    assert rows(found) == [
        "1:18 Interface User exported",
        "1:25 Property User.id",
        "2:14 Constant User exported",
        "3:18 Namespace User exported",
        "3:38 Constant User.a exported",
    ]
    assert [len(symbol.declarations) for symbol in group(found, lambda _: source)] == [3]


def test_a_dotted_namespace_is_two_and_its_members_the_inner_ones() -> None:
    whole = "namespace A.B {\n  export class C {}\n}"
    source = document(whole)
    inner = item(source, "C", "Class", "export class C {}")
    assert rows(outline(source, item(source, "A.B", "Namespace", whole, children=(inner,)))) == [
        "1:11 Namespace A",
        "1:13 Namespace A.B exported",
        "2:16 Class A.B.C exported",
    ]


def test_a_module_by_string_is_a_module() -> None:
    whole = 'declare module "some.lib" {\n  interface X {}\n}'
    source = document(whole)
    inner = item(source, "X", "Interface", "interface X {}")
    assert rows(outline(source, item(source, '"some.lib"', "Namespace", whole, children=(inner,)))) == [
        "1:16 Module some.lib",
        "2:13 Interface some.lib.X",
    ]


def test_the_members_of_a_type_literal() -> None:
    source = document(
        """
type Shape = {
  readonly kind: "a" | "b",
  area(scale: number): { width: number };
  "quoted-name"?: string
  nested: {
    deep: Map<string, { not: never }>;
  }
  get size(): number
} & { more?: () => void } | Other<string>;
"""
    )
    found = rows(outline(source, item(source, "Shape", "TypeAlias", source.text.strip())))
    assert found[:5] == [
        "1:6 TypeAlias Shape",
        "2:12 Property Shape.kind",
        "3:3 Method Shape.area",
        "3:26 Property Shape.area.width",
        "4:3 Property Shape.quoted-name",
    ]
    assert {"5:3 Property Shape.nested", "6:5 Property Shape.nested.deep", "8:7 Accessor Shape.size"} <= set(found)
    assert "9:7 Property Shape.more" in found
    assert not [row for row in found if "scale" in row or "string" in row]


def test_what_stands_in_a_template_is_no_bracket_of_a_type() -> None:
    source = document("type Of<S extends `(${string})${string}`, O = {}> = {\n  a: `b${\n    S\n  }`\n  c: O\n};")
    found = outline(source, item(source, "Of", "TypeAlias", source.text.strip()))
    assert rows(found) == ["1:6 TypeAlias Of", "2:3 Property Of.a", "5:3 Property Of.c"]
    assert [member.span.end.line for member in found[0].children] == [4, 5]


def test_a_type_that_is_no_literal_has_no_members() -> None:
    for text in ("type A = B extends C ? D : E;", "type A = (a: string) => void;", "type A = [a: B, c: D];"):
        source = document(text)
        assert rows(outline(source, item(source, "A", "TypeAlias", text))) == ["1:6 TypeAlias A"]


def test_constants_and_variables_are_told_apart() -> None:
    source = document("export const a = 1, b = 2;\nlet c = 3;\nvar d;\nexport const { e, f: g } = a;\nusing h = i();")
    found = outline(
        source,
        *(
            item(source, name, "Constant", text)
            for name, text in (
                ("a", "a = 1"), ("b", "b = 2"), ("c", "c = 3"), ("d", "d"), ("e", "e"), ("g", "f: g"), ("h", "h = i()")
            )
            if text not in ("d", "e")
        ),
    )  # fmt: skip
    assert rows(found) == [
        "1:14 Constant a exported",
        "1:21 Constant b exported",
        "2:5 Variable c",
        "4:22 Constant g exported",
        "5:7 Constant h",
    ]


def test_spreads_callbacks_and_the_nameless_are_no_declarations() -> None:
    source = document(
        "const a = { ...b, c() {} };\nit('x', () => {});\nexport default () => 1;\n"
        "interface I { (): void; new (): I; [k: string]: 1 }"
    )
    members = (item(source, "b", "Property", "...b"), item(source, "c", "Method", "c() {}"))
    nameless = (
        item(source, "()", "Method", "(): void;"),
        item(source, "new()", "Method", "new (): I;"),
        item(source, "[]", "Property", "[k: string]: 1"),
    )
    found = outline(
        source,
        item(source, "a", "Constant", "a = { ...b, c() {} }", children=members),
        item(source, "it('x') callback", "Function", "() => {}"),
        item(source, "<function>", "Function", "() => {}"),
        item(source, "<unknown>", "Function", "() => 1"),
        item(source, "I", "Interface", source.text.strip().split("\n")[3], children=nameless),
    )
    assert rows(found) == ["1:7 Constant a", "1:19 Method a.c", "4:11 Interface I"]


def test_what_is_imported_or_exported_again_is_declared_elsewhere() -> None:
    source = document(
        'import { User } from "./user";\nexport { User as Person, other };\nexport * from "./all";\nconst other = 1;'
    )
    found = outline(
        source,
        item(source, "User", "Variable", "User }"),
        item(source, "Person", "Variable", "User as Person"),
        item(source, "other", "Constant", "other = 1"),
    )
    assert rows(found) == ["4:7 Constant other"]


def test_another_name_for_what_a_namespace_holds_is_no_row() -> None:
    lines = ["import Main = api.Table;", "export import Other = api.Other", "class A {", "  import = 1;", "}"]
    source = document("\n".join(lines))
    field = item(source, "import", "Property", "import = 1")
    found = outline(
        source,
        item(source, "Main", "Variable", lines[0]),
        item(source, "Other", "Variable", lines[1]),
        item(source, "A", "Class", "\n".join(lines[2:]), children=(field,)),
    )
    assert rows(found) == ["3:7 Class A", "4:3 Property A.import"]


def test_locals_of_blocks_and_bodies() -> None:
    source = document(
        "for (const i of [1]) {\n  const inBlock = i;\n}\nfunction f() {\n  const inBody = 1;\n}\n"
        "if (1) {\n  var x = 2;\n}"
    )
    found = outline(
        source,
        item(source, "i", "Constant", "i"),
        item(source, "inBlock", "Constant", "inBlock = i"),
        item(
            source,
            "f",
            "Function",
            "function f() {\n  const inBody = 1;\n}",
            children=(item(source, "inBody", "Constant", "inBody = 1"),),
        ),
        item(source, "x", "Variable", "x = 2"),
    )
    assert rows(found) == [
        "1:12 Constant i local",
        "2:9 Constant inBlock local",
        "4:10 Function f",
        "5:9 Constant f.inBody local",
        "8:7 Variable x local",
    ]


def test_what_is_exported_is_of_the_module_however_far_its_line_is_indented() -> None:
    source = document("  export const a = 1;\n  export function b() {}\n  export const c = make(class D {});")
    found = outline(
        source,
        item(source, "a", "Constant", "a = 1"),
        item(source, "b", "Function", "export function b() {}"),
        item(source, "D", "Class", "class D {}"),
    )
    assert rows(found) == [
        "1:16 Constant a exported",
        "2:19 Function b exported",
        "3:31 Class D exported local",
    ]


def test_what_is_caught_in_a_block_is_local() -> None:
    source = document("for (const i of [1]) {\n  try {\n  } catch (error) {\n  }\n}")
    assert rows(outline(source, item(source, "error", "Variable", "error"))) == ["3:12 Variable error local"]


def test_keys_of_both_sides_of_a_choice_are_local() -> None:
    source = document("const a = {\n  b: flag ? { c: 1 } : { d: 2 },\n};")
    keys = (item(source, "c", "Property", "c: 1"), item(source, "d", "Property", "d: 2"))
    b = item(source, "b", "Property", "b: flag ? { c: 1 } : { d: 2 }", children=keys)
    found = outline(source, item(source, "a", "Constant", source.text.strip()[6:], children=(b,)))
    assert rows(found)[2:] == ["2:15 Property a.b.c local", "2:26 Property a.b.d local"]


def test_a_key_that_is_called_import_is_no_import() -> None:
    source = document("const a = {\n  import: ['b'],\n};\nimport b from 'b';")
    key = item(source, "import", "Property", "import: ['b']")
    found = outline(source, item(source, "a", "Constant", "a = {\n  import: ['b'],\n}", children=(key,)))
    assert rows(found) == ["1:7 Constant a", "2:3 Property a.import"]


def test_keys_of_a_constant_are_members_and_those_of_an_argument_are_not() -> None:
    source = document("const a = { b: 1, c: { d() {} } };\nconst e = make({ f: 1 }, () => ({ g: 2 }));")
    keys = (
        item(source, "b", "Property", "b: 1"),
        item(source, "c", "Property", "c: { d() {} }", children=(item(source, "d", "Method", "d() {}"),)),
    )
    arguments = (item(source, "f", "Property", "f: 1"), item(source, "g", "Property", "g: 2"))
    found = outline(
        source,
        item(source, "a", "Constant", "a = { b: 1, c: { d() {} } }", children=keys),
        item(source, "e", "Constant", "e = make({ f: 1 }, () => ({ g: 2 }))", children=arguments),
    )
    assert rows(found) == [
        "1:7 Constant a",
        "1:13 Property a.b",
        "1:19 Property a.c",
        "1:24 Method a.c.d",
        "2:7 Constant e",
        "2:18 Property e.f local",
        "2:35 Property e.g local",
    ]


def test_order_is_that_of_the_source() -> None:
    source = document("const b = 1;\nconst a = 2;\nclass C {\n  z() {}\n  y() {}\n}")
    members = (item(source, "y", "Method", "y() {}"), item(source, "z", "Method", "z() {}"))
    found = outline(
        source,
        item(source, "C", "Class", "class C {\n  z() {}\n  y() {}\n}", children=members),
        item(source, "a", "Constant", "a = 2"),
        item(source, "b", "Constant", "b = 1"),
    )
    assert [row.split()[-1] for row in rows(found)] == ["b", "a", "C", "C.z", "C.y"]


def test_private_and_quoted_names() -> None:
    whole = 'class A {\n  #x = 1;\n  x = 2;\n  "content-type" = 3;\n  x1() { return this.#x }\n}'
    source = document(whole)
    members = (
        item(source, "#x", "Property", "#x = 1;"),
        item(source, "x", "Property", "x = 2;"),
        item(source, '"content-type"', "Property", '"content-type" = 3;'),
        item(source, "x1", "Method", "x1() { return this.#x }"),
    )
    assert rows(outline(source, item(source, "A", "Class", whole, children=members)))[1:] == [
        "2:3 Property A.#x",
        "3:3 Property A.x",
        "4:3 Property A.content-type",
        "5:3 Method A.x1",
    ]


def test_places_behind_astral_characters_and_carriage_returns() -> None:
    source = document("const a = '😀'; const b = 1;\r\nconst c = 2;\u2028const d = 3;")
    found = outline(
        source, *(item(source, name, "Constant", f"{name} = {value}") for name, value in zip("bcd", "123", strict=True))
    )
    assert rows(found) == ["1:23 Constant b", "2:7 Constant c", "2:20 Constant d"]


def test_a_table_of_many_keys_is_read_once() -> None:
    """Quadratic reading takes minutes for a table of some thousand keys."""
    keys = "".join(f"  key{number}: {{ value: [{number}, '{number}'] }},\n" for number in range(1000))
    source = document(f"const table = {{\n{keys}}};")
    members = []
    for number in range(1000):
        text = f"key{number}: {{ value: [{number}, '{number}'] }}"
        line = number + 2
        span = Span(Position(line, 3), Position(line, 3 + len(text)))
        members.append(Item(f"key{number}", "Property", [span], None, []))
    whole = Span(Position(1, 7), Position(1002, 2))
    began = time.process_time()
    (table,) = outline(source, Item("table", "Constant", [whole], None, members))
    assert len(table.children) == 1000
    assert not any(child.local for child in table.children)
    assert time.process_time() - began < 3


def test_an_assignment_to_a_member_is_no_row_and_makes_no_function_longer() -> None:
    text = "export function Card(): { a: 1 } {\n  return { a: 1 };\n}\n\nCard.displayName = 'Card';\no.go = () => 1;"
    source = document(text)
    shown = item(source, "displayName", "", "Card.displayName = 'Card'")
    card = item(source, "Card", "Class", text.partition(";\no.go")[0], children=(shown,))
    found = outline(source, card, item(source, "go", "Function", "o.go = () => 1"))
    assert rows(found) == ["1:17 Function Card exported"]
    assert found[0].span.end == Position(3, 2)


def test_an_assignment_to_its_member_declares_no_class_again() -> None:
    source = document("function f() {\n  function Sub() {}\n  Sub.options = [\n    1,\n  ];\n}")
    sub = item(source, "Sub", "Class", "function Sub() {}", "Sub.options = [\n    1,\n  ]")
    assert rows(outline(source, item(source, "f", "Function", source.text.strip(), children=(sub,)))) == [
        "1:10 Function f",
        "2:12 Function f.Sub local",
    ]


def test_what_is_exported_by_default_without_a_name_is_no_row_but_its_keys_are() -> None:
    source = document("export default {\n  suites: [{ deep: 1 }],\n};\ncall({ given: 1 });")
    keys = (item(source, "suites", "Property", "suites: [{ deep: 1 }]"),)
    default = item(source, "default", "Variable", "export default {\n  suites: [{ deep: 1 }],\n};", children=keys)
    found = outline(source, default, item(source, "given", "Property", "given: 1"))
    assert rows(found) == ["2:3 Property suites", "4:8 Property given local"]
    unnamed = document("export default function () {}")
    assert rows(outline(unnamed, item(unnamed, "default", "Function", unnamed.lines[0]))) == [
        "1:8 Function default exported"
    ]


@pytest.mark.parametrize("around", ["/*\n{}\n*/", "const text = `\n{}\n`;", "const glob = 'a/*';\n/*\n{}\n*/"])
def test_the_keys_of_an_example_are_no_rows(around: str) -> None:
    assert rows(outline(document(around.format("export default {\n  run() {}\n};")))) == []


def test_keys_behind_a_pattern_that_looks_like_a_comment_are_rows() -> None:
    source = document("const glob = `a/**/*.ts`;\nexport default {\n  run() {},\n};")
    assert rows(outline(source)) == ["3:3 Method run"]


KEYS = """
export default {
  // note
  plain: [{ in: 1 }],
  short,
  ...spread,
  async run<T>(a: { b: T }) {
    const inner = 1;
  },
  get size() { return 1 },
  "quoted-key": { deep: { deeper() {} } as const, other: {}.x },
  [computed]: 1,
  get: () => ({ no: 1 }),
} satisfies Config;
call({ given: 1 });
"""


TYPED_KEYS = """
export default {
  a: undefined as unknown as () => Pair<Rope, Knot, End>,
  b: new Map<string, Array<{ x: string, y: Pair<Rope, Knot> }>>(),
  c<T, U>(one: T, other: U) {},
  d: <T, U>(one: T) => one,
  e: x < y, f: z > w, g: x<y, h,
  i: v as Pair<(one: Rope, other: Rope) => Rope, Rope> satisfies Pair<Rope, Rope>,
  j: { k: make<Rope, Rope>, l: 1 } satisfies Record<Rope, Rope>,
  m: 1,
};
"""


def test_types_in_values_were_keys() -> None:
    keys = (row.split(".")[-1].split()[-1] for row in rows(outline(document(TYPED_KEYS))))
    assert "".join(keys) == "abcdefghijklm"


def test_the_keys_of_what_is_exported_without_a_name_are_read_whatever_the_server_lists() -> None:
    source = document(KEYS)
    inner = item(source, "inner", "Constant", "inner = 1")
    run = "async run<T>(a: { b: T }) {\n    const inner = 1;\n  }"
    found = outline(
        source,
        item(source, "run", "Method", run, children=(inner,)),
        item(source, "given", "Property", "given: 1"),
    )
    assert rows(found) == [
        "3:3 Property plain",
        "4:3 Property short",
        "6:9 Method run",
        "7:11 Constant run.inner local",
        "9:7 Accessor size",
        "10:3 Property quoted-key",
        "10:19 Property quoted-key.deep",
        "10:27 Method quoted-key.deep.deeper",
        "10:51 Property quoted-key.other",
        "12:3 Property get",
        "14:8 Property given local",
    ]
    assert found[2].span.end == Position(8, 4)
    old = document("module.exports = { run() {}, short };", "/w/old.js")
    assert [one.name for one in outline(old)] == ["run", "short"]
    assert declaration_at(outline(old), Position(1, 30)) is None


def test_the_rest_of_a_destructuring_is_declared() -> None:
    source = document("const { a, ...rest } = {} as any;")
    found = outline(source, item(source, "a", "Constant", "a"), item(source, "rest", "Constant", "...rest"))
    assert [one.name for one in found] == ["a", "rest"]


def test_what_a_pattern_takes_a_part_of_was_the_head_of_that_part() -> None:
    source = document("const { a: { x, y } } = d;")
    found = outline(source, item(source, "x", "Constant", "x"), item(source, "y", "Constant", "y"))
    heads = {character: head_at(found, Position(1, character), source) for character in (1, 9, 14, 15, 17)}
    names = {character: one and one.name for character, one in heads.items()}
    assert names == {1: None, 9: None, 14: "x", 15: "x", 17: "y"}


def test_a_list_of_exports_behind_a_statement_declares_nothing() -> None:
    source = document(
        'let a; export { a }; function b() {} export{b as c};import d from "e"; d;\nnamespace f { export { g } }'
    )
    names = ("let a", "{ a }", "b()", "b as", "c}", "d from", "d;", "g }", "f {")
    told = [name for name in names if SourceText(source).in_imports(source.text.index(name))]
    assert told == ["{ a }", "b as", "c}", "d from", "g }"]


def test_a_computed_name_that_is_a_text_is_that_text() -> None:
    source = document('class A { ["quoted"] = 1; }')
    told = Span(Position(1, 11), Position(1, 21))
    member = item(source, '["quoted"]', "Property", '["quoted"] = 1')._replace(name_span=told)
    assert rows(outline(source, item(source, "A", "Class", source.lines[0], children=(member,)))) == [
        "1:7 Class A",
        "1:11 Property A.quoted",
    ]


def test_a_computed_name_that_begins_and_ends_with_a_text_is_told_as_written() -> None:
    source = document("class A { ['a' + 'b'] = 1; }")
    told = Span(Position(1, 11), Position(1, 22))
    member = item(source, "['a' + 'b']", "Property", "['a' + 'b'] = 1")._replace(name_span=told)
    found = outline(source, item(source, "A", "Class", source.lines[0], children=(member,)))
    assert rows(found) == ["1:7 Class A", "1:11 Property A.['a' + 'b']"]


def test_types_in_type_parameters_and_in_annotations_have_no_rows() -> None:
    source = document("type A<T = X & { hidden: 1 }> = { shown: T; new (): A };\nconst f = (): { gone: 1 } => g;")
    alias = item(source, "A", "TypeAlias", source.lines[0])
    gone = item(source, "gone", "Property", "gone: 1")
    constant = item(source, "f", "Constant", "f = (): { gone: 1 } => g", children=(gone,))
    assert rows(outline(source, alias, constant)) == [
        "1:6 TypeAlias A",
        "1:35 Property A.shown",
        "2:7 Constant f",
        "2:17 Property f.gone local",
    ]


def test_what_a_callback_declares_is_local() -> None:
    source = document('describe("x", () => {\n  function helper() {}\n});')
    helper = item(source, "helper", "Function", "function helper() {}")
    callback = item(
        source, 'describe("x") callback', "Function", "() => {\n  function helper() {}\n}", children=(helper,)
    )
    assert rows(outline(source, callback)) == ["2:12 Function helper local"]


def test_members_of_a_type_belong_to_the_member_whose_type_holds_them() -> None:
    source = document("type A = { a: Foo<{ b: 1 }>; [k: string]: 1; [S.x]?: 2 } & (| { c: { d: 1 } } | { c: 2 });")
    assert [row.split(" ", 1)[1] for row in rows(outline(source, item(source, "A", "TypeAlias", source.lines[0])))] == [
        "TypeAlias A",
        "Property A.a",
        "Property A.a.b",
        "Property A.[S.x]",
        "Property A.c",
        "Property A.c.d",
        "Property A.c",
    ]


def test_members_of_a_type_end_before_a_modifier_and_before_a_signature() -> None:
    text = "type A = {\n  readonly a: 'x'\n  readonly b: Foo<{\n    c: 1\n  }>\n  (x: 1): 2\n"
    text += "  d: |\n    (() => 1)\n  new (): A\n}"
    source = document(text)
    (found,) = outline(source, item(source, "A", "TypeAlias", text))
    assert [(one.name, one.span.end) for one in found.children] == [
        ("a", Position(2, 18)),
        ("b", Position(5, 5)),
        ("d", Position(8, 14)),
    ]


def test_type_arguments_are_no_members() -> None:
    source = document("type A = {\n  a: Foo<\n    B,\n    NoRow<C>\n  >;\n  get(x: { in: 1 }): D;\n};")
    found = outline(source, item(source, "A", "TypeAlias", source.text.strip()))
    assert rows(found) == ["1:6 TypeAlias A", "2:3 Property A.a", "6:3 Method A.get", "6:12 Property A.get.in"]


def test_what_a_class_extends_holds_no_member_of_it() -> None:
    source = document("class A extends B<{ given: 1 }> {\n  readonly [key] = 1;\n  own = 2;\n}")
    told = Span(Position(2, 12), Position(2, 17))
    key = item(source, "[key]", "Property", "readonly [key] = 1")._replace(name_span=told)
    members = (item(source, "given", "Property", "given: 1"), key, item(source, "own", "Property", "own = 2"))
    assert rows(outline(source, item(source, "A", "Class", source.text.strip(), children=members))) == [
        "1:7 Class A",
        "2:12 Property A.[key]",
        "3:3 Property A.own",
        "1:21 Property given local",
    ]


def test_a_list_of_exports_may_hold_comments() -> None:
    source = document("export {\n  /** it's { a } */\n  one as two\n};")
    assert outline(source, item(source, "two", "Variable", "one as two")) == []


def test_what_one_server_tells_of_another_thing_of_that_name_is_kept() -> None:
    body = "const f = ({ table }) => {\n  make({ table: { go() {} } });\n};"
    source = document(body)
    go = item(source, "go", "Method", "go() {}")
    table = item(source, "table", "Variable", "table", children=(go,))
    (f,) = outline(source, item(source, "f", "Constant", body[6:-1], children=(table,)))
    assert rows([f]) == ["1:7 Constant f", "1:14 Variable f.table local", "2:19 Method f.go local"]


def test_a_type_parameters_default_is_not_the_value() -> None:
    body = "f = <V = { hidden: 1 }>(v: V) => v"
    source = document(f"const {body};")
    hidden = item(source, "hidden", "Property", "hidden: 1")
    assert rows(outline(source, item(source, "f", "Constant", body, children=(hidden,)))) == [
        "1:7 Constant f",
        "1:18 Property f.hidden local",
    ]


def test_what_is_required_may_be_a_value_of_our_own() -> None:
    source = document("const a = require('a').a;\nconst b = require('a')();", "/w/a.js")
    found = outline(
        source, item(source, "a", "Constant", "a = require('a').a"), item(source, "b", "Constant", "b = require('a')()")
    )
    assert [one.name for one in found] == ["b"]


def test_an_argument_is_local_though_it_is_a_class() -> None:
    source = document("stub('A', class A {});\nmock(function f() {});")
    found = outline(source, item(source, "A", "Class", "class A {}"), item(source, "f", "Function", "function f() {}"))
    assert rows(found) == ["1:17 Class A local", "2:15 Function f local"]


def test_a_file_that_is_one_line_is_read_once() -> None:
    """Counting code units from the line's begin for each declaration takes minutes for a bundle."""
    statements = [f"var a{number}='\U0001f600';" for number in range(3000)]
    items = []
    character = 1
    for statement in statements:
        first = Position(1, character + 4)
        # The character takes two code units.
        character += len(statement) + 1
        items.append(
            Item(statement[4:].partition("=")[0], "Variable", [Span(first, Position(1, character - 1))], None, [])
        )
    source = document("".join(statements))
    began = time.process_time()
    found = outline(source, *items)
    assert [found[1].position, found[2999].name] == [Position(1, 17), "a2999"]
    assert source.once(SourceText).cut(found[2999].span) == "a2999='\U0001f600'"
    assert time.process_time() - began < 5


SCRIPT = """
function Old(a) {}
Old.prototype.go = function () {
  const inner = 1;
};
Old.make = (a, b = () => 1) => new Old(a);
Old.count = 0;
other.thing = 1;
exports.Old = Old;
exports.fly = async function () {};
exports.table = { one: 1, two() {} };
module.exports.unset = void 0;
module.exports = class Big {
  member() {}
};
"""


def test_what_a_script_assigns_is_read_whatever_the_server_lists() -> None:
    source = document(SCRIPT, "/w/old.js")
    inner = item(source, "inner", "Constant", "inner = 1")
    name = Span(Position(2, 15), Position(2, 17))
    go = item(source, "go", "Function", "function () {\n  const inner = 1;\n}", children=(inner,))._replace(
        name_span=name
    )
    member = item(source, "member", "Method", "member() {}")
    old = item(source, "Old", "Class", SCRIPT.partition(";\nother")[0].lstrip("\n"), children=(go,))
    fly = item(source, "fly", "Function", "exports.fly = async function () {}")
    big = item(source, "Big", "Class", "class Big {\n  member() {}\n}", children=(member,))
    assert rows(outline(source, old, fly, big)) == [
        "1:10 Function Old",
        "2:15 Method Old.go",
        "5:5 Method Old.make",
        "6:5 Property Old.count",
        "3:9 Constant inner local",
        "9:9 Function fly exported",
        "10:9 Constant table exported",
        "10:19 Property table.one",
        "10:27 Method table.two",
        "12:24 Class Big exported",
        "13:3 Method Big.member",
    ]


def test_the_rest_of_a_pattern_was_taken_for_a_spread() -> None:
    text = "export const { a: { b, ...c }, d: [...e] } = { f: 1, ...g };"
    source = document(text)
    offsets = SourceText(source)
    items = []
    for name, kind in (("c", "Constant"), ("e", "Constant"), ("g", "Property")):
        start = text.index(f"...{name}")
        items.append(Item(name, kind, [offsets.span(start, start + 4)], offsets.span(start + 3, start + 4), ()))
    assert rows(outline(source, *items)) == ["1:27 Constant c exported", "1:39 Constant e exported"]


def test_what_a_static_block_declares_was_listed_as_the_classes() -> None:
    source = document("class A {\n  static { const b = 1; class C { d() {} } }\n  e = 1;\n}")
    inner = item(source, "C", "Class", "class C { d() {} }", children=(item(source, "d", "Method", "d() {}"),))
    held = (item(source, "b", "Constant", "b = 1"), inner, item(source, "e", "Property", "e = 1;"))
    told = rows(outline(source, item(source, "A", "Class", "\n".join(source.lines).strip(), children=held)))
    assert [row for row in told if "local" not in row] == ["1:7 Class A", "3:3 Property A.e"]


def test_a_variable_was_local_when_the_value_before_it_declared_some() -> None:
    source = document("var a = function () {\n    var b = 1;\n    return b;\n  },\n  c = 2;")
    held = item(source, "b", "Variable", "b = 1")
    first = item(source, "a", "Function", "function () {\n    var b = 1;\n    return b;\n  }", children=(held,))
    told = rows(outline(source, first, item(source, "c", "Variable", "c = 2")))
    assert "5:3 Variable c" in told


def test_a_member_called_import_was_taken_for_one() -> None:
    source = document("interface A {\n  import: string;\n  import?: string;\n  import<T>(): T;\n}")
    texts = ("import: string;", "import?: string;", "import<T>(): T;")
    held = tuple(item(source, "import", "Property", text) for text in texts)
    told = rows(outline(source, item(source, "A", "Interface", "\n".join(source.lines).strip(), children=held)))
    assert told[1:] == ["2:3 Property A.import", "3:3 Property A.import", "4:3 Method A.import"]


def test_the_members_of_a_class_that_a_key_holds_were_local_to_it() -> None:
    source = document("const a = {\n  b: class C {\n    d() {}\n  },\n  e: { f: class { g = 1; } },\n};")
    inner = item(
        source, "b", "Property", "b: class C {\n    d() {}\n  }", children=(item(source, "d", "Method", "d() {}"),)
    )
    held = item(source, "f", "Property", "f: class { g = 1; }", children=(item(source, "g", "Property", "g = 1;"),))
    outer = item(source, "e", "Property", "e: { f: class { g = 1; } }", children=(held,))
    whole = "\n".join(source.lines).strip().removeprefix("const ").removesuffix(";")
    told = rows(outline(source, item(source, "a", "Constant", whole, children=(inner, outer))))
    assert "3:5 Method a.b.d" in told
    assert "5:19 Property a.e.f.g" in told


def test_what_a_template_writes_is_no_import_and_comments_may_tell_of_one() -> None:
    source = SourceText(
        document(
            """
            import a from "a";
            const text = `
            import b from "${a.id}";
            import ${a} from "c";
            `;
            export {
              /** Logs `${d}`. */
              e as catch
            };
            """
        )
    )
    told = {name: source.in_imports(source.text.index(name)) for name in ('a from "a"', "b from", "catch", "text")}
    assert told == {'a from "a"': True, "b from": False, "catch": True, "text": False}
