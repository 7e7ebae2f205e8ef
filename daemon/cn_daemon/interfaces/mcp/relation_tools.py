"""How symbols hang together, as tools. `find` offers them as its relations: each name is understood, and not listed."""

from __future__ import annotations

from cn_daemon.interfaces.mcp.tool import CURSOR, Input, Tool

QUERY = Input("query", help="User, User.rename, path:User, path:line:character, an id, or *Router.", required=True)
DEPTH = Input("depth")

RELATIONS = (
    Tool(
        "refs",
        "refs",
        "List a symbol's mentions",
        "Every mention of a symbol by file, with what each does (call, import, declare, use) and the function or class "
        "that holds it; tests apart. Use it instead of find when you need to know who uses a symbol and how, before "
        "you change it.",
        (QUERY, Input("limit", default=50), CURSOR),
    ),
    Tool(
        "callers",
        "callers",
        "Show what calls a symbol",
        "The functions and methods, in every project of the workspace, that call a symbol or hand it on, and where. "
        "Call it before you change a signature or a behaviour; depth 2 or 3 shows what breaks further up.",
        (QUERY, DEPTH, Input("limit", default=40), CURSOR),
    ),
    Tool(
        "callees",
        "callees",
        "Show what a symbol calls",
        "What the code of a function, method or class calls, and where that is declared: the next places to read. "
        "Cheaper than reading the code when you only follow the flow.",
        (QUERY, Input("limit", default=40), CURSOR),
    ),
    Tool(
        "impls",
        "impls",
        "Show what implements a symbol",
        "The classes, members and object literals that implement or override an interface, a class or a member of one.",
        (QUERY,),
    ),
    Tool(
        "types",
        "types",
        "Show supertypes and subtypes",
        "What a class or interface extends and implements, and what extends and implements it, as a tree.",
        (QUERY, DEPTH),
    ),
    Tool(
        "hover",
        "hover",
        "Show a signature",
        "The signature of a symbol with inferred types, and its documentation, without its code. For a local or a "
        "parameter give path:line:character.",
        (QUERY,),
    ),
)
