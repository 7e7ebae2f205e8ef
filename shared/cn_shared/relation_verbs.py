"""The verbs about how symbols hang together."""

from cn_shared.verb import Parameter, Verb

SERVER = Parameter(
    "server",
    "Which TypeScript server answers hover and diagnostics: the one that fits the workspace, or one of the two.",
    default="auto",
    choices=("auto", "typescript", "native"),
)
QUERY = Parameter(
    "query",
    "A name, Container.member, path:name, path:line:character, an id, or for find names by pattern (*Router).",
    positional=True,
    several=True,
)
CURSOR = Parameter("cursor", "Continue an earlier answer: its `next`.")


def limit(noun: str, default: int) -> Parameter:
    return Parameter(
        "limit", f"At most this many {noun}; 0 is all.", kind="integer", default=default, minimum=0, maximum=1_000_000
    )


def depth(help: str, default: int) -> Parameter:
    return Parameter("depth", help, kind="integer", default=default, minimum=1, maximum=10)


RELATION_VERBS = (
    Verb(
        "refs",
        "List every mention of a symbol, by file.",
        "Each mention says what it does (call, import, declare, use) and which declaration holds it; tests come last.",
        (QUERY, limit("mentions", 200), CURSOR, SERVER),
        examples=("cn refs User", "cn refs User.rename --limit 20"),
    ),
    Verb(
        "callers",
        "Show what calls a symbol.",
        "The declarations that call QUERY, in every project, and where; one that hands a function on counts. "
        "--depth shows their callers too.",
        (QUERY, depth("How many levels of callers.", 1), limit("callers", 100), CURSOR, SERVER),
        examples=("cn callers save", "cn callers Store.save --depth 3"),
    ),
    Verb(
        "callees",
        "Show what a symbol calls.",
        "Everything that the code of QUERY calls and where it is declared; what packages and the language bring last.",
        (QUERY, limit("callees", 100), CURSOR, SERVER),
        examples=("cn callees checkout",),
    ),
    Verb(
        "impls",
        "Show what implements a symbol.",
        "The classes, members and object literals that implement or override an interface, a class or a member. An "
        "object literal in a call, a list or a condition is listed for a member only, such as Store.save.",
        (QUERY, SERVER),
        examples=("cn impls Store", "cn impls Store.save"),
    ),
    Verb(
        "types",
        "Show a type's supertypes and subtypes.",
        "What a class or interface extends and implements, and what extends and implements it, as a tree.",
        (QUERY, depth("How many levels either way.", 3), SERVER),
        examples=("cn types Shape",),
    ),
    Verb(
        "hover",
        "Show a symbol's signature and documentation.",
        "As an editor shows it when the mouse rests on the name: inferred types included.",
        (QUERY, SERVER),
        examples=("cn hover total", "cn hover src/cart.ts:12:9"),
    ),
)
