"""The switch engine: P4 pipeline, queues and Linux interfaces (Rust).

Frames are Ethernet without FCS. Names are P4Info's fully qualified names. Values are big-endian
bytes of any length whose number fits the field. All methods may be called from any thread; what
waits or takes a lock does so without the GIL.
"""

from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from typing import Final, Literal, Protocol, TypeAlias, final

from p4abs_switch._engine_values import (
    AlreadyExists as AlreadyExists,
)
from p4abs_switch._engine_values import (
    EngineError as EngineError,
)
from p4abs_switch._engine_values import (
    InterfaceError as InterfaceError,
)
from p4abs_switch._engine_values import (
    InvalidArgument as InvalidArgument,
)
from p4abs_switch._engine_values import (
    PipelineRefused as PipelineRefused,
)
from p4abs_switch._engine_values import (
    PortConfig as PortConfig,
)
from p4abs_switch._engine_values import (
    PortStatistics as PortStatistics,
)
from p4abs_switch._engine_values import (
    RequestRefused as RequestRefused,
)
from p4abs_switch._engine_values import (
    SwitchFailed as SwitchFailed,
)
from p4abs_switch._engine_values import (
    SwitchStatistics as SwitchStatistics,
)
from p4abs_switch._engine_values import (
    UnknownObject as UnknownObject,
)

Crc: TypeAlias = tuple[int, int, int, bool, bool]
"""Polynomial, initial remainder and final exclusive or of a CRC; whether data and remainder are
reflected."""

PORT_LIMIT: Final[int]
"""Port numbers are below it: the last nine-bit number is v1model's drop port."""

MAX_QUEUES: Final[int]
"""The most queues of a port: v1model's priority has three bits."""

MAX_WEIGHT: Final[int]
"""The highest weight of a queue; the lowest is 1."""

def default_memory_bytes(rate_bps: int | None = None) -> int:
    """What may wait at a port: 16 MB, or what its link sends in 250 ms if that is more."""

def give_up_file_rights() -> None:
    """Gives up the right to open files of other users; otherwise as give_up_privileges()."""

def give_up_privileges() -> None:
    """Gives up the capabilities that a switch does not use, for good, of this thread and of those
    that it starts. Raises EngineError when the kernel refuses."""

