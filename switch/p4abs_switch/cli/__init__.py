"""The commands of this package, registered as entry points in `pyproject.toml`.

With `demonstration` the only part of the package that knows p4abs. `p4abs --help` imports every
command's module, so what is slow to import is imported when a command runs.
"""
