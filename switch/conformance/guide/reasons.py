"""Why a demonstration fails on a switch, where PTF's words do not tell; kept by hand."""

from collections.abc import Mapping

from conformance.workplace.switches import OVER_P4RUNTIME

_DROP_IN, _BMV2 = OVER_P4RUNTIME.drop_in, OVER_P4RUNTIME.bmv2
_OWN_FAULT = "The test's own fault"
_DUPLICATE_KEYS = f"{_OWN_FAULT}: it masks an address's last byte, and its packets vary the first."

REASONS: Mapping[tuple[str, str], str] = {
    (
        "initial-table-entries/init-entries",
        _BMV2,
    ): "BMv2's server loses track of `entries` that are not `const`; the README says so.",
    (
        "lpmtester/lpmwidth20bits",
        _DROP_IN,
    ): f"{_OWN_FAULT}: it reads past the end of its own list once all entries are in the table.",
    (
        "lpmtester/lpmwidth20bits",
        _BMV2,
    ): "BMv2's server refuses prefixes of keys that are not whole bytes; the README says so.",
    ("ptf-tests/duplicatekeys", _DROP_IN): _DUPLICATE_KEYS,
    ("ptf-tests/duplicatekeys", _BMV2): _DUPLICATE_KEYS,
}
"""By demonstration and switch."""
