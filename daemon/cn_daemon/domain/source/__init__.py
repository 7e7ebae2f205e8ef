"""Source text: places in it (`text`), its parts (`tokens`, `brackets`, `statements`, `functions`), and a
document that reads it once for all who ask (`reading`). `forms` reads languages other than TypeScript.
"""
