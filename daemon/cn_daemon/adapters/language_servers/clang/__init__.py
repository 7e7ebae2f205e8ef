"""How, to clangd's knowledge, the files of a workspace are compiled: by arguments that are known to be harmless.

`arguments` keeps those of a command that a compiler only reads code by, `database` writes the commands of a workspace
into the cache, where clangd reads them in place of the workspace's own.
"""