@final
class Switch:
    """Ports with queues around a P4 program.

    One frame's way: ingress, the queue of its priority (memory_bytes for all queues of a port),
    dequeue when the link is free, where egress runs, serialization (8 * length / rate_bps),
    propagation delay. Resubmitted and recirculated frames and clones made in egress take 1 us back
    into the switch, one after the other; if more than 1024 are on that way, further ones are lost.

    Time is virtual until `start`, and again after `stop`. At one instant links take frames from
    queues before arrivals see them; arrivals keep the order in which they were injected.

    Raises InvalidArgument when ports do not go together, InterfaceError when an interface is given
    twice. When the switch has failed, whatever needs the program raises SwitchFailed; accounts can
    still be read, and `stop` and `end_observation` work.
    """

    def __new__(cls, ports: Sequence[PortConfig], cpu_port: int | None = None) -> Switch: ...
    @staticmethod
    def verify(json: bytes) -> None:
        """Raises PipelineRefused unless the program could be loaded."""
    @staticmethod
    def current_form(json: bytes) -> str:
        """A program of any version in the format's newest form. Raises PipelineRefused."""
    def load(self, json: bytes, machine_code: bool = False) -> None:
        """Replaces program and state at once and discards what waits in queues. `machine_code`: the
        program is made machine code before it runs, and not when it is hot, if it can be. Raises
        PipelineRefused; then the old program runs on."""

    # Virtual time, in nanoseconds since start.

    def inject(self, port: int, frame: bytes, at_ns: int) -> None:
        """Lets a frame arrive when `run_until` gets there.

        Raises UnknownObject (port), InvalidArgument (in the past, or in live mode).
        """
    def run_until(self, at_ns: int) -> list[tuple[int, int, bytes]]:
        """Runs all events up to and including `at_ns`.

        Returns (time_ns, port, frame) of frames that left, in order, without the CPU port's.
        Raises InvalidArgument (in the past, or in live mode).
        """

    # Live mode: a thread moves frames between the ports' interfaces.

    def start(self, *, wait_for_interfaces: bool = False) -> None:
        """Opens the interfaces and starts. Raises InterfaceError; then nothing was started.

        From then on ports follow their interfaces, by name: these go down, vanish and return. One
        that is not there at the start is refused, or, if `wait_for_interfaces`, waited for. What
        becomes of interfaces goes to the logger "p4abs_switch", as a warning.
        """
    def stop(self) -> None:
        """Stops, if started."""
    def wait_ended(self) -> str | None:
        """Waits until the thread of a started switch has ended: None after `stop`, and at once if
        the switch is not started; otherwise one line says what died and why: then it has failed."""
    def set_port_up(self, port: int, up: bool) -> None:
        """Tells whether a port is up, as all are at first. Members of groups that watch it take
        part only then, and replicas leave it for their backups otherwise. A switch that has been
        started tells it of ports with interfaces by itself."""
    def now_us(self) -> int:
        """Microseconds since start: real in live mode, else the time of the latest event."""

    # Traces and captures; neither changes what happens to packets. Threads of their own write
    # the files; what they cannot write in time is lost, and the loss told.

    def trace(
        self,
        path: str | PathLike[str] | None = None,
        format: Literal["text", "json"] = "text",
        ports: Sequence[int] | None = None,
        packets: int | None = None,
        max_bytes: int | None = None,
    ) -> None:
        """Starts a trace: what every packet goes through, one event per line.

        path: the file to write, "-": standard output, None: kept for `take_trace`.
        format: text to read, or a JSON object per line.
        ports: only packets that arrive there. packets: only so many.
        max_bytes: only so many bytes of lines, and one that says so. Raises OSError.
        """
    def take_trace(self) -> str:
        """Takes the lines of a trace without a path that have come since the last call."""
    def capture(self, directory: str | PathLike[str], interfaces_only: bool = False) -> None:
        """Captures all frames, with nanoseconds, in files of the directory. Raises OSError.

        They are called INTERFACE_in.pcap and INTERFACE_out.pcap; those of a port N without an
        interface port<N>_in.pcap and port<N>_out.pcap, unless there are to be `interfaces_only`.
        """
    def end_observation(self) -> None:
        """Ends traces and capture, if started; their files are complete on return."""
    # To the program and from it. At most 4096 frames, digests and lines each are held; untaken()
    # tells how many more there were.
    def packet_out(self, frame: bytes) -> None:
        """Runs a frame through the program at once, as received on the CPU port.

        A frame that it sends back is there for `packet_in` on return. Raises InvalidArgument
        without a CPU port.
        """
    def packet_in(self) -> list[bytes]:
        """Takes all frames sent to the CPU port."""
    def digests(self) -> list[tuple[str, list[bytes]]]:
        """Takes all digests, each as name and fields. Nested structs are flattened. Loading a
        program discards digests."""
    def log_messages(self) -> list[str]:
        """Takes all lines of log_msg and of failed assertions."""
    def untaken(self) -> list[tuple[str, int]]: ...
    # For event loops: can be read while there is something to take, or when the switch has failed.
    def log_descriptor(self) -> int: ...

    # Registers and hashes; all else of a program by Runtime. All raise UnknownObject (also when no
    # program is loaded) and InvalidArgument, and change nothing when they raise.

    def registers_read(self, items: Sequence[tuple[str, int]]) -> list[int]:
        """Reads (register, index) cells, all of one instant."""
    def registers_write(self, items: Sequence[tuple[str, int, int]]) -> None:
        """Writes (register, index, value) cells, all at one instant or none."""
    def set_crc16(self, calculation: str, crc: Crc) -> None:
        """Sets a hash of `crc16_custom`, by its name in the JSON."""
    def set_crc32(self, calculation: str, crc: Crc) -> None:
        """Sets a hash of `crc32_custom`, by its name in the JSON."""
    def set_toeplitz_key(self, calculation: str, key: bytes) -> None:
        """Sets the key of a hash of `toeplitz`: whole words of four bytes."""
    def ports(self) -> list[tuple[PortConfig, bool]]:
        """Each port now, without the CPU port, and whether its interface is up, or it has none."""
    def add_port(self, config: PortConfig) -> None:
        """Frames go through it on return, in live mode too; its accounts begin at nothing.

        Raises AlreadyExists when port or interface are in use, InterfaceError, InvalidArgument.
        """
    def remove_port(self, port: int) -> None:
        """Discards what its queues hold, and closes its interface. Raises UnknownObject."""
    def set_queue_depth(
        self, packets: int, port: int | None = None, queue: int | None = None
    ) -> None:
        """Frames that come to a queue from now on are dropped while so many wait in it.

        port, queue: None: of all ports, the CPU port too; all queues of a port.

        Raises UnknownObject, and InvalidArgument when a number is out of range.
        """
    def set_queue_rate(
        self, packets_per_second: int, port: int | None = None, queue: int | None = None
    ) -> None:
        """Frames that come to a queue from now on leave it at least the inverse apart.

        0: as soon as they can. The rest as with set_queue_depth().
        """
    def statistics(self) -> SwitchStatistics:
        """What became of frames inside the switch."""
    def port_statistics(self, port: int) -> PortStatistics: ...

# P4Runtime's messages, as bytes. All raise RequestRefused.

Status: TypeAlias = tuple[str, bytes] | None
"""A message, and a google.rpc.Status with what came of each part of a batch; None: all is well."""

