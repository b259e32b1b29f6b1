"""What ends a build of the reference."""


class Undescribed(Exception):
    """Something that users meet has no description; the message names it."""
