"""Pure rules. About code: `source` (texts), on it `declarations` and `mentions`; `ids`, `scopes` and `patches` are what
a user, a tsconfig and git say of it. `libraries` are those of commands and reports.
"""
