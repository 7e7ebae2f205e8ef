"""Pure rules. About code: `source` (texts), on it `declarations` and `mentions`; `ids` and `patches` are what a
user and git say of it. `libraries` are those of commands and reports.
"""
