"""What is wrong in a runtime file."""

from collections.abc import Sequence

from p4abs.errors import UserError


class RuntimeFileError(UserError):
    """A runtime file cannot be applied; the message is one line that names the place."""


class EntriesRefused(RuntimeFileError):
    """Entries of a runtime file that no switch takes.

    reasons: for each of them a line that names file and place.
    """

    def __init__(self, reasons: Sequence[str]) -> None:
        others = len(reasons) - 1
        more = f" (and {others} more error{'s' if others > 1 else ''})" if others else ""
        super().__init__(f"{reasons[0]}{more}")
        self.reasons = tuple(reasons)