@final
class Device:
    """A switch under its P4Runtime device id: its programs and its controllers.

    Requests and answers are bytes of P4Runtime's messages. What is refused is RequestRefused, and
    has changed nothing. What its user should know goes to the logger "p4abs_switch".
    """

    def __init__(
        self,
        device_id: int,
        switch: Switch,
        queues: int = ...,
        through_qdisc: bool = False,
        captures: PathLike[str] | None = None,
    ) -> None:
        """queues, through_qdisc: of ports that are added later, as in PortConfig. captures: the
        folder of captures, if all ports are captured."""
    @property
    def device_id(self) -> int: ...
    def write(self, request: bytes) -> Status: ...
    def read(self, request: bytes) -> tuple[list[bytes], Status]: ...
    def set_config(self, request: bytes) -> None: ...
    def get_config(self, request: bytes) -> bytes: ...
    def capabilities(self, request: bytes) -> bytes: ...
    def commit(self, config: bytes) -> None:
        """Replaces program and state by those of a ForwardingPipelineConfig."""
    def run_without_p4info(self, json: bytes, p4info: bytes | None = None) -> str | None:
        """Replaces program and state by BMv2 JSON, and what can be told of it as P4Info; where that
        is of no use there is no config, and the reason is returned."""
    def start_again(self) -> None:
        """Runs the running program with the state that it starts with."""
    @property
    def json(self) -> bytes:
        """The running program, as BMv2 would have it; empty: there is none."""
    @property
    def loads(self) -> int:
        """How often there was another program, or the same again."""
    @property
    def is_running(self) -> bool:
        """Whether a program runs that controllers know."""
    def add_port(
        self, number: int, interface: str, captured: bool = False
    ) -> tuple[Path, Path] | None:
        """Adds a port; returns where what comes in and goes out is captured, if that is wanted.
        Raises InvalidArgument, too, when no port has that number."""
    def fail(self, reason: str) -> None:
        """Ends all streams, and refuses every later request, with UNAVAILABLE."""
    def enter(self) -> ControllerStream:
        """Opens a stream, without gRPC."""
    # What the engine has for controllers. A Server takes it there by itself.
    def deliver_packets(self, frames: Sequence[bytes]) -> None: ...
    def deliver_digests(self, digests: Sequence[tuple[str, Sequence[bytes]]]) -> None: ...
    def report_idle(self) -> None: ...

@final
class IdleEntry:
    """A table entry that has become idle; see Runtime.table_entry()."""

@final
class Runtime:
    """The running program of a switch by a P4Info of it, for who takes part in no election.

    When another is loaded, it is of no more use.
    """

    def __init__(self, switch: Switch, p4info: bytes) -> None: ...
    def write(self, update: bytes) -> None:
        """Applies an Update, or changes nothing. As in BMv2 there may be a clone session 0, and
        default entries that lead to members and groups."""
    def read(self, wanted: bytes) -> bytes:
        """What an Entity asks for: a ReadResponse."""
    def table_entry(self, table: str, entry: IdleEntry) -> bytes | None:
        """A TableEntry; None: the P4Info does not have its table."""

@final
class ControllerStream:
    """A controller's stream without gRPC."""

    def receive(self, request: bytes) -> None:
        """Takes a StreamMessageRequest; what is raised must end the stream."""
    def take(self) -> list[bytes]:
        """Messages StreamMessageResponse that wait. Raises what the stream was ended with."""
    def leave(self) -> None: ...

@final
class Listening:
    """All addresses of a host, which are listened at until they are served or closed."""

    def __init__(self, host: str, port: int) -> None:
        """Port 0 takes any free one. Raises OSError with a reason."""
    @property
    def port(self) -> int: ...
    def close(self) -> None: ...

class Listener(Protocol):
    """Hears of a program's news. Called in the server's thread; must not wait."""

    def digests(self, digests: list[tuple[str, list[bytes]]], /) -> None:
        """Names, and fields one after the other."""
    def idle(self, entries: list[tuple[str, IdleEntry]], /) -> None:
        """Entries that have become idle, by their tables' names."""

@final
class Server:
    """A device that is served over gRPC, by a thread of its own. Freed, it ends."""

    def __init__(
        self,
        device: Device,
        listening: Listening,
        on_death: Callable[[str], None],
        tls: tuple[bytes, bytes, bytes | None] | None = None,
        listener: Listener | None = None,
    ) -> None:
        """on_death: is told in one line, in the server's thread, which part of it has died and why;
        controllers are told so until it is stopped. tls: certificates and key of the server, and
        certificates that clients' must be signed by, in PEM. Raises InvalidArgument when they are
        of no use."""
    def stop(self, reason: str) -> None:
        """Ends all streams, with UNAVAILABLE and the reason, and the server."""
