"""Long TCP flows between the pairs of hosts, made by iperf3."""

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from absdemo.processes import Ledger, wait_until
from absdemo.target import last_line

FIRST_PORT = 5201  # iperf3's own
LISTEN_STATE = "0A"  # proc(5), /proc/net/tcp
LISTEN_TIMEOUT_S = 10.0
ENDLESS_S = 86400


class TrafficError(Exception):
    """A flow could not be started, or has ended by itself."""


@dataclass(frozen=True)
class Pair:
    """A sender and its receiver: processes in their namespaces, and where the sender hangs.

    port: the sender's switch port, which also is the pair's number, from 1.
    """

    sender_pid: int
    receiver_pid: int
    receiver_address: str
    port: int


@dataclass(frozen=True)
class Flow:
    """One TCP connection for iperf3 to keep busy; `number` counts from 1."""

    number: int
    pair: Pair

    @property
    def port(self) -> int:
        return FIRST_PORT + self.number

    @property
    def server_command(self) -> list[str]:
        return [*_inside(self.pair.receiver_pid), "iperf3", "-s", "-1", "-p", str(self.port)]

    def client_command(self, congestion_control: str) -> list[str]:
        return [
            *_inside(self.pair.sender_pid),
            *("iperf3", "-c", self.pair.receiver_address, "-p", str(self.port)),
            *("-C", congestion_control, "-t", str(ENDLESS_S), "-i", "0"),
        ]


def _inside(pid: int) -> list[str]:
    """Runs a command in a node's namespaces; it keeps the process id."""
    return ["mnexec", "-a", str(pid)]


def spread(count: int, pairs: Sequence[Pair]) -> tuple[Flow, ...]:
    """`count` flows, dealt out to the pairs in turn."""
    return tuple(Flow(number, pairs[(number - 1) % len(pairs)]) for number in range(1, count + 1))


@dataclass
class _Running:
    server: subprocess.Popen[bytes]
    client: subprocess.Popen[bytes]


class Traffic:
    """The flows that run at the moment; each has a log of its iperf3 processes."""

    def __init__(self, ledger: Ledger, congestion_control: str, log_directory: Path) -> None:
        self._ledger = ledger
        self._congestion_control = congestion_control
        self._log_directory = log_directory
        self._running: dict[Flow, _Running] = {}

    def run_only(self, flows: Sequence[Flow]) -> None:
        """Starts and ends flows so that exactly these run."""
        self._stop([flow for flow in self._running if flow not in flows])
        self._start([flow for flow in flows if flow not in self._running])

    def _start(self, flows: Sequence[Flow]) -> None:
        """Starts flows, all receivers before the first sender."""
        servers = {flow: self._spawn(flow, "receiver", flow.server_command) for flow in flows}
        for flow, server in servers.items():
            if not wait_until(partial(_listens, flow), server, LISTEN_TIMEOUT_S):
                raise TrafficError(f"iperf3 of receiver {flow.number} does not listen")
        for flow, server in servers.items():
            command = flow.client_command(self._congestion_control)
            self._running[flow] = _Running(server, self._spawn(flow, "sender", command))

    def _stop(self, flows: Sequence[Flow]) -> None:
        """Ends flows at once.

        The receivers go first and reset the connections: a sender that closes would go on
        sending what its socket still holds, for seconds through a full queue.
        """
        running = [self._running.pop(flow) for flow in flows]
        for process in [each.server for each in running] + [each.client for each in running]:
            process.kill()
            process.wait()

    def check(self) -> None:
        """Raises TrafficError if a flow has ended by itself."""
        for flow, running in self._running.items():
            if running.client.poll() is not None or running.server.poll() is not None:
                log = self._log(flow, "sender")
                raise TrafficError(f"flow {flow.number} has ended: {last_line(log)} ({log})")

    def _log(self, flow: Flow, role: str) -> Path:
        return self._log_directory / f"iperf3-{role}-{flow.number}.log"

    def _spawn(self, flow: Flow, role: str, command: list[str]) -> subprocess.Popen[bytes]:
        with self._log(flow, role).open("wb") as log:
            return self._ledger.start(command, log)


def _listens(flow: Flow) -> bool:
    """Whether something listens on the flow's port in the receiver's namespace."""
    lines = Path(f"/proc/{flow.pair.receiver_pid}/net/tcp6").read_text().splitlines()
    lines += Path(f"/proc/{flow.pair.receiver_pid}/net/tcp").read_text().splitlines()
    sockets = (line.split() for line in lines)
    return any(
        words[1].endswith(f":{flow.port:04X}") and words[3] == LISTEN_STATE for words in sockets
    )
