"""Match keys (P4Runtime 1.5, section 9.1.1), with the `acl`, `stations` and `prefixes` tables.

acl: ether_type ternary 16, source range 48, ingress_port optional 9; prefixes: source lpm 48;
stations: destination exact 48.
"""

import grpc
import pytest
from finsy.proto import p4r

from .entities import Entities, exact
from .model import Model
from .refusals import RequestError

_F = p4r.FieldMatch


def entry(entities: Entities, table: str, given: list[p4r.FieldMatch]) -> p4r.Entity:
    priority = 1 if table == "acl" else 0
    return entities.entry(table, given, "forward", 1, priority=priority)


@pytest.mark.requirement("9.1.1-4")
def test_omitted_fields_match_anything(kinds: Model, entities: Entities) -> None:
    for table in ("acl", "prefixes"):
        kinds.insert(entry(entities, table, []))
        [read] = kinds.read(entities.entry(table))
        assert not read.table_entry.match


@pytest.mark.requirement("8.3-8")
def test_keys_are_canonical_and_in_the_order_of_the_table(kinds: Model, entities: Entities) -> None:
    given = [
        _F(field_id=3, optional=_F.Optional(value=b"\x00\x00\x05")),
        _F(field_id=2, range=_F.Range(low=b"\x00\x01", high=b"\x00\x02")),
        _F(field_id=1, ternary=_F.Ternary(value=b"\x00\x08\x00", mask=b"\xff\x00")),
    ]
    kinds.insert(entry(entities, "acl", given))
    [read] = kinds.read(entities.entry("acl"))
    assert list(read.table_entry.match) == [
        _F(field_id=1, ternary=_F.Ternary(value=b"\x08\x00", mask=b"\xff\x00")),
        _F(field_id=2, range=_F.Range(low=b"\x01", high=b"\x02")),
        _F(field_id=3, optional=_F.Optional(value=b"\x05")),
    ]


def test_what_is_written_is_what_is_read(kinds: Model, entities: Entities) -> None:
    given = [
        _F(field_id=1, ternary=_F.Ternary(value=b"\x08\x00", mask=b"\xff\x00")),
        _F(field_id=2, range=_F.Range(low=b"\x01", high=b"\x02")),
        _F(field_id=3, optional=_F.Optional(value=b"\x05")),
    ]
    for count in range(4):
        written = entry(entities, "acl", given[:count])
        kinds.insert(written)
        assert kinds.read(entities.entry("acl")) == [written]
        kinds.delete(written)


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
def test_forbidden_matches_are_invalid_arguments(
    kinds: Model, entities: Entities, given: p4r.FieldMatch
) -> None:
    _assert_refused(kinds, entities, "acl", [given], grpc.StatusCode.INVALID_ARGUMENT)


@pytest.mark.parametrize("length", [-1, 0, 49])
@pytest.mark.requirement("9.1.1-3")
def test_prefixes_outside_the_field_are_invalid_arguments(
    kinds: Model, entities: Entities, length: int
) -> None:
    given = _F(field_id=1, lpm=_F.LPM(value=b"\x00", prefix_len=length))
    _assert_refused(kinds, entities, "prefixes", [given], grpc.StatusCode.INVALID_ARGUMENT)


@pytest.mark.requirement("9.1.1-5")
def test_bits_below_the_prefix_are_invalid_arguments(kinds: Model, entities: Entities) -> None:
    given = _F(field_id=1, lpm=_F.LPM(value=b"\x01\x00\x00\x00\x00\x01", prefix_len=47))
    _assert_refused(kinds, entities, "prefixes", [given], grpc.StatusCode.INVALID_ARGUMENT)


@pytest.mark.requirement("9.1.1-2")
def test_exact_fields_cannot_be_omitted_or_given_twice(kinds: Model, entities: Entities) -> None:
    for given in ([], [exact(1, 1)] * 2):
        _assert_refused(kinds, entities, "stations", given, grpc.StatusCode.INVALID_ARGUMENT)


def test_a_table_says_that_it_has_no_such_field(kinds: Model, entities: Entities) -> None:
    with pytest.raises(RequestError, match=r"stations has no key field 7; valid: 1 \(hdr"):
        kinds.insert(entry(entities, "stations", [exact(7, 1)]))


@pytest.mark.requirement("8.3-5", "9.1.1-8")
def test_values_wider_than_the_field_are_out_of_range(kinds: Model, entities: Entities) -> None:
    wide = _F(field_id=1, exact=_F.Exact(value=b"\x01" + bytes(6)))
    _assert_refused(kinds, entities, "stations", [wide], grpc.StatusCode.OUT_OF_RANGE)
    wide = _F(field_id=3, optional=_F.Optional(value=b"\x02\x00"))
    _assert_refused(kinds, entities, "acl", [wide], grpc.StatusCode.OUT_OF_RANGE)


def _assert_refused(
    model: Model,
    entities: Entities,
    table: str,
    given: list[p4r.FieldMatch],
    code: grpc.StatusCode,
) -> None:
    with pytest.raises(RequestError, match=table) as caught:
        model.insert(entry(entities, table, given))
    assert caught.value.code is code
    assert model.read(entities.entry(table)) == []
