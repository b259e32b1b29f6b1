"""The service beside P4Runtime for ports, queues and traces of a running switch, for which
P4Runtime has no messages.

A method takes and gives a google.protobuf.Struct, so that no client needs generated code. Whole
numbers are strings of decimal digits in it, as in protobuf's JSON those of 64 bits. A request has
`device_id`. A request that changes something also has the `election_id` of the primary of the
default role.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from google.protobuf.struct_pb2 import Struct

SERVICE = "p4abs.switch.v1.Ports"

Value = int | str | bool | None
Fields = Mapping[str, Value | Sequence[Mapping[str, Value]]]


class Method(StrEnum):
    """What can be asked."""

    SHOW_PORTS = "ShowPorts"
    """Returns `ports`. Each has `port`, the number of its `queues`, `is_up`, the number of packets
    that ingress has sent to it alone (`forwarded_packets`) and, if it has one, `interface`."""
    SET_QUEUE_DEPTH = "SetQueueDepth"
    """Limits a queue to `packets` waiting packets. `port` and `queue` name the queue; without them
    the limit is for each queue."""
    SET_QUEUE_RATE = "SetQueueRate"
    """Limits the rate of a queue to `packets_per_second`; 0: no limit. `port` and `queue` name the
    queue; without them the limit is for each queue."""
    ADD_PORT = "AddPort"
    """Adds a `port` at an existing `interface`. With `captured` the switch captures its frames, and
    returns the names of the files in `captured_in` and `captured_out`. Fails with
    FAILED_PRECONDITION if the interface cannot be used or the switch captures nothing, and with
    ALREADY_EXISTS if port or interface is in use."""
    REMOVE_PORT = "RemovePort"
    """Removes a `port`."""
    TRACE = "Trace"
    """Returns a stream of `lines` about packets that arrive from now on. Filters: `ports`, each
    with a `port`; `fields`, each with `field` and `value` (hexadecimal digits); `dropped_only`.
    Bounds: `packets_per_second` and `bytes`. `json`: lines are JSON objects."""


def message(fields: Fields) -> Struct:
    """Fields as they are sent; None is left out."""
    sent = Struct()
    sent.update({name: _sent(value) for name, value in fields.items() if value is not None})
    return sent


def _sent(value: Value | Sequence[Mapping[str, Value]]) -> str | bool | list[Struct] | None:
    if isinstance(value, bool | str | None):
        return value
    return str(value) if isinstance(value, int) else [message(each) for each in value]
