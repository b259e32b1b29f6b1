"""The counter and the meter of an entry for all packets are its own, and no other entry's."""

import pytest
from finsy.proto import p4r

from .conftest import PROGRAMS
from .controller import pipeline_config
from .entities import Entities, lpm, ternary
from .model import Model

# A packet a second: of those of one instant, one is green.
CONFIG = p4r.MeterConfig(cir=1, cburst=1, pir=1, pburst=1)
GREEN, RED = 0, 2
TEN = 10 << 24
# Of each table an entry for all packets, and one for some.
KEYS = {
    "prefixes": ([], [lpm(1, TEN, 8)]),
    "masks": ([], [ternary(1, TEN, 0xFF << 24)]),
}
tables = pytest.mark.parametrize("table", KEYS)


@pytest.fixture
def model() -> Model:
    return Model(pipeline_config(PROGRAMS / "entries_for_all_packets.json"))


@pytest.fixture
def entities() -> Entities:
    return Entities(pipeline_config(PROGRAMS / "entries_for_all_packets.json").p4info)


def entry(entities: Entities, table: str, number: int, **fields: object) -> p4r.TableEntry:
    """The first one is for all packets; the second one is preferred."""
    priority = 0 if table == "prefixes" else 1 + number
    action = {"prefixes": "by_prefix", "masks": "by_mask"}[table]
    made = entities.entry(table, KEYS[table][number], action, priority=priority).table_entry
    made.MergeFrom(p4r.TableEntry(**fields))
    return made


def key(made: p4r.TableEntry) -> p4r.TableEntry:
    return p4r.TableEntry(table_id=made.table_id, match=made.match, priority=made.priority)


def colors(model: Model, table: str, address: int, packets: int = 3) -> list[int]:
    """Of packets that come at one instant, a second after those before."""
    at_ns = model.switch.now_us() * 1_000 + 1_000_000_000
    for _ in range(packets):
        model.switch.inject(2, address.to_bytes(4, "big") + bytes(56), at_ns)
    left = model.switch.run_until(at_ns)
    return [frame[6 + list(KEYS).index(table)] for _, _, frame in left]


def read_configs(model: Model, table_id: int) -> dict[bytes, p4r.MeterConfig]:
    """Of all entries, by their keys; those without one are left out."""
    wanted = p4r.DirectMeterEntry(table_entry=p4r.TableEntry(table_id=table_id))
    read = model.read(p4r.Entity(direct_meter_entry=wanted))
    return {
        each.direct_meter_entry.table_entry.SerializeToString(): each.direct_meter_entry.config
        for each in read
        if each.direct_meter_entry.HasField("config")
    }


@tables
@pytest.mark.parametrize("metered", [0, 1], ids=["all packets", "some"])
@pytest.mark.parametrize("way", ["by itself", "with the entry"])
def test_a_meter_is_of_its_entry(
    model: Model, entities: Entities, table: str, metered: int, way: str
) -> None:
    made = [entry(entities, table, number) for number in (0, 1)]
    for number, each in enumerate(made):
        with_meter = p4r.TableEntry()
        with_meter.CopyFrom(each)
        if (number, way) == (metered, "with the entry"):
            with_meter.meter_config.CopyFrom(CONFIG)
        model.insert(p4r.Entity(table_entry=with_meter))
    if way == "by itself":
        meter = p4r.DirectMeterEntry(table_entry=key(made[metered]), config=CONFIG)
        model.modify(p4r.Entity(direct_meter_entry=meter))
    bounded = [GREEN, RED, RED]
    assert colors(model, table, 1) == (bounded if metered == 0 else [GREEN] * 3)
    assert colors(model, table, TEN) == (bounded if metered == 1 else [GREEN] * 3)
    expected = {key(made[metered]).SerializeToString(): CONFIG}
    assert read_configs(model, made[0].table_id) == expected
    # The other one goes, and its meter with it alone.
    model.delete(p4r.Entity(table_entry=made[1 - metered]))
    assert read_configs(model, made[0].table_id) == expected
    assert colors(model, table, TEN if metered else 1) == bounded


@tables
def test_a_counter_is_of_its_entry(model: Model, entities: Entities, table: str) -> None:
    made = [entry(entities, table, number) for number in (0, 1)]
    for each in made:
        model.insert(p4r.Entity(table_entry=each))
    colors(model, table, 1, packets=3)
    colors(model, table, TEN, packets=2)
    counter = p4r.DirectCounterEntry(table_entry=key(made[0]))
    counter.data.packet_count = 50
    model.modify(p4r.Entity(direct_counter_entry=counter))
    colors(model, table, 1, packets=1)
    wanted = p4r.DirectCounterEntry(table_entry=p4r.TableEntry(table_id=made[0].table_id))
    read = [
        each.direct_counter_entry for each in model.read(p4r.Entity(direct_counter_entry=wanted))
    ]
    counted = {each.table_entry.SerializeToString(): each.data.packet_count for each in read}
    assert counted == {
        key(made[0]).SerializeToString(): 51,
        key(made[1]).SerializeToString(): 2,
    }


def test_entries_for_all_packets_of_other_priorities_have_meters_of_their_own(
    model: Model, entities: Entities
) -> None:
    for priority in (1, 2):
        model.insert(entities.entry("masks", [], "by_mask", priority=priority))
    low, high = (
        p4r.TableEntry(table_id=entities.id("masks"), priority=priority) for priority in (1, 2)
    )
    meter = p4r.DirectMeterEntry(table_entry=low, config=CONFIG)
    model.modify(p4r.Entity(direct_meter_entry=meter))
    assert colors(model, "masks", 1) == [GREEN] * 3
    assert read_configs(model, low.table_id) == {low.SerializeToString(): CONFIG}
    model.delete(p4r.Entity(table_entry=high))
    assert colors(model, "masks", 1) == [GREEN, RED, RED]
