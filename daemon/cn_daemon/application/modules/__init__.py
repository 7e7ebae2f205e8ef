"""Modules: `modules` and `exports` (what is taken of them), `leads` (where specifiers lead, by the server), `reach`
(the same by texts alone), `importers` (which of several files of one name), `homes` (the projects that say what a file
means).
"""
