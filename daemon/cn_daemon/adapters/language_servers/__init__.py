"""The language servers: `table` says which one answers for which file.

| folder | holds |
|---|---|
| `tsserver` | TypeScript ≤ 6, by typescript-language-server and tsserver's own requests |
| `native` | TypeScript ≥ 7, by the compiler itself: what is its own beside plain LSP |
| `lsp` | plain LSP, and the servers of all other languages: the rows of `languages` |
| `clang` | the compile commands that clangd is given: of the workspace's those that are harmless |
| `provisioning` | how their programs are found or installed |

In each of the first three `server` asks the questions and reads the answers, `link` sends requests, `files` keeps open
what is asked about and tells the server what changed, `shapes` are those of its rows. TypeScript's two answer `hover`
and `diagnostics`, and what is asked where names and types cannot be had; they load what the files belong to that they
are asked about, and nothing ahead of that. tsserver's `forms` has texts read that need not be the disk's, and its
`guard` keeps it to what it may read.

What they share: `compilers` and `spawning` start processes, in a `sandbox` where they read the code, libraries and
their own `program_files`, `greeting` is what they are sent first, `launch` makes a `session` of one that runs,
`supervisor` has one run always, `deadlines` end the waiting, `outlines` keeps those of the last texts. `sources` is
what both of TypeScript's count as source, `linked` asks by the names that links give a file.
"""
