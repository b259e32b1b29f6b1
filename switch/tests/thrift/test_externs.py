"""Counters, meters, registers and value sets over Thrift."""

import zlib
from types import SimpleNamespace

import pytest
from p4abs_switch.protobuf import p4r
from p4abs_switch.thrift.refusals import (
    CounterCode,
    HashCode,
    MeterCode,
    RegisterCode,
    TableCode,
    ValueSetCode,
)

from .conftest import (
    BMV2,
    NO_OPTIONS,
    OF_THE_ENGINE,
    PROGRAMS,
    Start,
    exact,
    prefix,
    refused,
    ternary,
)

HITS = "ResourcesIngress.hits"
RATES = "ResourcesIngress.port_rates"
ONE_AND_TWO = [BMV2.Rate(0.5, 100), BMV2.Rate(1.25, 200)]


@pytest.fixture
def client(start: Start):
    return start(PROGRAMS / "resources.json").client


@pytest.fixture
def state(start: Start) -> SimpleNamespace:
    """pipeline/tests/programs/state.p4: registers of all widths, and a counter."""
    return start(OF_THE_ENGINE / "state.json")


def test_counters_are_read_written_and_reset(state: SimpleNamespace) -> None:
    client, name = state.client, "TestIngress.seen"
    client.bm_counter_write(0, name, 1, BMV2.Count(bytes=700, packets=5))
    assert client.bm_counter_read(0, name, 1) == BMV2.Count(bytes=700, packets=5)
    client.bm_counter_reset_all(0, name)
    assert client.bm_counter_read(0, name, 1) == BMV2.Count(bytes=0, packets=0)
    for index in (3, -1):
        refused(CounterCode.INVALID_INDEX, client.bm_counter_read, 0, name, index)
    refused(CounterCode.INVALID_COUNTER_NAME, client.bm_counter_read, 0, "seen", 0)


def test_entries_with_counters_have_them(client) -> None:
    handle = client.bm_mt_add_entry(0, HITS, [exact(0x800, 2)], "NoAction", [], NO_OPTIONS)
    client.bm_mt_write_counter(0, HITS, handle, BMV2.Count(bytes=90, packets=2))
    assert client.bm_mt_read_counter(0, HITS, handle) == BMV2.Count(bytes=90, packets=2)
    client.bm_mt_reset_counters(0, HITS)
    assert client.bm_mt_read_counter(0, HITS, handle) == BMV2.Count(bytes=0, packets=0)
    refused(TableCode.INVALID_HANDLE, client.bm_mt_read_counter, 0, HITS, 9)
    without = "ResourcesIngress.sources"
    refused(TableCode.COUNTERS_DISABLED, client.bm_mt_read_counter, 0, without, 0)


def test_meters_have_the_rates_that_they_are_given(client) -> None:
    assert client.bm_meter_get_rates(0, RATES, 2) == []
    client.bm_meter_set_rates(0, RATES, 2, ONE_AND_TWO)
    assert client.bm_meter_get_rates(0, RATES, 2) == ONE_AND_TWO
    assert client.bm_meter_get_rates(0, RATES, 3) == []
    client.bm_meter_array_set_rates(0, RATES, ONE_AND_TWO)
    assert client.bm_meter_get_rates(0, RATES, 3) == ONE_AND_TWO


def test_rates_that_cannot_be_are_refused(client) -> None:
    set_rates = client.bm_meter_set_rates
    refused(MeterCode.BAD_RATES_LIST, set_rates, 0, RATES, 0, ONE_AND_TWO[:1])
    refused(MeterCode.INVALID_INFO_RATE_VALUE, set_rates, 0, RATES, 0, ONE_AND_TWO[::-1])
    for rate in (float("nan"), float("inf"), -1.0, 1e300):
        rates = [ONE_AND_TWO[0], BMV2.Rate(rate, 5)]
        refused(MeterCode.INVALID_INFO_RATE_VALUE, set_rates, 0, RATES, 0, rates)
    bursts = [BMV2.Rate(0.5, -1), BMV2.Rate(1.0, 5)]
    refused(MeterCode.INVALID_BURST_SIZE_VALUE, set_rates, 0, RATES, 0, bursts)
    refused(MeterCode.INVALID_INDEX, set_rates, 0, RATES, 4, ONE_AND_TWO)
    assert client.bm_meter_get_rates(0, RATES, 0) == []


