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
    """Answers `ports`, each with `port`, `interface` if it has one, the number of its `queues`, and
    `is_up`."""
    SET_QUEUE_DEPTH = "SetQueueDepth"
    """At most `packets` wait in each queue, or in the queues that `port` and `queue` name."""
    SET_QUEUE_RATE = "SetQueueRate"
    """At most `packets_per_second` leave each queue, or the queues that `port` and `queue` name.
    0: no limit."""
    ADD_PORT = "AddPort"
    """Adds a `port` at an `interface` that exists. With `captured` its frames are captured, and
    the answer names the files, `captured_in` and `captured_out`. Fails with FAILED_PRECONDITION if
    the interface cannot be used or the switch captures nothing, with ALREADY_EXISTS if port or
    interface is in use."""
    REMOVE_PORT = "RemovePort"
    """Removes a `port`."""
    TRACE = "Trace"
    """Answers a stream of `lines` about packets that arrive from now on. Filters: `ports`, each
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
