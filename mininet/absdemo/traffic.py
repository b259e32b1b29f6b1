"""Long TCP flows between the pairs of hosts, made by iperf3."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from p4abs_switch.testbed.process import RunningProcess

from absdemo.dumbbell.pair import Pair
from absdemo.processes.ledger import Ledger

FIRST_PORT = 5201  # iperf3's own
LISTEN_DEADLINE_S = 10.0
ENDLESS_S = 86400


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


@dataclass(frozen=True)
class _Running:
    receiver: RunningProcess
    sender: RunningProcess


class Traffic:
    """The flows that run at the moment; each has a log of its iperf3 processes."""

    def __init__(self, ledger: Ledger, congestion_control: str, log_directory: Path) -> None:
        self._ledger = ledger
        self._congestion_control = congestion_control
        self._log_directory = log_directory
        self._running: dict[Flow, _Running] = {}

    def run_only(self, flows: Sequence[Flow]) -> None:
        """Starts and ends flows so that exactly these run. Raises ProcessFailed."""
        self._stop([flow for flow in self._running if flow not in flows])
        self._start([flow for flow in flows if flow not in self._running])

    def _start(self, flows: Sequence[Flow]) -> None:
        """Starts flows, all receivers before the first sender."""
        receivers = {flow: self._spawn(flow, "receiver", flow.server_command) for flow in flows}
        for flow, receiver in receivers.items():
            receiver.wait_until_listening([flow.port], LISTEN_DEADLINE_S)
        for flow, receiver in receivers.items():
            command = flow.client_command(self._congestion_control)
            self._running[flow] = _Running(receiver, self._spawn(flow, "sender", command))

    def _stop(self, flows: Sequence[Flow]) -> None:
        """Ends flows at once.

        The receivers go first and reset the connections: a sender that closes would go on
        sending what its socket still holds, for seconds through a full queue.
        """
        running = [self._running.pop(flow) for flow in flows]
        for process in [each.receiver for each in running] + [each.sender for each in running]:
            process.kill()

    def senders(self) -> list[RunningProcess]:
        """Of all flows that run."""
        return [running.sender for running in self._running.values()]

    def check_alive(self) -> None:
        """Raises ProcessFailed if a flow has ended by itself."""
        for running in self._running.values():
            running.sender.check_alive()
            running.receiver.check_alive()

    def _spawn(self, flow: Flow, role: str, command: list[str]) -> RunningProcess:
        log = self._log_directory / f"iperf3-{role}-{flow.number}.log"
        return RunningProcess(f"iperf3 ({role} {flow.number})", command, log, self._ledger.start)
