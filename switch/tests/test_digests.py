"""DigestEntry and digest lists (P4Runtime 1.5, section 9.8)."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import grpc
import pytest
from finsy.proto import p4d, p4r
from p4abs_switch import bytestring
from p4abs_switch._engine import PortConfig, Switch
from p4abs_switch.server.serve import RunningSwitch, report_losses

from .controller import Controller, connected, failure, pipeline_config
from .entities import Entities, exact, frame
from .model import Model

INSERT, MODIFY, DELETE = p4r.Update.INSERT, p4r.Update.MODIFY, p4r.Update.DELETE
NS_PER_MS = 1_000_000
FOREVER_NS = 3_600_000 * NS_PER_MS


def digest(
    resources: Entities, max_timeout_ns: int = 0, max_list_size: int = 0, ack_timeout_ns: int = 0
) -> p4r.Entity:
    config = p4r.DigestEntry.Config(
        max_timeout_ns=max_timeout_ns, max_list_size=max_list_size, ack_timeout_ns=ack_timeout_ns
    )
    entry = p4r.DigestEntry(digest_id=resources.id("sighting_t"), config=config)
    return p4r.Entity(digest_entry=entry)


@pytest.mark.requirement("9.8-1", "9.8-2", "9.8-3")
async def test_digests_are_enabled_changed_and_disabled(
    resources_primary: Controller, resources: Entities
) -> None:
    everything = p4r.Entity(digest_entry=p4r.DigestEntry())
    first, second = digest(resources, 1, 2, 3), digest(resources, 4, 5, 6)
    unknown = p4r.Entity(digest_entry=p4r.DigestEntry(digest_id=1))
    assert (await failure(resources_primary, MODIFY, first))[0] is grpc.StatusCode.NOT_FOUND
    await resources_primary.insert(first)
    assert (await failure(resources_primary, INSERT, first))[0] is grpc.StatusCode.ALREADY_EXISTS
    await resources_primary.modify(second)
    assert await resources_primary.read(everything) == [second]
    await resources_primary.delete(first)
    assert await resources_primary.read(everything) == []
    for entity in (unknown, digest(resources, -1)):
        code, _ = await failure(resources_primary, INSERT, entity)
        assert code is grpc.StatusCode.INVALID_ARGUMENT


@pytest.mark.requirement("8.4.3-1", "9.8-1", "9.8-9")
async def test_a_digest_is_sent_with_its_fields(
    resources_switch: RunningSwitch, resources_primary: Controller, resources: Entities
) -> None:
    await resources_primary.insert(digest(resources))
    _learn(resources_switch, [0x0A0000000001])
    received = (await resources_primary.receive()).digest
    assert received.digest_id == resources.id("sighting_t")
    assert list(received.data) == [_sighting(0x0A0000000001)]
    assert received.timestamp > 0


@pytest.mark.requirement("9.8-4", "9.8-5")
async def test_a_full_list_is_sent_without_duplicates(
    resources_switch: RunningSwitch, resources_primary: Controller, resources: Entities
) -> None:
    await resources_primary.insert(digest(resources, 2**31 - 1, 3))
    _learn(resources_switch, [1, 1, 2, 2, 1, 3])
    received = (await resources_primary.receive()).digest
    assert list(received.data) == [_sighting(1), _sighting(2), _sighting(3)]


@pytest.mark.requirement("9.8-4")
async def test_a_list_that_is_not_full_is_sent_after_its_timeout(
    resources_switch: RunningSwitch, resources_primary: Controller, resources: Entities
) -> None:
    await resources_primary.insert(digest(resources, 10 * NS_PER_MS, 100))
    _learn(resources_switch, [1, 2])
    assert len((await resources_primary.receive()).digest.data) == 2


@pytest.mark.requirement("9.8-7", "9.8-8")
async def test_what_is_not_acknowledged_is_not_sent_again(
    resources_switch: RunningSwitch, resources_primary: Controller, resources: Entities
) -> None:
    await resources_primary.insert(digest(resources, ack_timeout_ns=FOREVER_NS))
    _learn(resources_switch, [1])
    first = (await resources_primary.receive()).digest
    _learn(resources_switch, [1, 2])
    second = (await resources_primary.receive()).digest
    assert list(second.data) == [_sighting(2)]
    ack = p4r.DigestListAck(digest_id=first.digest_id, list_id=first.list_id)
    await resources_primary.send(p4r.StreamMessageRequest(digest_ack=ack))
    await _pass_by(resources_primary)
    _learn(resources_switch, [2, 1])
    assert list((await resources_primary.receive()).digest.data) == [_sighting(1)]


@pytest.mark.requirement("9.8-8")
async def test_after_the_acknowledgment_timeout_it_is_sent_again(
    resources_switch: RunningSwitch, resources_primary: Controller, resources: Entities
) -> None:
    await resources_primary.insert(digest(resources, ack_timeout_ns=1))
    for _ in range(2):
        _learn(resources_switch, [1])
        assert list((await resources_primary.receive()).digest.data) == [_sighting(1)]


@pytest.mark.requirement("9.8-10")
async def test_without_acknowledgment_timeout_nothing_sent_is_remembered(
    resources_switch: RunningSwitch, resources_primary: Controller, resources: Entities
) -> None:
    await resources_primary.insert(digest(resources))
    _learn(resources_switch, [1, 1, 1])
    for _ in range(3):
        assert list((await resources_primary.receive()).digest.data) == [_sighting(1)]


@pytest.mark.requirement("9.8-11")
async def test_without_list_size_only_the_timeout_counts(
    resources_switch: RunningSwitch, resources_primary: Controller, resources: Entities
) -> None:
    await resources_primary.insert(digest(resources, 100 * NS_PER_MS))
    _learn(resources_switch, range(1, 101))
    received = (await resources_primary.receive()).digest
    assert list(received.data) == [_sighting(number) for number in range(1, 101)]


@pytest.mark.requirement("9.8-6")
async def test_a_new_primary_learns_what_the_old_one_has_not_acknowledged(
    resources_switch: RunningSwitch, resources_primary: Controller, resources: Entities
) -> None:
    await resources_primary.insert(digest(resources, ack_timeout_ns=FOREVER_NS))
    _learn(resources_switch, [1])
    await resources_primary.receive()
    async with connected(resources_switch.address, 2) as other:
        await other.become_primary()
        _learn(resources_switch, [1])
        assert list((await other.receive()).digest.data) == [_sighting(1)]


@pytest.mark.requirement("9.8-2", "9.8-4")
async def test_what_waits_is_sent_once_the_digest_is_sent_in_another_way(
    resources_switch: RunningSwitch, resources_primary: Controller, resources: Entities
) -> None:
    waiting = digest(resources, FOREVER_NS, 100)
    await resources_primary.insert(waiting)
    _learn(resources_switch, [1, 2])
    await _pass_by(resources_primary)
    await resources_primary.modify(waiting)
    _learn(resources_switch, [3])
    await _pass_by(resources_primary)
    await resources_primary.modify(digest(resources))
    received = (await resources_primary.receive()).digest
    assert list(received.data) == [_sighting(1), _sighting(2), _sighting(3)]


@pytest.mark.requirement("9.8-3")
async def test_what_waits_is_not_sent_once_the_digest_is_disabled(
    resources_switch: RunningSwitch, resources_primary: Controller, resources: Entities
) -> None:
    waiting = digest(resources, FOREVER_NS, 100)
    await resources_primary.insert(waiting)
    _learn(resources_switch, [1])
    await _pass_by(resources_primary)
    await resources_primary.delete(waiting)
    await resources_primary.insert(digest(resources))
    _learn(resources_switch, [2])
    assert list((await resources_primary.receive()).digest.data) == [_sighting(2)]


@pytest.mark.requirement("9.8-10")
@pytest.mark.parametrize("change", [MODIFY, INSERT])
async def test_what_was_not_acknowledged_is_forgotten_with_its_configuration(
    resources_switch: RunningSwitch,
    resources_primary: Controller,
    resources: Entities,
    change: p4r.Update.Type,
) -> None:
    remembering = digest(resources, ack_timeout_ns=FOREVER_NS)
    await resources_primary.insert(remembering)
    _learn(resources_switch, [1])
    await resources_primary.receive()
    if change == INSERT:
        await resources_primary.delete(remembering)
        await resources_primary.insert(digest(resources))
    else:
        await resources_primary.modify(digest(resources))
    _learn(resources_switch, [1])
    assert list((await resources_primary.receive()).digest.data) == [_sighting(1)]


async def test_a_write_to_a_saved_config_leaves_the_running_program_its_digests(
    resources_switch: RunningSwitch,
    resources_primary: Controller,
    resources: Entities,
    resources_json: Path,
) -> None:
    await resources_primary.insert(digest(resources, ack_timeout_ns=FOREVER_NS))
    _learn(resources_switch, [1])
    await resources_primary.receive()
    save = p4r.SetForwardingPipelineConfigRequest.VERIFY_AND_SAVE
    await resources_primary.set_config(save, pipeline_config(resources_json))
    await resources_primary.insert(resources.entry("hits", [exact(1, 1)], "NoAction"))
    _learn(resources_switch, [1, 2])
    assert list((await resources_primary.receive()).digest.data) == [_sighting(2)]


def test_digests_of_the_program_before_are_left_out(
    resources_json: Path, resources: Entities
) -> None:
    """The packet thread may have told of them before their program was replaced."""
    model = Model(pipeline_config(resources_json))
    model.insert(digest(resources))
    of_another = ("sighting_t", [b"\1"])
    model.device.deliver_digests([of_another, ("sighting_t", [b"\1", b"\1"])])
    sent = [list(each.digest.data) for each in model.told()]
    assert sent == [[_sighting(1)]]


@pytest.mark.requirement("16.6-1", "16.6-2", "16.6-5")
async def test_acknowledgments_of_unknown_digests_are_reported(
    resources_primary: Controller,
) -> None:
    ack = p4r.DigestListAck(digest_id=1)
    await resources_primary.send(p4r.StreamMessageRequest(digest_ack=ack))
    report = (await resources_primary.receive()).error
    assert report.canonical_code == grpc.StatusCode.INVALID_ARGUMENT.value[0]
    assert report.digest_list_ack.digest_list_ack == ack


def test_digests_that_come_faster_than_they_are_taken_are_counted_and_told(
    resources_json: Path, caplog: pytest.LogCaptureFixture
) -> None:
    switch = Switch([PortConfig(1)], 510)
    switch.load(resources_json.read_bytes())
    for source in range(5000):
        switch.inject(1, frame(9, source, 0x0800), 0)
    switch.run_until(1)
    assert dict(switch.untaken())["digests"] == 5000 - 4096
    report_losses(switch)
    told = "904 digests were lost, because they came faster than they were read"
    assert caplog.messages == [told]


@pytest.mark.requirement("9.8-1")
async def test_what_is_not_enabled_is_not_sent(
    resources_switch: RunningSwitch, resources_primary: Controller, resources: Entities
) -> None:
    _learn(resources_switch, [1])
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(resources_primary.stream.read(), 0.2)


async def _pass_by(controller: Controller) -> None:
    """Waits until the server has taken what was sent on the stream before."""
    await controller.send(p4r.StreamMessageRequest())
    assert (await controller.receive()).HasField("error")


def _learn(switch: RunningSwitch, sources: Sequence[int]) -> None:
    """Lets packets of these sources arrive at port 1."""
    at_ns = switch.engine.now_us() * 1_000 + 1_000
    for source in sources:
        switch.engine.inject(1, frame(9, source, 0x0800), at_ns)
    switch.engine.run_until(at_ns)


def _sighting(source: int) -> p4d.P4Data:
    members = [p4d.P4Data(bitstring=bytestring.encode(value)) for value in (source, 1)]
    return p4d.P4Data(struct=p4d.P4StructLike(members=members))
