"""Requests made of broken pieces are refused with a status, never with a crash."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import grpc
import pytest
from finsy.proto import p4r
from google.protobuf.message import DecodeError, Message

from .controller import REFUSALS, pipeline_config
from .entities import Entities, between, exact, lpm, optional, ternary
from .model import Model
from .refusals import RequestError, refusals
from .test_digests import digest
from .test_direct_resources import CONFIG, direct_meter, metered
from .test_idle_timeouts import source
from .test_meters import meter
from .test_profiles import group, member, one_shot, to_group, to_member
from .test_replication import group as multicast_group
from .test_replication import session
from .test_value_sets import value_set

_Message = TypeVar("_Message", bound=Message)


@pytest.fixture
def valid(entities: Entities) -> list[p4r.Entity]:
    acl = [ternary(1, 0x0800, 0xFF00), between(2, 1, 99), optional(3, 5)]
    return [
        entities.entry("stations", [exact(1, 1)], "forward", 3),
        entities.entry("prefixes", [lpm(1, 0x0A0000000000, 8)], "forward", 1),
        entities.entry("acl", acl, "forward", 2, priority=10),
        entities.default("keyless", "forward", 2),
        entities.cell("marks", 2, b"\x01"),
        entities.cell("balances"),
        entities.counter("arrivals", 3, (1, 2)),
        p4r.Entity(
            direct_counter_entry=p4r.DirectCounterEntry(
                table_entry=entities.entry("acl", acl, priority=10).table_entry,
                data=p4r.CounterData(packet_count=1),
            )
        ),
    ]


@pytest.fixture
def resources_model(resources_json: Path) -> Model:
    return Model(pipeline_config(resources_json))


@pytest.fixture
def valid_resources(resources: Entities) -> list[p4r.Entity]:
    return [
        member(resources, "paths", 1, 1),
        member(resources, "next_hops", 1, 1),
        group(resources, 1, {1: 2}, max_size=8),
        to_group(resources, 1),
        to_member(resources, 1),
        one_shot(resources, {1: 1}),
        source(resources, 1, 1_000),
        metered(resources, CONFIG),
        direct_meter(metered(resources), CONFIG),
        meter(resources, 1, CONFIG),
        value_set(resources, 1, 2),
        digest(resources, 1, 2, 3),
        multicast_group(1, (1, 0), (2, 1)),
        session(1, (1, 0), service_class=1, length=64),
    ]


def test_mutated_writes_and_reads_are_done_or_refused(
    kinds: Model, valid: list[p4r.Entity]
) -> None:
    _write_and_read_mutated(kinds, valid, p4r.WriteRequest.CONTINUE_ON_ERROR, count=40_000)


def test_mutated_atomic_writes_are_done_or_refused(
    resources_model: Model, valid_resources: list[p4r.Entity]
) -> None:
    mode = p4r.WriteRequest.ROLLBACK_ON_ERROR
    _write_and_read_mutated(resources_model, valid_resources, mode, count=40_000)


def _write_and_read_mutated(
    model: Model,
    valid: list[p4r.Entity],
    atomicity: p4r.WriteRequest.Atomicity.ValueType,
    count: int,
) -> None:
    done = 0
    for entity in _mutated(valid, seed=1, count=count):
        kind = (p4r.Update.INSERT, p4r.Update.MODIFY, p4r.Update.DELETE)[done % 3]
        update = p4r.Update(type=kind, entity=entity)
        errors: list[RequestError | None] = []
        # A known field of an unexpected kind makes the request no request.
        try:
            errors += model.errors(p4r.WriteRequest(updates=[update], atomicity=atomicity))
            assert all(item.WhichOneof("entity") for item in model.read(entity))
        except RequestError as error:
            errors.append(error)
        for error in errors:
            assert error is None or error.code in REFUSALS, (entity, error)
        done += 1
    assert done > count // 10


def test_mutated_packets_are_sent_or_reported(kinds: Model) -> None:
    packet = p4r.PacketOut(payload=b"payload")
    for number, value in enumerate((b"\x01", b"\x00", b"\x00"), start=1):
        packet.metadata.add(metadata_id=number, value=value)
    for mutated in _mutated_messages(packet, seed=2, count=20_000):
        kinds.say(p4r.StreamMessageRequest(packet=mutated))
    assert kinds.switch.run_until(1)


def test_mutated_p4info_is_taken_or_refused(kinds: Model, kinds_json: Path) -> None:
    config = pipeline_config(kinds_json)
    refused: list[RequestError] = []
    for p4info in _mutated_messages(config.p4info, seed=3, count=300):
        mutated = p4r.ForwardingPipelineConfig(
            p4info=p4info, p4_device_config=config.p4_device_config
        )
        try:
            with refusals():
                kinds.device.commit(mutated.SerializeToString())
        except RequestError as error:
            refused.append(error)
    assert {error.code for error in refused} == {grpc.StatusCode.INVALID_ARGUMENT}
    assert all(len(error.message.splitlines()) == 1 for error in refused)


def test_mutated_bytes_are_requests_or_refused(kinds: Model, valid: list[p4r.Entity]) -> None:
    """Those that no client's library would send, too."""
    updates = [p4r.Update(type=p4r.Update.INSERT, entity=entity) for entity in valid]
    write = p4r.WriteRequest(device_id=1, election_id=p4r.Uint128(low=1), updates=updates)
    read = p4r.ReadRequest(device_id=1, entities=valid)
    source = random.Random(4)
    refused: list[RequestError] = []
    for _ in range(5_000):
        for call, request in ((kinds.device.write, write), (kinds.device.read, read)):
            content = bytearray(request.SerializeToString())
            for _ in range(source.randint(1, 5)):
                content[source.randrange(len(content))] = source.randrange(256)
            try:
                with refusals():
                    call(bytes(content[: source.randint(0, len(content))]))
            except RequestError as error:
                refused.append(error)
    assert {error.code for error in refused} <= REFUSALS
    assert all(len(error.message.splitlines()) == 1 for error in refused)


def _mutated(valid: list[p4r.Entity], seed: int, count: int) -> Iterator[p4r.Entity]:
    for number, entity in enumerate(valid):
        yield entity
        yield from _mutated_messages(entity, seed + number, count // len(valid))


def _mutated_messages(message: _Message, seed: int, count: int) -> Iterator[_Message]:
    """What can be parsed of `count` serializations with a few bytes changed."""
    source = random.Random(seed)
    for _ in range(count):
        content = bytearray(message.SerializeToString())
        for _ in range(source.randint(1, 3)):
            content[source.randrange(len(content))] = source.choice((0, 1, 2, 0x7F, 0xFF))
        try:
            yield type(message).FromString(bytes(content))
        except DecodeError:
            continue
