"""Meter arrays (P4Runtime 1.5, section 9.4.2)."""

from pathlib import Path

import grpc
import pytest
from finsy.proto import p4i, p4r
from p4abs_switch.server.serve import RunningSwitch

from .controller import Controller, failure, pipeline_config
from .entities import Entities, frame
from .model import Model
from .refusals import RequestError

INSERT, MODIFY, DELETE = p4r.Update.INSERT, p4r.Update.MODIFY, p4r.Update.DELETE
COMMIT = p4r.SetForwardingPipelineConfigRequest.VERIFY_AND_COMMIT
INVALID = grpc.StatusCode.INVALID_ARGUMENT
CONFIG = p4r.MeterConfig(cir=1000, cburst=100, pir=2000, pburst=200)


def meter(
    resources: Entities, index: int | None = None, config: p4r.MeterConfig | None = None
) -> p4r.Entity:
    entry = p4r.MeterEntry(meter_id=resources.id("port_rates"), config=config)
    if index is not None:
        entry.index.index = index
    return p4r.Entity(meter_entry=entry)


@pytest.mark.requirement("8.2-1", "9.4.2-2", "9.4.2-7")
async def test_a_meter_reads_back_as_written(
    resources_primary: Controller, resources: Entities
) -> None:
    await resources_primary.modify(meter(resources, 2, CONFIG))
    read = await resources_primary.read(meter(resources))
    assert read == [meter(resources, index, CONFIG if index == 2 else None) for index in range(4)]
    assert await resources_primary.read(meter(resources, 2)) == [meter(resources, 2, CONFIG)]
    everything = p4r.Entity(meter_entry=p4r.MeterEntry())
    assert await resources_primary.read(everything) == read


@pytest.mark.requirement("9.4.2-3", "9.4.2-4")
async def test_without_index_all_are_written_and_without_config_all_are_green(
    resources_primary: Controller, resources: Entities
) -> None:
    await resources_primary.modify(meter(resources, config=CONFIG))
    read = await resources_primary.read(meter(resources))
    assert read == [meter(resources, index, CONFIG) for index in range(4)]
    await resources_primary.modify(meter(resources))
    read = await resources_primary.read(meter(resources))
    assert read == [meter(resources, index) for index in range(4)]


@pytest.mark.requirement("9.4.2-8")
@pytest.mark.parametrize("index", [1, None])
async def test_what_is_metered_is_counted_by_color_until_it_is_reset(
    resources_switch: RunningSwitch,
    resources_primary: Controller,
    resources: Entities,
    index: int | None,
) -> None:
    burst = p4r.MeterConfig(cir=0, cburst=60, pir=0, pburst=120)
    await resources_primary.modify(meter(resources, 1, burst))
    for _ in range(4):
        resources_switch.engine.inject(1, frame(1, 2, 0x1234), 0)
    resources_switch.engine.run_until(0)
    assert await counts(resources_primary, resources) == [(0, 0, 0), (1, 1, 2), *[(0, 0, 0)] * 2]
    await resources_primary.modify(meter(resources, 1))
    assert await counts(resources_primary, resources) == [(0, 0, 0), (1, 1, 2), *[(0, 0, 0)] * 2]
    reset = meter(resources, index)
    reset.meter_entry.counter_data.SetInParent()
    await resources_primary.modify(reset)
    assert await counts(resources_primary, resources) == [(0, 0, 0)] * 4


async def counts(primary: Controller, resources: Entities) -> list[tuple[int, int, int]]:
    """Packets of each meter by color; all of them have 60 bytes."""
    wanted = meter(resources)
    wanted.meter_entry.counter_data.SetInParent()
    found = [entity.meter_entry.counter_data for entity in await primary.read(wanted)]
    for counted in (color for item in found for color in (item.green, item.yellow, item.red)):
        assert counted.byte_count == 60 * counted.packet_count
    return [
        (item.green.packet_count, item.yellow.packet_count, item.red.packet_count) for item in found
    ]


