"""What a file declares: `items` makes declarations (`outline`) of what a server lists, by the source.

`symbols` says which belong together, `blocks` which lines to show of one. The others know one form of declaration each.
"""
