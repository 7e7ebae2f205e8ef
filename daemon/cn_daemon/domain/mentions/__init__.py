"""What the text around a name says: how it is used, which module or object it is a member of, what inherits from it."""
