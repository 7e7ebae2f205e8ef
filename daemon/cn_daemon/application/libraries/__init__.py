"""Command libraries and past reports: `commands` and `reports` have the verbs over them, `execution` carries one out.

`library` holds all commands and `command_search` ranks them; `climpt`, `api_calls` and `prompting` are how each kind
is run; `library_ports` and `program_ports` what they ask of the outside.
"""
