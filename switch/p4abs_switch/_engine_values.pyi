"""Errors of the engine, and what it is told and tells of ports.

The module `_engine` has them; they are described here.
"""

from collections.abc import Sequence
from typing import Final, final

class EngineError(Exception):
    """Base of all errors of the engine; the message is one line that names the object."""

class RequestRefused(Exception):
    """A request that is refused: the number of a code of google.rpc, and why, in one line."""

class PipelineRefused(EngineError):
    """The JSON is not BMv2's, or has a construct that is not supported; the message names it."""

class UnknownObject(EngineError):
    """No object has that name or number; the message lists those that exist."""

class InvalidArgument(EngineError):
    """A value does not fit; the message says what would."""

class AlreadyExists(EngineError):
    """There is one already."""

class InterfaceError(EngineError):
    """No such interface, no right to use it, or it is given twice."""

class SwitchFailed(EngineError):
    """A thread of the switch has died; the message says of what. The switch is of no more use."""

@final
class PortConfig:
    """One port of a switch.

    port: below PORT_LIMIT.
    interface: the Linux interface behind the port in live mode.
    rate_bps: rate of the egress link in bit/s, 1 to 10^12; None: frames leave at once.
    delay_ns: propagation delay behind the egress link.
    memory_bytes: bound of the frames that wait for the link; None: no bound.
    queues: egress queues, 1 to 8: a frame waits in that of its priority, if any.
    weights: what each queue gets of the link while all have frames, in proportion, 1 to MAX_WEIGHT,
        the lowest queue's first: deficit round robin in bytes. Empty: the highest queue goes first.
    through_qdisc: frames go through the interface's queueing discipline and wait while it is full.
    ring_bytes: in live mode the memory for received frames, 2^16 to 2^30; None: 2^20 to 3 * 2^20.

    Raises InvalidArgument for a number out of range, and unless each queue or none has a weight."""
    def __new__(
        cls,
        port: int,
        interface: str | None = None,
        rate_bps: int | None = None,
        delay_ns: int = 0,
        memory_bytes: int | None = None,
        queues: int = 8,
        through_qdisc: bool = False,
        ring_bytes: int | None = None,
        weights: Sequence[int] = (),
    ) -> PortConfig: ...
    port: Final[int]
    interface: Final[str | None]
    rate_bps: Final[int | None]
    delay_ns: Final[int]
    memory_bytes: Final[int | None]
    queues: Final[int]
    through_qdisc: Final[bool]
    ring_bytes: Final[int | None]
    weights: Final[tuple[int, ...]]

@final
class PortStatistics:
    """What one port did since it was made."""

    rx_packets: Final[int]
    rx_bytes: Final[int]
    tx_packets: Final[int]
    """Frames that went out, after link and wire."""
    tx_bytes: Final[int]
    memory_dropped_packets: Final[int]
    """Frames that found the port's memory or their queue full."""
    memory_dropped_bytes: Final[int]
    queued_packets: Final[int]
    """Frames that wait for the link now."""
    queued_bytes: Final[int]
    on_wire_packets: Final[int]
    """Frames on the link or the wire behind it now."""
    receive_lost_packets: Final[int]
    """Frames that came in but not to the program: it was too slow, or they were too long or could
    not be split."""
    send_lost_packets: Final[int]
    """Frames among tx_packets that the interface refused, or that were sent while it was down."""

@final
class SwitchStatistics:
    """What became of frames inside the switch since it was made.

    With the ports' statistics they balance: what the ports received and what was copied is what
    they sent, hold in queues and on wires or dropped as memory was full, and all that follows."""

    program_dropped_packets: Final[int]
    """Dropped by the program, or received before one was loaded."""
    program_dropped_bytes: Final[int]
    no_such_port_packets: Final[int]
    """Sent by the program to a port that the switch does not have."""
    no_such_port_bytes: Final[int]
    no_such_queue_packets: Final[int]
    """Sent by the program to a queue that the port does not have."""
    no_such_queue_bytes: Final[int]
    flushed_packets: Final[int]
    """Discarded because another program was loaded, or their port removed."""
    flushed_bytes: Final[int]
    copied_packets: Final[int]
    """Copies for multicast groups and clone sessions; a multicast packet is one itself."""
    copied_bytes: Final[int]
    loopback_dropped_packets: Final[int]
    """Lost because too many packets were resubmitted, recirculated or cloned in egress."""
    loopback_dropped_bytes: Final[int]
    returning_packets: Final[int]
    """On their way back into the switch now."""
    returning_bytes: Final[int]
    lengthened_bytes: Final[int]
    """Bytes that deparsers added."""
    shortened_bytes: Final[int]
    """Bytes that deparsers and truncation removed."""
