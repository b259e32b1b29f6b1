"""Samples that did not get into their file."""


class SamplesLost(Exception):
    """The disk refused `count` samples, for a reason that its message tells people."""

    def __init__(self, error: OSError, count: int, consequence: str = "") -> None:
        super().__init__(f"{error.strerror or error}{consequence}")
        self.count = count
