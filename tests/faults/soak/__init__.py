"""Thousands of mixed questions under random kills and file edits, every answer checked against the truth.

    python -m tests.faults.soak --calls 20000 --seed 1 --server typescript

`world` is a workspace whose symbols and uses are known by construction, `edits` changes it, `questions` asks and
checks, `client` carries the questions to the daemon, `kills` and `leaks` say what they do.
"""
