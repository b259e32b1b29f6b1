"""Why a demonstration fails on a switch, where PTF's words do not tell; kept by hand."""

from collections.abc import Mapping

from conformance.workplace.switches import OVER_P4RUNTIME

_DROP_IN, _BMV2 = OVER_P4RUNTIME.drop_in, OVER_P4RUNTIME.bmv2
_DUPLICATE_KEYS = (
    "The test is wrong: it masks the last byte of an address, but its packets differ in the first."
)

REASONS: Mapping[tuple[str, str], str] = {
    (
        "initial-table-entries/init-entries",
        _BMV2,
    ): "BMv2's server loses track of `entries` that are not `const`; the README says so.",
    (
        "lpmtester/lpmwidth20bits",
        _DROP_IN,
    ): "The test is wrong: it reads past the end of its list once all entries are in the table.",
    (
        "lpmtester/lpmwidth20bits",
        _BMV2,
    ): "BMv2's server refuses prefixes of keys that are not whole bytes; the README says so.",
    ("ptf-tests/duplicatekeys", _DROP_IN): _DUPLICATE_KEYS,
    ("ptf-tests/duplicatekeys", _BMV2): _DUPLICATE_KEYS,
}
"""By demonstration and switch."""