def test_entries_with_meters_have_rates(client) -> None:
    table, action = "ResourcesIngress.classes", "ResourcesIngress.classify"
    handle = client.bm_mt_add_entry(0, table, [exact(5, 6)], action, [], NO_OPTIONS)
    assert client.bm_mt_get_meter_rates(0, table, handle) == []
    client.bm_mt_set_meter_rates(0, table, handle, ONE_AND_TWO)
    assert client.bm_mt_get_meter_rates(0, table, handle) == ONE_AND_TWO
    other = client.bm_mt_add_entry(0, table, [exact(6, 6)], action, [], NO_OPTIONS)
    client.bm_meter_array_set_rates(0, "ResourcesIngress.class_rates", ONE_AND_TWO)
    assert client.bm_mt_get_meter_rates(0, table, other) == ONE_AND_TWO
    refused(TableCode.METERS_DISABLED, client.bm_mt_get_meter_rates, 0, HITS, 0)
    refused(TableCode.ERROR, client.bm_mt_set_meter_rates, 0, table, handle, [])


EVERY = {
    "prefixes": [[prefix(10 << 24, 4, 8)], [prefix(0, 4, 0)]],
    "masks": [[ternary(0, 0, 4), ternary(7, 0xFFFF, 2)], [ternary(0, 0, 4), ternary(0, 0, 2)]],
}


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("metered", [0, 1], ids=["some", "all packets"])
def test_an_entry_for_all_packets_has_a_meter_and_a_counter_of_its_own(
    start: Start, name: str, metered: int
) -> None:
    client = start(PROGRAMS / "entries_for_all_packets.json").client
    table, action = f"Color.{name}", {"prefixes": "Color.by_prefix", "masks": "Color.by_mask"}[name]
    handles = [
        client.bm_mt_add_entry(0, table, key, action, [], BMV2.Options(priority=number))
        for number, key in enumerate(EVERY[name], start=1)
    ]
    client.bm_mt_set_meter_rates(0, table, handles[metered], ONE_AND_TWO)
    counts = [BMV2.Count(bytes=90 * number, packets=number) for number in (1, 2)]
    for handle, count in zip(handles, counts, strict=True):
        client.bm_mt_write_counter(0, table, handle, count)
        client.bm_mt_modify_entry(0, table, handle, action, [])
    assert [client.bm_mt_read_counter(0, table, handle) for handle in handles] == counts
    rates = [client.bm_mt_get_meter_rates(0, table, handle) for handle in handles]
    assert rates[metered] == ONE_AND_TWO
    assert rates[1 - metered] == []
    client.bm_mt_delete_entry(0, table, handles[1 - metered])
    assert client.bm_mt_get_meter_rates(0, table, handles[metered]) == ONE_AND_TWO


def test_registers_are_read_and_written_one_by_one_in_a_range_and_all(
    state: SimpleNamespace,
) -> None:
    client, name = state.client, "TestIngress.word"
    client.bm_register_write(0, name, 1, 77)
    assert client.bm_register_read(0, name, 1) == 77
    assert state.engine.registers_read([(name, 1)]) == [77]
    client.bm_register_write_range(0, name, 2, 4, 5)
    assert client.bm_register_read_all(0, name) == [0, 77, 5, 5]
    client.bm_register_reset(0, name)
    assert client.bm_register_read_all(0, name) == [0] * 4
    for index in (4, -1):
        refused(RegisterCode.INVALID_INDEX, client.bm_register_read, 0, name, index)
        refused(RegisterCode.INVALID_INDEX, client.bm_register_write, 0, name, index, 1)
    refused(RegisterCode.INVALID_INDEX, client.bm_register_write_range, 0, name, 3, 5, 1)
    refused(RegisterCode.INVALID_REGISTER_NAME, client.bm_register_read, 0, "word", 0)


def test_registers_keep_what_fits_and_tell_what_63_bits_hold(state: SimpleNamespace) -> None:
    client = state.client
    client.bm_register_write(0, "TestIngress.narrow", 0, 513)
    assert client.bm_register_read(0, "TestIngress.narrow", 0) == 1
    client.bm_register_write(0, "TestIngress.wide", 0, -1)
    assert state.engine.registers_read([("TestIngress.wide", 0)]) == [2**128 - 1]
    assert client.bm_register_read(0, "TestIngress.wide", 0) == 2**63 - 1
    client.bm_register_write(0, "TestIngress.signed_cells", 0, -3)
    assert client.bm_register_read(0, "TestIngress.signed_cells", 0) == 253


