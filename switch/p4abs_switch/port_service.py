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
    """What can be asked.

    SHOW_PORTS: `ports`, each with `port`, `interface` (or none) and `is_up`.
    SET_QUEUE_DEPTH: the most `packets` that wait in a queue; without `port` in every one, without
        `queue` in every one of the port.
    SET_QUEUE_RATE: the most `packets_per_second` that leave such queues; 0: as many as can.
    ADD_PORT: a `port` at an `interface` that is there; `captured`: refused unless the switch
        captures, and answered by `captured_in` and `captured_out`, its files.
    REMOVE_PORT: a `port`.
    TRACE: answers are a stream of `lines`, of packets that arrive from now on: at one of `ports`,
        each with a `port`; in which one of `fields`, each with `field` and `value` in hexadecimal
        digits, had that value; if `dropped_only`, that are dropped. At most `packets_per_second`,
        and `bytes` in all; `json`: objects in the place of text.
    """

    SHOW_PORTS = "ShowPorts"
    SET_QUEUE_DEPTH = "SetQueueDepth"
    SET_QUEUE_RATE = "SetQueueRate"
    ADD_PORT = "AddPort"
    REMOVE_PORT = "RemovePort"
    TRACE = "Trace"


def message(fields: Fields) -> Struct:
    """Fields as they are sent; None is left out."""
    sent = Struct()
    sent.update({name: _sent(value) for name, value in fields.items() if value is not None})
    return sent


def _sent(value: Value | Sequence[Mapping[str, Value]]) -> str | bool | list[Struct] | None:
    if isinstance(value, bool | str | None):
        return value
    return str(value) if isinstance(value, int) else [message(each) for each in value]
