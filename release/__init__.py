"""What is released: wheels, a source distribution, their licences and digests.

`python -m release` makes them of a commit; `make dist` calls it. From the ground up:

- `errors`: what cannot be released, and why.
- `crates`: the licences of what is linked into the switch.
- `staging`: a commit's files in a folder of their own, with licences where they belong.
- `archives`: how each package is built, so that the same commit gives the same bytes.
"""
