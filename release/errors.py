"""Why there is no release."""


class ReleaseError(Exception):
    """One line for whoever releases."""
