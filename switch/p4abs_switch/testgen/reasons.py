"""Why tests of a program fail; kept by hand."""

from collections.abc import Mapping

_PORT_511 = "A packet enters at 511, the port of what v1model drops; no interface can have it here."
_BROKEN_KEY = "p4c writes a key that BMv2's JSON does not have; BMv2 refuses it, too."
_NO_TYPE = "p4c's JSON names a header type that is not in it."
_STACK = "BMv2 ends its process at an index outside of a header stack."
_NEGATIVE = "BMv2 ends its process at a negative index."
_INITIAL = "BMv2's JSON does not say which entries are not constant; both refuse others."

REASONS: Mapping[str, str] = {
    **dict.fromkeys(
        ("crc32-bmv2", "issue3488-1-bmv2", "issue3488-bmv2", "structured_annotations"),
        _PORT_511,
    ),
    **dict.fromkeys(("issue2726-bmv2", "runtime-index-bmv2"), f"{_PORT_511} {_NEGATIVE}"),
    **dict.fromkeys(("control-hs-index-test1", "control-hs-index-test2"), _STACK),
    **dict.fromkeys(("control-hs-index-test6", "issue3374"), _BROKEN_KEY),
    "control-hs-index-test3": "p4c writes a JSON that BMv2 cannot read.",
    "control-hs-index-test5": "p4c's own list of failures calls its JSON bad; BMv2's process ends.",
    "issue1043-bmv2": "The program resubmits each packet for ever; BMv2 never comes to rest.",
    "issue1607-bmv2": "BMv2 ends its process: an assertion of its own fails.",
    "extract_for_header_union": _NO_TYPE,
    "init-entries-bmv2": _INITIAL,
}
"""By program."""
