"""Why tests of a program fail; kept by hand."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    """here: what every test that fails here is told, in part; None where none does."""

    why: str
    here: str | None = None

    def explains(self, failure: str) -> bool:
        """Whether that is how a test was expected to fail here."""
        return self.here is not None and self.here in failure


_BROKEN_KEY = Reason(
    "p4c writes a key that BMv2's JSON format does not have. Both refuse the program.",
    "malformed key",
)
_NO_TYPE = Reason("p4c's JSON lacks a header type that it names.", "there is no header type")
_INITIAL = Reason(
    "BMv2's JSON does not say which entries are not constant. Both refuse further entries.",
    "its entries are constant",
)
_STACK = Reason("BMv2 ends its process at an index outside of a header stack.")
_NEGATIVE = Reason("BMv2 ends its process at a negative index.")
_TIME = Reason(
    "The mailbox's answer contains the time. p4testgen expects 0, which only the tests on the "
    "embedded switch have."
)

REASONS: Mapping[str, Reason] = {
    **dict.fromkeys(("control-hs-index-test1", "control-hs-index-test2"), _STACK),
    **dict.fromkeys(("issue2726-bmv2", "runtime-index-bmv2"), _NEGATIVE),
    **dict.fromkeys(("ours-queue", "ours-shared_queue", "ours-virtual_queue"), _TIME),
    **dict.fromkeys(("control-hs-index-test6", "issue3374"), _BROKEN_KEY),
    "control-hs-index-test3": Reason("p4c writes a JSON that BMv2 cannot read."),
    "control-hs-index-test5": Reason(
        "p4c's own list of failures calls this JSON wrong. BMv2's process ends."
    ),
    "issue1043-bmv2": Reason(
        "The program resubmits each packet without end, so BMv2 never finishes."
    ),
    "issue1607-bmv2": Reason("BMv2 ends its process: an assertion of its own fails."),
    "extract_for_header_union": _NO_TYPE,
    "init-entries-bmv2": _INITIAL,
}
"""By program."""
