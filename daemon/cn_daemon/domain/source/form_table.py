"""The form of source text in languages other than TypeScript: one row of data per language, read by `forms`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Form:
    """token: a pattern whose groups are kinds of tokens. imports: statements whose names are declared elsewhere.

    interpolated: whether some strings hold code in braces. comments: what begins a comment of its own line. decorator:
    what begins one. body: the mark that ends a declaration's head. using: what before a name, on its line, tells that
    it declares nothing there. parents: by its group `names`, the list of types behind the name of a type. between: the
    marks that part them. embedded: a line of a type's body that names a parent, by its group `name`. implementing: the
    words before and behind a parent that is named before its type. protocol: the parent of the types that need not be
    named to be implemented. unreported: whether the server tells no uses of what a member overrides (`above`), or of
    what overrides it (`below`). unnamed: the members that are also called by what does not name them. keyed: the parent
    of types whose members are accessed by a string. unnamed_parents: where it is said what a type implements, if not at
    it.

    argument: what stands before and behind a name that is given a value in a call. given: what before a name gives an
    object a member of it. renamed: what behind a name in an import gives it another. declared: by its groups, what
    other files may use. module: what in an import names where from; None where imports name no symbols. package: by its
    group `name`, what files of other folders write before a name. loose: whether the parents of a type are not read: a
    mention that leads to another member of the name may be one of what it overrides. known: names that the language
    brings. unknown: why a mention may lead nowhere. left_out: what a file holds that a build, and so the server, may
    leave out. exact: whether all that a name leads to has that name. quoted: a pattern of strings that may name a
    symbol, `{name}` for its name. dynamic: what takes in the declarations of a file that is not known. scoped: before a
    variable, on its line, what makes it one of its function alone, where all others of a file are one. shebang: the
    first line of scripts that need no ending. aside: whether its files stand beside a program, and a question about all
    of a workspace is not about them. announced: the whole of a declaration that only announces what is defined
    elsewhere.
    """

    name: str
    token: re.Pattern[str]
    keywords: frozenset[str]
    imports: re.Pattern[str]
    comments: tuple[str, ...]
    decorator: tuple[str, ...]
    body: str
    using: re.Pattern[str]
    parents: re.Pattern[str]
    declared: re.Pattern[str]
    module: re.Pattern[str] | None = None
    package: re.Pattern[str] | None = None
    interpolated: bool = False
    loose: bool = False
    between: str = ","
    embedded: re.Pattern[str] | None = None
    implementing: tuple[str, str] | None = None
    protocol: str = ""
    unreported: frozenset[str] = frozenset()
    unnamed: re.Pattern[str] | None = None
    keyed: str = ""
    unnamed_parents: str = ""
    argument: tuple[re.Pattern[str], re.Pattern[str]] | None = None
    given: re.Pattern[str] | None = None
    renamed: re.Pattern[str] | None = None
    known: frozenset[str] = field(default_factory=frozenset)
    unknown: str = "the type is not known"
    left_out: re.Pattern[str] | None = None
    exact: bool = False
    quoted: str = ""
    dynamic: re.Pattern[str] | None = None
    scoped: re.Pattern[str] | None = None
    aside: bool = False
    shebang: re.Pattern[str] | None = None
    announced: re.Pattern[str] | None = None


_MEMBER = re.compile(r"(?:\.|->)\s*$")
_NAME = r"|(?P<number>\.?\d[\w.]*)|(?P<name>[^\W\d]\w*)|(?P<punctuation>[\s\S])"
_C_LIKE = r"(?P<space>\s+)|(?P<comment>//[^\n]*|/\*[\s\S]*?(?:\*/|\Z))"
_QUOTED = r'"(?:\\[\s\S]|[^"\\\n])*"?'

PYTHON = Form(
    "python",
    re.compile(
        r"(?P<space>\s+)|(?P<comment>#[^\n]*)"
        r"|(?P<string>(?i:[rbuft]{0,3})(?:\"\"\"(?:\\[\s\S]|[^\\])*?(?:\"\"\"|\Z)|'''(?:\\[\s\S]|[^\\])*?(?:'''|\Z)"
        rf"|{_QUOTED}|'(?:\\[\s\S]|[^'\\\n])*'?))" + _NAME
    ),
    frozenset(
        "False None True and as assert async await break class continue def del elif else except finally for from "
        "global if import in is lambda nonlocal not or pass raise return try while with yield".split()
    ),
    re.compile(
        r"^[ \t]*(?:from[ \t]+[\w.]+[ \t]+import[ \t]*(?:\([^)]*\)|(?:[^\n\\]|\\\n)*)|import[ \t](?:[^\n\\]|\\\n)*)",
        re.M,
    ),
    ("#",),
    ("@",),
    ":",
    # `self.name = …` gives an object a member.
    re.compile(
        r"^(?!\s+self\.$).*[.:=(\[{]|^\s*(?:from|import|return|raise|if|elif|while|assert|yield|await|del|except|with)\b"
    ),
    re.compile(r"\s*(?:\[[^\]]*\])?\s*\((?P<names>[^()]*(?:\([^()]*\)[^()]*)*)\)"),
    re.compile(r"^(?:class|(?:async[ \t]+)?def)[ \t]+(?P<name>[^\W\d_]\w*)", re.M),
    interpolated=True,
    protocol="Protocol",
    unreported=frozenset({"above", "below"}),
    unnamed=re.compile(r"__\w+__"),
    keyed="TypedDict",
    argument=(re.compile(r"[(,]\s*$"), re.compile(r"\s*=(?!=)")),
    given=re.compile(r"\bself\.$"),
    module=re.compile(r"^[ \t]*(?:from[ \t]+[\w.]+[ \t]+import\b|import\b[^\n]*)"),
    renamed=re.compile(r"[ \t]+as[ \t]+(?P<name>[^\W\d]\w*)"),
)
C = Form(
    "c",
    re.compile(rf"{_C_LIKE}|(?P<string>{_QUOTED}|'(?:\\.[^']*|[^'\\\n])')" + _NAME),
    frozenset(
        "alignas auto bool break case catch char class const constexpr continue default delete do double else enum "
        "explicit extern false float for friend goto if inline int long mutable namespace new noexcept nullptr "
        "operator override private protected public register return short signed sizeof static struct switch "
        "template this throw true try typedef typename union unsigned using virtual void volatile while".split()
    ),
    re.compile(r"^[ \t]*(?:#[ \t]*include\b[^\n]*|using[ \t]+(?:namespace[ \t])?[\w:]+;)", re.M),
    ("//",),
    (),
    "{",
    _MEMBER,
    re.compile(r"\s*(?:final\s*)?:(?!:)(?P<names>[^{;]*)"),
    re.compile(
        r"^(?:typedef[ \t]+)?(?:class|struct|union|enum(?:[ \t]+class)?)[ \t]+(?P<name>[^\W\d]\w*)(?=[^;\n]*(?:\{|$))"
        r"|^(?!static\b|return\b|else\b|typedef\b|using\b)[A-Za-z_][\w:<>,*& \t]*[ \t*&](?P<function>[^\W\d]\w*)\(",
        re.M,
    ),
    unreported=frozenset({"below"}),
    exact=True,
    unknown="the type is not known, or a header was not found (a compile_commands.json tells where they are)",
    announced=re.compile(r"(?:[^{=]*\)|(?:extern|class|struct|union|enum)\b)[^{=;]*;?\s*\Z"),
)
GO = Form(
    "go",
    re.compile(rf"{_C_LIKE}|(?P<string>`[^`]*(?:`|\Z)|{_QUOTED}|'(?:\\.[^'\n]*|[^'\\\n])')" + _NAME),
    frozenset(
        "break case chan const continue default defer else fallthrough false for func go goto if import interface map "
        "nil package range return select struct switch true type var".split()
    ),
    re.compile(r"^import\b[ \t]*(?:\([^)]*\)|[^\n(][^\n]*)|^package[ \t]+\w+", re.M),
    ("//",),
    (),
    "{",
    re.compile(r"\.\s*$"),
    re.compile(r"(?!)"),
    re.compile(r"^(?:func|type|var|const)[ \t]+(?P<name>[A-Z]\w*)", re.M),
    package=re.compile(r"^package[ \t]+(?P<name>\w+)", re.M),
    # What gopls tells of both is incomplete in folders that `./...` leaves out; asked for what is below, it answers
    # both.
    unreported=frozenset({"below"}),
    unnamed_parents="in Go no type names the interfaces that it implements: cn impls INTERFACE tells which types do",
    embedded=re.compile(
        r"[ \t]*\*?(?:\w+\.)?(?P<name>[^\W\d]\w*)(?:\[[^\n]*\])?[ \t]*(?:`[^`\n]*`|\"[^\n]*\")?[ \t]*(?://[^\n]*)?$"
    ),
    known=frozenset(
        "any bool byte comparable complex128 complex64 error float32 float64 int int16 int32 int64 int8 rune string "
        "uint uint16 uint32 uint64 uint8 uintptr append cap clear close copy delete len make max min new panic print "
        "println recover iota _".split()
    ),
    left_out=re.compile(r'^//go:build[ \t][^\n]*|^import[ \t]+"C"|^[ \t]+"C"$', re.M),
)
RUST = Form(
    "rust",
    re.compile(
        r"(?P<space>\s+|'[^\W\d]\w*(?!'))|(?P<comment>//[^\n]*|/\*[\s\S]*?(?:\*/|\Z))"
        r'|(?P<string>[bc]?r(?P<hashes>#*)"[\s\S]*?(?:"(?P=hashes)|\Z)|[bc]?"(?:\\[\s\S]|[^"\\])*"?'
        r"|b?'(?:\\[^'\n]*.|[^'\\\n])')" + _NAME
    ),
    frozenset(
        "Self as async await break const continue crate dyn else enum extern false fn for if impl in let loop match "
        "mod move mut pub ref return self static struct super trait true type unsafe use where while".split()
    ),
    re.compile(r"^[ \t]*(?:pub(?:\([^)\n]*\))?[ \t]+)?(?:use\b[^;]*;|extern[ \t]+crate\b[^;]*;)", re.M),
    ("//",),
    ("#[",),
    "{",
    re.compile(r"(?:\.|::)\s*$"),
    re.compile(r"\s*(?:<[^>{]*>)?\s*:(?!:)(?P<names>(?:(?!\bwhere\b)[^{;])*)"),
    re.compile(
        r"^pub(?:\([^)\n]*\))?[ \t]+(?:(?:async|unsafe|const|extern(?:[ \t]+\"[^\"\n]*\")?)[ \t]+)*"
        r"(?:fn|struct|enum|union|trait|type|static(?:[ \t]+mut)?|const|macro)[ \t]+(?P<name>[^\W\d]\w*)",
        re.M,
    ),
    module=re.compile(r"\b\w+::"),
    between="+",
    implementing=("impl", "for"),
    unnamed_parents="in Rust no type names the traits that it implements: cn impls TRAIT tells which types do",
    unreported=frozenset({"above"}),
    unnamed=re.compile(
        r"(?:add|sub|mul|div|rem|shl|shr|bit(?:and|or|xor))(?:_assign)?|neg|not|eq|ne|cmp|partial_cmp|lt|le|gt|ge|index|"
        r"index_mut|deref|deref_mut|drop|fmt|next|into_iter|from|try_from|poll|clone|hash|default"
    ),
    renamed=re.compile(r"[ \t]+as[ \t]+(?!_\b)(?P<name>[^\W\d]\w*)"),
    known=frozenset(
        "bool char f32 f64 i128 i16 i32 i64 i8 isize str u128 u16 u32 u64 u8 usize Err None Ok Option Result Some "
        "String Vec Box".split()
    ),
    unknown="the type is not known, or a macro or code that a cfg leaves out holds it",
)


def _other(name: str, comments: str, marks: tuple[str, ...]) -> Form:
    """Of a language of which no more is known than what begins its comments. comments: a pattern. What may be code in a
    string is read as code."""
    strings = r"(?P<string>\"(?:\\[^\n]|[^\"\\\n$#{`])*\"|'(?:\\[^\n]|[^'\\\n$#{`])*')"
    tokens = "|".join(filter(None, (r"(?P<space>\s+)", comments and f"(?P<comment>{comments})", comments and strings)))
    nothing = re.compile(r"(?!)")
    return Form(
        name,
        re.compile(tokens + _NAME),
        frozenset(),
        nothing,
        marks,
        (),
        "{",
        _MEMBER,
        nothing,
        nothing,
        unreported=frozenset({"below"}),
        loose=True,
        unknown="the language server does not say what it is",
    )


PHP = Form(
    "php",
    # A string with a `$` or a brace in it may hold code, and is read as that.
    re.compile(
        r"(?P<space>\s+)|(?P<comment>//[^\n]*|#(?!\[)[^\n]*|/\*[\s\S]*?(?:\*/|\Z))"
        r"|(?P<string>'(?:\\[\s\S]|[^'\\])*'|\"(?:\\[\s\S]|[^\"\\${])*\")" + _NAME
    ),
    frozenset(
        "abstract and array as break callable case catch class clone const continue declare default do echo "
        "else elseif empty enddeclare endfor endforeach endif endswitch endwhile enum extends final finally "
        "fn for foreach function global goto if implements include include_once instanceof insteadof "
        "interface isset list match namespace new or print private protected public readonly require "
        "require_once return static switch throw trait try unset use var while xor yield self parent true "
        "false null".split()
    ),
    re.compile(r"^use\b[^;(]*;", re.M),
    ("//", "#"),
    ("#[",),
    "{",
    re.compile(r"(?:->|\\|\bnew\s+|\binstanceof\s+|\bextends\s+|\bimplements\s.*|^\s*use\s.*)\s*$"),
    re.compile(r"(?:\s*:\s*\w+)?\s*(?P<names>(?:(?:extends|implements)\b[^{;]*)+)"),
    re.compile(
        r"^(?:(?:abstract|final|readonly)[ \t]+)*(?:class|interface|trait|enum|function)[ \t]+(?P<name>[^\W\d]\w*)",
        re.M,
    ),
    module=re.compile(r"\\"),
    renamed=re.compile(r"[ \t]+as[ \t]+(?P<name>[^\W\d]\w*)"),
    quoted=r"(?<![\w\])]\[)(?P<quote>['\"])(?:[\w\\]*(?:\\|::))?(?P<name>{name})(?:\(\))?(?P=quote)(?!\s*=>)",
    known=frozenset("array bool callable false float int iterable mixed never null object string true void".split()),
)
BASH = Form(
    "bash",
    # What stands in strings may be run.
    re.compile(r"(?P<space>\s+)|(?P<comment>(?<![^\s;(])#[^\n]*)" + _NAME),
    frozenset("case do done elif else esac fi for function if in select then until while".split()),
    re.compile(r"(?!)"),
    ("#",),
    (),
    "{",
    re.compile(
        r"(?:^|[;&|({`])\s*(?!(?:function|local|declare|export|readonly|typeset|read|for|select|getopts|mapfile|readarray"
        r"|then|do|else)\b)[^\s;&|({`][^;&|({`]*\s\s*$|['\"$/.=-]$"
    ),
    re.compile(r"(?!)"),
    re.compile(r"^(?:function[ \t]+)?(?P<name>[^\W\d]\w*)[ \t]*\(\)", re.M),
    dynamic=re.compile(r"^[^#\n]*?(?<![^\s;&|({])(?:\.|source)[ \t]+[^\n;&|]*[$`]", re.M),
    scoped=re.compile(r"(?<![\w-])(?:local|(?:declare|typeset)\b(?!.*\s-\w*g))\b"),
    shebang=re.compile(r"#!.*\b(?:ba|da|k|z)?sh\b"),
    aside=True,
    unknown="no file that the script takes in by its path declares it, or it stands in a string",
)
YAML = Form(
    "yaml",
    re.compile(r"(?P<space>\s+)|(?P<comment>(?<!\S)#[^\n]*)" + _NAME),
    frozenset(),
    re.compile(r"(?!)"),
    ("#",),
    (),
    ":",
    # What files of YAML declare is asked for with their path.
    re.compile(""),
    re.compile(r"(?!)"),
    re.compile(r"(?!)"),
    aside=True,
    unknown="what reads a key of YAML is not known",
)
# Of unknown languages nothing is read as a comment, nor for a string.
UNKNOWN = _other("unknown", "", ())
_SLASHED = _other("slashed", r"//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)", ("//",))
_HASHED = _other("hashed", r"(?<![^\s;(])#[^\n]*", ("#",))
_DASHED = _other("dashed", r"--[^\n]*", ("--",))
BY_ENDING = {
    **dict.fromkeys(".java .cs .kt .kts .scala .swift .dart .groovy .zig .d .sol .m .mm".split(), _SLASHED),
    **dict.fromkeys(".rb .ex .exs .pl .pm .jl .nix .tf .nim .cr .ps1".split(), _HASHED),
    **dict.fromkeys(".lua .hs .elm .adb .ads".split(), _DASHED),
    **dict.fromkeys((".py", ".pyi", ".pyw"), PYTHON),
    **dict.fromkeys((".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx"), C),
    **dict.fromkeys((".php", ".phtml"), PHP),
    **dict.fromkeys((".sh", ".bash", ".bats"), BASH),
    **dict.fromkeys((".yaml", ".yml"), YAML),
    ".go": GO,
    ".rs": RUST,
}
