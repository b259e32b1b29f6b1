"""Why the two switches answer otherwise; kept by hand."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from conformance.samples.comparison import Difference
from conformance.samples.observation import PUSH


@dataclass(frozen=True)
class Reason:
    """why: for the page; explains: whether that is why a request is answered otherwise."""

    why: str
    explains: Callable[[Difference], bool]


def _told(request: str, here: str, there: str) -> Callable[[Difference], bool]:
    """By patterns: of the request, and of how both answer, each from its beginning."""
    patterns = [re.compile(pattern) for pattern in (request, here, there)]

    def explains(difference: Difference) -> bool:
        texts = (difference.request, str(difference.here), str(difference.there))
        return all(pattern.match(text) for pattern, text in zip(patterns, texts, strict=True))

    return explains


def _of(*programs: str) -> Callable[[Difference], bool]:
    return lambda difference: difference.program in programs


REASONS: Sequence[Reason] = (
    Reason(
        "BMv2 does not report that entries are constant.",
        lambda difference: difference.is_in_constancy_alone,
    ),
    Reason(
        "The table's entries are constant. Both refuse further entries, but BMv2 does not say why.",
        _told("insert table", "PERMISSION_DENIED: .* its entries are constant", "UNKNOWN: "),
    ),
    Reason(
        "The compiler has removed an object that no packet can reach. P4Info still has it. The "
        "embedded switch refuses the request and names the object; BMv2 answers from P4Info alone.",
        _told("", "INVALID_ARGUMENT: .* is in P4Info only", ""),
    ),
    Reason(
        "BMv2 does not report the default action of a table with an action profile.",
        _told("read default of table", r"\{.* action=", r"\{((?! action=).)*$"),
    ),
    Reason(
        "The program restricts entries (`@entry_restriction`). BMv2 does not check this.",
        _told("insert table", "INVALID_ARGUMENT: entries of table .* are restricted by ", "OK"),
    ),
    Reason(
        "BMv2's server cannot read registers.",
        _told("read register", r"\{", "UNIMPLEMENTED: Register"),
    ),
    Reason(
        "BMv2's server cannot read parser value sets.",
        _told("read value set", r"\{", "UNIMPLEMENTED: ValueSet reads"),
    ),
    Reason(
        "No controller has enabled the digest. The embedded switch returns nothing, BMv2 "
        "NOT_FOUND.",
        _told("read digest", "OK", "NOT_FOUND: "),
    ),
    Reason(
        "P4Info has no width for a key of type `error`. Both refuse the entry, with different "
        "codes.",
        _told("insert table", "OUT_OF_RANGE: .* does not fit in bit<0>", "INVALID_ARGUMENT: "),
    ),
    Reason(
        "The type is translated to strings. BMv2 accepts none of its values.",
        _told("insert table", "OK", "INVALID_ARGUMENT: .* does not fit within 0 bits"),
    ),
    Reason("p4c writes a JSON that BMv2 cannot read.", _of("control-hs-index-test3")),
    Reason(
        "p4c writes a key that BMv2's JSON format does not have. Both refuse the program.",
        _told(PUSH, "INVALID_ARGUMENT: .* malformed key", "UNKNOWN: "),
    ),
    Reason(
        "p4c's JSON lacks a header type that it names. BMv2 ignores its loader's error and answers "
        "OK, but does not run the program.",
        _told(PUSH, "INVALID_ARGUMENT: header .* there is no header type", "OK"),
    ),
    Reason(
        "BMv2's server loses track of `entries` that are not `const`.", _of("init-entries-bmv2")
    ),
    Reason(
        "Priorities of the program's own entries are counted up from 1 here, down from 2147483646 "
        "on BMv2.",
        _told("read entries of table", r"\{.* priority=\d ", r"\{.* priority=2147483\d{3}"),
    ),
    Reason(
        "BMv2 reports the bits behind a prefix of the program's own entry. Here they are 0.",
        _of("table-entries-lpm-bmv2"),
    ),
    Reason(
        "The digest has a part of type `error`, for which P4Runtime has no value. Both refuse it.",
        _told(PUSH, "INVALID_ARGUMENT: digest .* has a part of type error", "UNKNOWN: "),
    ),
    Reason(
        "P4Runtime translates the types to another width. BMv2 does not.",
        _of("v1model-p4runtime-enumint-types1", "v1model-p4runtime-most-types1"),
    ),
)
