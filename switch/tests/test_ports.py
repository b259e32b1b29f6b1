"""Port numbers in messages are those that the engine can have."""

import grpc
import pytest
from finsy.proto import p4r
from p4abs_switch import bytestring
from p4abs_switch._engine import PORT_LIMIT

from .model import Model
from .refusals import RequestError


def group(replica: p4r.Replica) -> p4r.Entity:
    entry = p4r.MulticastGroupEntry(multicast_group_id=1, replicas=[replica])
    return p4r.Entity(
        packet_replication_engine_entry=p4r.PacketReplicationEngineEntry(
            multicast_group_entry=entry
        )
    )


@pytest.mark.parametrize("number", [0, 1, PORT_LIMIT - 1])
def test_a_port_may_be_in_either_field(kinds: Model, number: int) -> None:
    newer = group(p4r.Replica(port=bytestring.encode(number)))
    for written in (newer, group(p4r.Replica(egress_port=number))):
        kinds.insert(written)
        assert kinds.read(group(p4r.Replica())) == [written]
        kinds.delete(written)


@pytest.mark.parametrize(
    "replica",
    [
        p4r.Replica(egress_port=PORT_LIMIT),
        p4r.Replica(port=bytestring.encode(PORT_LIMIT)),
        p4r.Replica(port=b"\xff" * 8),
        p4r.Replica(port=b"\xff" * 2000),
    ],
    ids=["older field", "one too high", "long", "thousands of bytes"],
)
def test_a_number_that_no_port_can_have_is_refused(kinds: Model, replica: p4r.Replica) -> None:
    with pytest.raises(RequestError, match=r"group 1: .* port .*0 to 510|\.\.\.") as caught:
        kinds.insert(group(replica))
    assert caught.value.code is grpc.StatusCode.INVALID_ARGUMENT
    assert kinds.read(group(p4r.Replica())) == []
