"""The language servers: `table` says which one answers for which file.

| folder | holds |
|---|---|
| `tsserver` | TypeScript ≤ 6, by typescript-language-server and tsserver's own requests |
| `native` | TypeScript ≥ 7, by the compiler itself: what is its own beside plain LSP |
| `lsp` | plain LSP, and the servers of all other languages: the rows of `languages` |
| `clang` | the compile commands that clangd is given: of the workspace's those that are harmless |
| `provisioning` | how their programs are found or installed |

In each of the first three `server` asks the questions and reads the answers, `link` sends requests, `files` is what the
server is told of files, `shapes` are those of its rows. `projects` are what it has loaded; `lending` has it answer
about texts that are not the disk's. tsserver's `roll` names the loose files that are open, and its `guard` keeps it to
what it may read.

What they share: `compilers` and `spawning` start processes, in a `sandbox` where they read the code, libraries and
their own `program_files`, `greeting` is what they are told first, `launch` makes a `session` of one that runs,
`supervisor` has one run always, `deadlines` end the waiting, `standing` tells a question that what it has loaded is
gone, `outlines` keeps those of the last texts. `sources` is what both of TypeScript's count as source, `handover`
answers by the one or the other, `linked` asks by every name that links give a file, and `redirects` leads imports of
packages that are not built to the sources that are `meant`, as long as the `folders` that decide it are what they were;
`led` knows where a file's places are in the text that servers are given then.
"""
