"""Long TCP flows between the pairs of hosts."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from p4abs_switch.testbed.namespaces import inside
from p4abs_switch.testbed.process import RunningProcess, Start

from p4abs_demonstration.dumbbell import Pair
from p4abs_demonstration.generators import Generator
from p4abs_demonstration.settings import SettingsError

FIRST_PORT = 5201  # iperf3's own
LISTEN_DEADLINE_S = 10.0
_AVAILABLE = Path("/proc/sys/net/ipv4/tcp_available_congestion_control")


def check_congestion_control(name: str) -> None:
    """Whether this kernel has it. Raises SettingsError."""
    available = _AVAILABLE.read_text().split()
    if name not in available:
        raise SettingsError(
            f"this kernel has no TCP {name}; it offers {', '.join(available)}; "
            f"modprobe tcp_{name} may help"
        )


@dataclass(frozen=True)
class Flow:
    """One TCP connection that is kept busy; `number` counts from 1."""

    number: int
    pair: Pair

    @property
    def port(self) -> int:
        return FIRST_PORT + self.number

    def receiver_command(self, generator: Generator) -> list[str]:
        return [*inside(self.pair.receiver_pid), *generator.receive(self.port)]

    def sender_command(self, generator: Generator, congestion_control: str) -> list[str]:
        send = generator.send(self.pair.receiver_address, self.port, congestion_control)
        return [*inside(self.pair.sender_pid), *send]


def spread(count: int, pairs: Sequence[Pair]) -> tuple[Flow, ...]:
    """`count` flows, dealt out to the pairs in turn."""
    return tuple(Flow(number, pairs[(number - 1) % len(pairs)]) for number in range(1, count + 1))


@dataclass(frozen=True)
class _Running:
    receiver: RunningProcess
    sender: RunningProcess


class Traffic:
    """The flows that run at the moment; each of their processes has a log."""

    def __init__(
        self, generator: Generator, congestion_control: str, start: Start, logs: Path
    ) -> None:
        self._generator = generator
        self._congestion_control = congestion_control
        self._start_process = start
        self._logs = logs
        self._running: dict[Flow, _Running] = {}

    def run_only(self, flows: Sequence[Flow]) -> None:
        """Starts and ends flows so that exactly these run. Raises ProcessFailed."""
        self._stop([flow for flow in self._running if flow not in flows])
        self._start([flow for flow in flows if flow not in self._running])

    def _start(self, flows: Sequence[Flow]) -> None:
        """Starts flows, all receivers before the first sender."""
        receivers = {flow: self._receive(flow) for flow in flows}
        for flow, receiver in receivers.items():
            receiver.wait_until_listening([flow.port], LISTEN_DEADLINE_S)
        for flow, receiver in receivers.items():
            self._running[flow] = _Running(receiver, self._send(flow))

    def _stop(self, flows: Sequence[Flow]) -> None:
        """Ends flows at once.

        The receivers end first and reset the connections. A sender that closes would go on sending
        the data in its socket, for seconds through a full queue.
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

    def _receive(self, flow: Flow) -> RunningProcess:
        return self._spawn(flow, "receiver", flow.receiver_command(self._generator))

    def _send(self, flow: Flow) -> RunningProcess:
        command = flow.sender_command(self._generator, self._congestion_control)
        return self._spawn(flow, "sender", command)

    def _spawn(self, flow: Flow, role: str, command: list[str]) -> RunningProcess:
        name = self._generator.name
        log = self._logs / f"{name}-{role}-{flow.number}.log"
        return RunningProcess(f"{name} ({role} {flow.number})", command, log, self._start_process)
