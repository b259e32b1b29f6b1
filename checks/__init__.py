"""Checks of the whole repository: the floors drawn in docs/contributing.md, and sizes.

`python -m checks` reads the sources without running them, in five steps: `layers` reads the
drawings and `families` the folders that may be large, both from `blocks`; `rooms` compares the
drawings with what there is; `python_imports`, `rust` and `includes` find which file of the
`sources` names something of which other; `arrows` and `circles` judge that; `sizes` measures.
"""
