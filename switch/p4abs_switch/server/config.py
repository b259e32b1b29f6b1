"""What a switch is started with."""

from dataclasses import dataclass
from pathlib import Path

from p4abs_switch._engine import MAX_QUEUES, PORT_LIMIT, PortConfig
from p4abs_switch.server.errors import InvalidConfig
from p4abs_switch.server.observation import NO_OBSERVATION, Observation
from p4abs_switch.server.tls import TlsFiles


@dataclass(frozen=True, slots=True)
class LaterPorts:
    """What ports have that are added while the switch runs, as in PortConfig. They have no rate."""

    queues: int = MAX_QUEUES
    through_qdisc: bool = False


@dataclass(frozen=True, slots=True)
class ThriftConfig:
    """Where BMv2's Thrift services are served; port 0 takes any free one.

    is_needed: the switch does not start without them.
    notifications: where clients of nanomsg hear of digests, as `ipc:///tmp/name`; None: nowhere.
    notifications_are_needed: the switch does not start if they can be heard of nowhere.
    """

    host: str
    port: int
    is_needed: bool = True
    notifications: str | None = None
    notifications_are_needed: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65535:
            raise InvalidConfig(f"Thrift port {self.port}: must be 0 to 65535")


@dataclass(frozen=True, slots=True)
class SwitchConfig:
    """A switch and the P4Runtime server in front of it.

    grpc_address: HOST:PORT; port 0 takes any free one.
    device_id: 1 to 2^64 - 1.
    cpu_port: the port by which packets go to and come from the controller, 0 to 510; None: none do.
    ports: the other ports, each with its interface, rate, delay and memory.
    program: BMv2 JSON to start with. Without one the switch drops everything until a controller
        pushes a pipeline.
    p4info: the program's P4Info; None: the file beside the program that p4c or p4lang's tutorials
        write, and without such a file what can be told of the JSON.
    tls: certificate and key to serve with; without them connections are not encrypted.
    observation: what is written about packets.
    as_bmv2: 0 is a device id, too, and a P4Info beside the program that is none is left aside.
    wait_for_interfaces: a port whose interface is not there at the start waits for it.
    later_ports: what ports have that are added while the switch runs.
    queue_depth_packets: the most packets that wait in a queue at first; None: no bound.
    thrift: BMv2's Thrift services; None: there are none.

    Raises InvalidConfig.
    """

    grpc_address: str
    device_id: int
    cpu_port: int | None
    ports: tuple[PortConfig, ...]
    program: Path | None
    p4info: Path | None = None
    tls: TlsFiles | None = None
    observation: Observation = NO_OBSERVATION
    as_bmv2: bool = False
    wait_for_interfaces: bool = False
    later_ports: LaterPorts = LaterPorts()
    queue_depth_packets: int | None = None
    thrift: ThriftConfig | None = None

    def __post_init__(self) -> None:
        lowest = 0 if self.as_bmv2 else 1
        if not lowest <= self.device_id < 1 << 64:
            raise InvalidConfig(f"device id {self.device_id}: must be {lowest} to 2^64 - 1")
        if self.cpu_port is not None and not 0 <= self.cpu_port < PORT_LIMIT:
            raise InvalidConfig(f"CPU port {self.cpu_port}: must be 0 to {PORT_LIMIT - 1}")
        if self.p4info is not None and self.program is None:
            raise InvalidConfig(f"P4Info {self.p4info}: give its program, too: PROGRAM.json")
        split_address(self.grpc_address)


def split_address(address: str) -> tuple[str, int]:
    """Host and port of HOST:PORT or [HOST]:PORT. Raises InvalidConfig."""
    host, colon, port = address.rpartition(":")
    if ":" in host and not (host.startswith("[") and host.endswith("]")):
        raise InvalidConfig(
            f"address {address}: must be HOST:PORT, such as 127.0.0.1:9559 or [::1]:9559"
        )
    is_number = port.isascii() and port.isdigit() and len(port) <= 5
    if not colon or not host or not is_number or int(port) > 65535:
        raise InvalidConfig(f"address {address}: must be HOST:PORT with a port from 0 to 65535")
    return host.removeprefix("[").removesuffix("]"), int(port)
