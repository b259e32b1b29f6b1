"""The documents' own pictures, each drawn from data beside it: `python -m docs.pictures`.

- `sawtooth`: one flow's queue; `python -m docs.pictures.sawtooth` simulates it anew.
- `before_after`: a demonstration; `python -m docs.pictures.before_after FOLDER` takes its results.
- `stamp`: a picture knows what it was drawn from.
"""