@pytest.mark.parametrize(
    ("name", "member"),
    [("Parse.kinds", 0x42), ("Parse.pairs", 0x1234 << 137 | 0xABCDEF << 9 | 0x102)],
    ids=["one field", "three fields side by side"],
)
def test_value_sets_gain_and_lose_members(start: Start, name: str, member: int) -> None:
    started = start(OF_THE_ENGINE / "value_sets.json")
    client = started.client
    width_bytes = {"Parse.kinds": 1, "Parse.pairs": 20}[name]
    value, other = (number.to_bytes(width_bytes, "big") for number in (member, 7))
    for each in (value, other, value):
        client.bm_parse_vset_add(0, name, each)
    assert client.bm_parse_vset_get(0, name) == [value, other]
    if name == "Parse.pairs":
        number = started.local.names.value_set(name).preamble.id
        [found] = started.local.read(value_set_entry=p4r.ValueSetEntry(value_set_id=number))
        members = found.value_set_entry.members
        fields = [int.from_bytes(match.exact.value, "big") for match in members[0].match]
        assert fields == [0x1234, 0xABCDEF, 0x102]
    client.bm_parse_vset_remove(0, name, value)
    refused(ValueSetCode.ERROR, client.bm_parse_vset_remove, 0, name, value)
    assert client.bm_parse_vset_get(0, name) == [other]
    client.bm_parse_vset_clear(0, name)
    assert client.bm_parse_vset_get(0, name) == []
    refused(ValueSetCode.ERROR, client.bm_parse_vset_add, 0, name, b"\1" + value)
    refused(ValueSetCode.INVALID_PARSE_VSET_NAME, client.bm_parse_vset_get, 0, "nothing")


def hash_of(started: SimpleNamespace, choice: int, key: bytes) -> int:
    """What pipeline/tests/programs/hashes.p4 finds of a key by one of its hashes."""
    size = (1 << 40).to_bytes(8, "big")  # changes no hash of up to 32 bits
    at_ns = started.engine.now_us() * 1000 + 1000
    started.engine.inject(1, bytes([choice]) + key + bytes(8) + size + bytes(16), at_ns)
    [(_, _, frame)] = started.engine.run_until(at_ns)
    return int.from_bytes(frame[41:49], "big")


def test_hashes_have_the_parameters_that_they_are_given(start: Start) -> None:
    started = start(OF_THE_ENGINE / "hashes.json")
    client, check = started.client, b"123456789".rjust(16, b"\0")
    crc16, crc32 = "calc_0", "calc_2"
    assert hash_of(started, 3, check) == zlib.crc32(check)
    bzip2 = BMV2.Crc32(0x04C11DB7, -1, -1, False, False)
    client.bm_set_crc32_custom_parameters(0, crc32, bzip2)
    assert hash_of(started, 3, check) != zlib.crc32(check)
    as_before = BMV2.Crc32(0x04C11DB7, -1, -1, True, True)
    client.bm_set_crc32_custom_parameters(0, crc32, as_before)
    assert hash_of(started, 3, check) == zlib.crc32(check)
    nothing_but_the_end = BMV2.Crc16(0, 0, -2, False, False)
    client.bm_set_crc16_custom_parameters(0, crc16, nothing_but_the_end)
    assert hash_of(started, 1, check) == 0xFFFE
    client.bm_reset_state()
    assert hash_of(started, 1, bytes(16)) == 0


def test_hashes_that_cannot_be_set_so_are_refused(start: Start) -> None:
    client = start(OF_THE_ENGINE / "hashes.json").client
    set_crc16 = client.bm_set_crc16_custom_parameters
    parameters = BMV2.Crc16(1, 0, 0, False, False)
    refused(HashCode.INVALID_CALCULATION_NAME, set_crc16, 0, "nothing", parameters)
    refused(HashCode.WRONG_TYPE_CALCULATION, set_crc16, 0, "calc_2", parameters)
    set_key = client.bm_set_toeplitz_hash_key
    refused(HashCode.WRONG_TYPE_CALCULATION, set_key, 0, "calc_0", bytes(4))
    refused(HashCode.INVALID_CONFIG_OR_KEY, set_key, 0, "calc_0", bytes(3))
