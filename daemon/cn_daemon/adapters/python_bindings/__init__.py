"""What names decide in Python: the port `Names` without a server, from the syntax of the files that hold a name.

`syntax` parses a text, `occurrences` tells what each occurrence of one name in it is, and which scope binds it;
`modules` leads from imports to files, `leads` from an occurrence to what is declared, `names` is the port. Sources: the
Python Language Reference (4.2, naming and binding; 5, the import system; 7.11, the import statement); PEP 227, 328,
484, 563, 572, 634, 695.
"""
