"""The bindings of Python's names, by scopes and imports.

`syntax` parses a text, `occurrences` tells what each occurrence of one name in it is, and which scope binds it: by
`scopes`, `imports`, `strings` (with `annotations`) and `values`, in the words of `mentions`;
`modules` leads from imports to files, `resolution` from an occurrence to what is declared, `names` is the port.
Sources: the Python Language Reference (4.2, naming and binding; 5, the import system; 7.11, the import statement); PEP
227, 328, 484, 563, 572, 634, 695.
"""
