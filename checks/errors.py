"""What is wrong with the lists in docs/contributing.md themselves."""


class ListError(Exception):
    """A list cannot be read or names what does not exist; the text names it and what is valid."""
