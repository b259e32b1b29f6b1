"""Which Rust file names something that another defines.

`text` blanks what is no code, `uses` reads use declarations, `modules` the tree of files and what
each defines and brings in, `resolve` follows a path to the file that defines its name, and
`references` goes through every path of a crate.
"""

from checks.rust.references import read_rust

__all__ = ["read_rust"]
