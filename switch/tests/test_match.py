"""Match keys (P4Runtime 1.5, section 9.1.1), with the `acl`, `stations` and `prefixes` tables."""

import grpc
import pytest
from finsy.proto import p4r
from p4abs_switch.canonical_key import canonical_key
from p4abs_switch.engine_types import Match
from p4abs_switch.messages import match
from p4abs_switch.program.objects import Program, Table
from p4abs_switch.status import RequestError

_F = p4r.FieldMatch


@pytest.fixture
def acl(kinds: Program) -> Table:
    """ether_type ternary 16, source range 48, ingress_port optional 9."""
    return _named(kinds, "KindsIngress.acl")


@pytest.fixture
def prefixes(kinds: Program) -> Table:
    """source lpm 48."""
    return _named(kinds, "KindsIngress.prefixes")


@pytest.fixture
def stations(kinds: Program) -> Table:
    """destination exact 48."""
    return _named(kinds, "KindsIngress.stations")


def test_omitted_fields_match_anything(acl: Table, prefixes: Table) -> None:
    assert match.key(acl, []) == (("any",), ("any",), ("any",))
    assert match.key(prefixes, []) == (("any",),)


@pytest.mark.requirement("8.3-8")
def test_keys_are_canonical_and_in_the_order_of_the_table(acl: Table) -> None:
    given = [
        _F(field_id=3, optional=_F.Optional(value=b"\x00\x00\x05")),
        _F(field_id=2, range=_F.Range(low=b"\x00\x01", high=b"\x00\x02")),
        _F(field_id=1, ternary=_F.Ternary(value=b"\x00\x08\x00", mask=b"\xff\x00")),
    ]
    assert match.key(acl, given) == (
        ("ternary", b"\x08\x00", b"\xff\x00"),
        ("range", b"\x01", b"\x02"),
        ("ternary", b"\x05", b"\x01\xff"),
    )


def test_what_is_written_is_what_is_read(acl: Table) -> None:
    given = [
        _F(field_id=1, ternary=_F.Ternary(value=b"\x08\x00", mask=b"\xff\x00")),
        _F(field_id=2, range=_F.Range(low=b"\x01", high=b"\x02")),
        _F(field_id=3, optional=_F.Optional(value=b"\x05")),
    ]
    for count in range(4):
        assert match.messages(acl, match.key(acl, given[:count])) == given[:count]


@pytest.mark.parametrize(
    ("given", "canonical"),
    [
        (("range", b"\0\0", b"\1\xff"), ("any",)),
        (("range", b"\0", b"\1\xfe"), ("range", b"\0", b"\1\xfe")),
        (("range", b"\0\1", b"\1\xff"), ("range", b"\1", b"\1\xff")),
        (("ternary", b"\0", b"\0\0"), ("any",)),
        (("ternary", b"\0\1", b"\0\3"), ("ternary", b"\1", b"\3")),
        (("lpm", b"\0", 0), ("any",)),
    ],
)
def test_matches_have_one_canonical_form(given: Match, canonical: Match) -> None:
    assert canonical_key([given], [9]) == (canonical,)


@pytest.mark.requirement("9.1.1-4")
def test_matches_of_everything_are_canonically_omitted(acl: Table, prefixes: Table) -> None:
    everything: match.Key = (
        ("ternary", b"\x00\x00", b"\x00\x00"),
        ("range", bytes(6), b"\xff" * 6),
        ("any",),
    )
    assert match.messages(acl, everything) == []
    assert match.messages(prefixes, [("lpm", bytes(6), 0)]) == []


@pytest.mark.parametrize(
    "given",
    [
        _F(field_id=4, exact=_F.Exact(value=b"\x01")),
        _F(field_id=1, exact=_F.Exact(value=b"\x01")),
        _F(field_id=1),
        _F(field_id=1, ternary=_F.Ternary(value=b"\x00", mask=b"\x00")),
        _F(field_id=1, ternary=_F.Ternary(value=b"\x03", mask=b"\x01")),
        _F(field_id=2, range=_F.Range(low=b"\x02", high=b"\x01")),
        _F(field_id=2, range=_F.Range(low=b"\x00", high=b"\xff" * 6)),
    ],
    ids=[
        "no such field",
        "another kind",
        "no kind",
        "ternary that matches anything",
        "value outside mask",
        "range upside down",
        "range that matches anything",
    ],
)
@pytest.mark.requirement("9.1.1-1", "9.1.1-3", "9.1.1-6", "9.1.1-7")
def test_forbidden_matches_are_invalid_arguments(acl: Table, given: p4r.FieldMatch) -> None:
    _assert_refused(acl, [given], grpc.StatusCode.INVALID_ARGUMENT)


@pytest.mark.parametrize("length", [-1, 0, 49])
@pytest.mark.requirement("9.1.1-3")
def test_prefixes_outside_the_field_are_invalid_arguments(prefixes: Table, length: int) -> None:
    given = _F(field_id=1, lpm=_F.LPM(value=b"\x00", prefix_len=length))
    _assert_refused(prefixes, [given], grpc.StatusCode.INVALID_ARGUMENT)


@pytest.mark.requirement("9.1.1-5")
def test_bits_below_the_prefix_are_invalid_arguments(prefixes: Table) -> None:
    given = _F(field_id=1, lpm=_F.LPM(value=b"\x01\x00\x00\x00\x00\x01", prefix_len=47))
    _assert_refused(prefixes, [given], grpc.StatusCode.INVALID_ARGUMENT)


@pytest.mark.requirement("9.1.1-2")
def test_exact_fields_cannot_be_omitted_or_given_twice(stations: Table) -> None:
    given = _F(field_id=1, exact=_F.Exact(value=b"\x01"))
    _assert_refused(stations, [], grpc.StatusCode.INVALID_ARGUMENT)
    _assert_refused(stations, [given, given], grpc.StatusCode.INVALID_ARGUMENT)


def test_a_table_without_key_says_that_it_has_no_field(kinds: Program) -> None:
    given = [_F(field_id=1, exact=_F.Exact(value=b"\x01"))]
    with pytest.raises(RequestError, match=r"keyless has no key field 1; valid: none$"):
        match.key(_named(kinds, "KindsIngress.keyless"), given)


@pytest.mark.requirement("8.3-5", "9.1.1-8")
def test_values_wider_than_the_field_are_out_of_range(stations: Table, acl: Table) -> None:
    wide = _F(field_id=1, exact=_F.Exact(value=b"\x01" + bytes(6)))
    _assert_refused(stations, [wide], grpc.StatusCode.OUT_OF_RANGE)
    wide = _F(field_id=3, optional=_F.Optional(value=b"\x02\x00"))
    _assert_refused(acl, [wide], grpc.StatusCode.OUT_OF_RANGE)


def _assert_refused(table: Table, given: list[p4r.FieldMatch], code: grpc.StatusCode) -> None:
    with pytest.raises(RequestError, match=table.name) as caught:
        match.key(table, given)
    assert caught.value.code is code


def _named(program: Program, name: str) -> Table:
    return next(table for table in program.tables.values() if table.name == name)
