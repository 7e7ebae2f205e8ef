"""Random changes of a workspace: after each, a daemon that has seen them all must answer as one that starts now.

    python -m tests.faults.churn --steps 60 --seed 1 --typescript 5 --project zod
    python -m tests.faults.churn --steps 12 --asked 4 --folder ~/src/app

`ground` is the workspace on disk, `monorepo` one of our own; `sources`, `setup` and `odd` change it, `drive` asks the
two daemons and compares, `shrink` finds which of the changes a difference needs.
"""
