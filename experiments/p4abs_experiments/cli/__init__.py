"""The commands of this package, registered as an entry point in `pyproject.toml`.

`p4abs --help` imports the command's module, so what is slow to import is imported when it runs.
"""
