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
    "p4c writes a key that BMv2's JSON does not have; BMv2 refuses it, too.", "malformed key"
)
_NO_TYPE = Reason("p4c's JSON names a header type that is not in it.", "there is no header type")
_INITIAL = Reason(
    "BMv2's JSON does not say which entries are not constant; both refuse others.",
    "its entries are constant",
)
_STACK = Reason("BMv2 ends its process at an index outside of a header stack.")
_NEGATIVE = Reason("BMv2 ends its process at a negative index.")
_TIME = Reason("The mailbox answers with the time, which p4testgen takes for 0, as here.")

REASONS: Mapping[str, Reason] = {
    **dict.fromkeys(("control-hs-index-test1", "control-hs-index-test2"), _STACK),
    **dict.fromkeys(("issue2726-bmv2", "runtime-index-bmv2"), _NEGATIVE),
    **dict.fromkeys(("ours-queue", "ours-shared_queue", "ours-virtual_queue"), _TIME),
    **dict.fromkeys(("control-hs-index-test6", "issue3374"), _BROKEN_KEY),
    "control-hs-index-test3": Reason("p4c writes a JSON that BMv2 cannot read."),
    "control-hs-index-test5": Reason(
        "p4c's own list of failures calls its JSON bad; BMv2's process ends."
    ),
    "issue1043-bmv2": Reason(
        "The program resubmits each packet for ever; BMv2 never comes to rest."
    ),
    "issue1607-bmv2": Reason("BMv2 ends its process: an assertion of its own fails."),
    "extract_for_header_union": _NO_TYPE,
    "init-entries-bmv2": _INITIAL,
}
"""By program."""
