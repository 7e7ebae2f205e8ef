"""What agents read of cn: the paragraph of AGENTS.md, the skill, and the plugin that brings both to Claude Code."""

PARAGRAPH = """\
## Code and command search: cn

Prefer `cn` (MCP server `{name}`, or the shell command) to grep and to reading whole files:

- `cn --text find NAME` – definition and every reference, exact; `cn --text inspect ID` – the code of one symbol;
  `cn --text map FILE` – the outline of a file. For TypeScript, JavaScript, Python, C, C++, Go, Rust, PHP and Bash.
- `cn --text callers NAME`, `cn --text refs NAME`, `cn --text impls NAME` – who calls, mentions, implements it;
  `cn --text overview` – what the workspace holds; `cn --text changed` – the symbols an edit touches, and who uses them.
- `cn --text grep TEXT` – text that is no symbol, each match with the function around it.
- `cn --text search "what you want done"` – a ready command for the task; `cn --text get ID`, then
  `cn --text invoke ID`.
- `cn --text reports search "question"` – what was analysed before.

Without `--text` a pipe gets JSON, which is longer. Answers say whether they are complete; errors carry a hint: follow
it."""

MARK = "<!-- written by cn init -->"
_WHEN = (
    "Find a symbol's definition and every use, who calls or implements it, a file's outline, what a change affects, in "
    "TypeScript, JavaScript, Python, C, C++, Go, Rust, PHP or Bash. Use instead of grep and of reading whole files "
    "whenever a question is about a function, class, method, type or variable by name."
)
SKILL = f"""\
---
name: cn
description: {_WHEN}
---
{MARK}

# cn: exact answers about code

A daemon that cn starts by itself keeps the language servers of this workspace warm. Nothing needs to be built or
refreshed; files may change between questions.

| to know | ask |
|---|---|
| where NAME is, and every use of it | `cn --text find NAME` |
| who calls it; what it calls | `cn --text callers NAME`; `cn --text callees NAME` |
| what each use does, by file | `cn --text refs NAME` |
| what implements or overrides it; the types around it | `cn --text impls NAME`; `cn --text types NAME` |
| the code of one symbol, without the rest of its file | `cn --text inspect ID` |
| what a file declares | `cn --text map FILE` |
| its signature and documentation | `cn --text hover NAME` |
| what this workspace is | `cn --text overview` |
| which symbols differ from a branch, and who uses them | `cn --text changed main` |
| what the compiler complains about | `cn --text diagnostics FILE` |

- NAME is `User`, `User.rename` (a member), `src/user.ts:User` or a place, `src/user.ts:12:14`; `find` lists names by
  pattern (`'*Router'`, `'User|Order'`) and takes several names. ID comes from an answer, or is
  `src/user.ts#User.rename`.
- Exit 0: found, and complete. 3: the answer says what it may miss, and why. 1: nothing found; the hint says what to do.
- `--budget TOKENS` bounds an answer; its last line says how to have the rest. `cn VERB --help` tells the rest.
- Text that is no symbol (messages, comments, configuration): `cn --text grep PATTERN [PATH …]`, each match with the
  function around it, sources first.
"""