@pytest.mark.requirement("9.4-3", "9.4.2-1", "9.4.2-5", "9.4.2-6")
async def test_what_does_not_fit_is_refused(
    resources_primary: Controller, resources: Entities
) -> None:
    counted = meter(resources, 1, CONFIG)
    counted.meter_entry.counter_data.green.byte_count = 1
    for kind, entity, code in (
        (INSERT, meter(resources, 1, CONFIG), INVALID),
        (DELETE, meter(resources, 1, CONFIG), INVALID),
        (MODIFY, meter(resources, -1, CONFIG), INVALID),
        (MODIFY, meter(resources, 4, CONFIG), grpc.StatusCode.OUT_OF_RANGE),
        (MODIFY, meter(resources, 1, p4r.MeterConfig(cir=-1)), INVALID),
        (MODIFY, meter(resources, 1, p4r.MeterConfig(cir=2, pir=1)), INVALID),
        (MODIFY, meter(resources, 1, p4r.MeterConfig(cir=1, pir=1, eburst=1)), INVALID),
        (MODIFY, counted, INVALID),
        (MODIFY, p4r.Entity(meter_entry=p4r.MeterEntry(meter_id=1)), INVALID),
    ):
        assert (await failure(resources_primary, kind, entity))[0] is code, entity


@pytest.mark.requirement("9.4-5")
@pytest.mark.parametrize("field", ["cir", "cburst", "pir", "pburst", "eburst"])
def test_a_single_rate_two_color_meter_has_one_rate(
    resources_json: Path, resources: Entities, field: str
) -> None:
    valid = p4r.MeterConfig(cir=10, cburst=20, pir=10, pburst=20)
    kind = p4i.MeterSpec.SINGLE_RATE_TWO_COLOR
    _assert_one_rate(resources_json, resources, kind, valid, field)


@pytest.mark.requirement("9.4-4")
@pytest.mark.parametrize("field", ["cir", "cburst", "pir", "pburst"])
def test_a_single_rate_three_color_meter_has_one_rate_and_an_excess_burst(
    resources_json: Path, resources: Entities, field: str
) -> None:
    valid = p4r.MeterConfig(cir=10, cburst=20, pir=10, pburst=20, eburst=30)
    kind = p4i.MeterSpec.SINGLE_RATE_THREE_COLOR
    _assert_one_rate(resources_json, resources, kind, valid, field)


def _assert_one_rate(
    program: Path,
    resources: Entities,
    kind: p4i.MeterSpec.Type.ValueType,
    valid: p4r.MeterConfig,
    field: str,
) -> None:
    config = pipeline_config(program)
    config.p4info.meters[0].spec.type = kind
    model = Model(config)
    model.modify(meter(resources, 1, valid))
    assert model.read(meter(resources, 1)) == [meter(resources, 1, valid)]
    setattr(valid, field, 21)
    with pytest.raises(RequestError, match="rates") as caught:
        model.modify(meter(resources, 1, valid))
    assert caught.value.code is INVALID


@pytest.mark.requirement("9.4-4")
async def test_an_excess_burst_is_yellow(
    resources_switch: RunningSwitch,
    resources_primary: Controller,
    resources: Entities,
    resources_json: Path,
) -> None:
    config = pipeline_config(resources_json)
    config.p4info.meters[0].spec.type = p4i.MeterSpec.SINGLE_RATE_THREE_COLOR
    await resources_primary.set_config(COMMIT, config)
    burst = p4r.MeterConfig(cir=0, cburst=60, pir=0, pburst=60, eburst=120)
    await resources_primary.modify(meter(resources, 1, burst))
    assert await resources_primary.read(meter(resources, 1)) == [meter(resources, 1, burst)]
    for _ in range(4):
        resources_switch.engine.inject(1, frame(1, 2, 0x1234), 0)
    resources_switch.engine.run_until(0)
    assert (await counts(resources_primary, resources))[1] == (1, 2, 1)
