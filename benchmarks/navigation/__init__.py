"""How right `cn`'s navigation is, against the TypeScript compiler. See README.md in this folder."""
