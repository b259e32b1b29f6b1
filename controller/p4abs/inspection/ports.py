"""Whether a port's registers, capacity, limit and ECN marking are as configured."""

from collections.abc import Callable, Iterator, Mapping

from p4abs.access.capabilities import Capabilities, SwitchPort
from p4abs.config import PortSettings, SwitchSettings, without_effect
from p4abs.inspection.findings import Finding, Outcome
from p4abs.inspection.readings import Readings
from p4abs.session.ports.watch import UNCOUNTED, absence, uncounted_ports
from p4abs.session.requirements import (
    capacity_unsupported,
    ecn_unsupported,
    fitted_port,
    limit_unsupported,
    number_unsupported,
    queue_unsupported,
    rate_unsupported,
    unit_unsupported,
)
from p4abs.units import format_duration, format_rate, format_size

# The nominal rate of an Ethernet port is above what it carries, by preamble, gap and FCS: 1.6 %
# with full frames, 10 % with 240 bytes.
PLAUSIBLE_DIFFERENCE = 0.1

_IN_REGISTERS = "the program has registers for it; whether it has a link cannot be seen"
# The fewest packets, while the check watches, that the program should have counted.
_ENOUGH_PACKETS = 10

_Verdict = tuple[Outcome, str]
_NO_LIMIT = (Outcome.NOT_CHECKED, "the switch has none yet")


def check_ports(
    capabilities: Capabilities, settings: SwitchSettings, readings: Readings | str
) -> Iterator[Finding]:
    """Findings port by port. `readings` is a reason if there are none."""
    for port in settings.port:
        if unsupported := number_unsupported(capabilities, port) or queue_unsupported(
            capabilities, port
        ):
            yield Finding(Outcome.DIFFERS, "port", unsupported, (port.index,))
            continue
        outcome, text = _presence(capabilities, port)
        yield Finding(outcome, "port", text, (port.index,))
        if outcome is Outcome.DIFFERS:
            continue
        fitting = fitted_port(capabilities, port)
        for name, check in _CHECKS.items():
            outcome, text = check(capabilities, fitting, readings)
            yield Finding(outcome, name, text, (port.index,))


def _presence(capabilities: Capabilities, port: PortSettings) -> _Verdict:
    """Whether the switch has the port, as far as it tells."""
    if not capabilities.ports:
        return Outcome.OK, _IN_REGISTERS
    found = capabilities.ports.get(port.number)
    if found is None:
        return Outcome.DIFFERS, absence(capabilities.ports)
    if not found.is_up:
        return Outcome.NOT_CHECKED, "its link is down, so nothing can be sent there now"
    return Outcome.OK, "the switch has it, and its link is up"


def check_counts(
    before: Capabilities,
    after: Mapping[int, SwitchPort],
    settings: SwitchSettings,
    readings: Readings,
) -> list[Finding]:
    """Ports to which packets went while the check watched, although the program counts none. It is
    not asked of a program with several queues a port: one that is not read may count them."""
    if before.queues > 1:
        return []
    read = {port.index: readings.registers.get(port.index, {}) for port in settings.port}
    silent = [port for port, values in read.items() if values and not _counted(values)]
    found = uncounted_ports(before.ports, after, silent, _ENOUGH_PACKETS)
    return [Finding(Outcome.DIFFERS, "counts", UNCOUNTED, (port,)) for port in found]


def _counted(values: Mapping[str, int]) -> bool:
    return bool(values["admitted_bytes"] or values["dropped_bytes"])


def check_memory(settings: SwitchSettings, readings: Readings | str) -> Iterator[Finding]:
    """Whether all present limits fit into the memory that they share, and what needs one."""
    for name, text in without_effect(settings):
        yield Finding(Outcome.DIFFERS, name, text)
    memory = settings.memory_of_limits
    if memory is None:
        return
    if isinstance(readings, str):
        yield Finding(Outcome.NOT_CHECKED, "memory", readings)
        return
    total = sum(values["queue_limit_bytes"] for values in readings.registers.values())
    outcome = Outcome.OK if total <= memory else Outcome.DIFFERS
    text = f"the limits in force add up to {format_size(total)} of {format_size(memory)}"
    yield Finding(outcome, "memory", text)


def _capacity(capabilities: Capabilities, port: PortSettings, readings: Readings | str) -> _Verdict:
    if unsupported := capacity_unsupported(capabilities, port) or rate_unsupported(
        capabilities, port
    ):
        return Outcome.DIFFERS, unsupported
    declared = (
        "none declared" if port.capacity is None else f"{format_rate(port.capacity)} declared"
    )
    if unsupported := capabilities.measurement_unsupported:
        return Outcome.NOT_CHECKED, f"{declared}; {unsupported}"
    if isinstance(readings, str):
        return Outcome.NOT_CHECKED, f"{declared}; {readings}"
    measured = readings.capacities_bps.get(port.index)
    if measured is None:
        watched = format_duration(readings.watched_s)
        return (
            Outcome.NOT_CHECKED,
            f"{declared}; too little was sent in {watched} to measure it; --duration sets how long "
            "to watch",
        )
    if port.queue is not None:
        return (
            Outcome.OK,
            f"{declared}; {format_rate(measured)} of it measured for this queue",
        )
    is_plausible = (
        port.capacity is None or abs(measured / port.capacity - 1) <= PLAUSIBLE_DIFFERENCE
    )
    outcome = Outcome.OK if is_plausible else Outcome.DIFFERS
    return outcome, f"{declared}, {format_rate(measured)} measured"


def _limit(capabilities: Capabilities, port: PortSettings, readings: Readings | str) -> _Verdict:
    if unsupported := limit_unsupported(capabilities, port) or unit_unsupported(capabilities, port):
        return Outcome.DIFFERS, unsupported
    if isinstance(readings, str):
        return Outcome.NOT_CHECKED, readings
    limit = readings.registers[port.index]["queue_limit_bytes"]
    if limit == 0:
        return _NO_LIMIT
    measured = readings.capacities_bps.get(port.index)
    highest = port.largest_limit(port.given_capacity or measured or port.capacity)
    lowest_text = format_size(port.min_limit)
    bounds = (
        f"{lowest_text} or more (its capacity is not known)"
        if highest is None
        else f"{lowest_text} to {format_size(highest)}"
    )
    if port.min_limit <= limit and (highest is None or limit <= highest):
        return Outcome.OK, f"within its bounds, {bounds}"
    return Outcome.DIFFERS, f"{format_size(limit)} lies outside of its bounds, {bounds}"


def _ecn_marking(
    capabilities: Capabilities, port: PortSettings, readings: Readings | str
) -> _Verdict:
    if unsupported := ecn_unsupported(capabilities, port):
        return Outcome.DIFFERS, unsupported.removeprefix("ecn-marking: ")
    if isinstance(readings, str):
        return Outcome.NOT_CHECKED, readings
    registers = readings.registers[port.index]
    # A controller that sets a limit sets this, too.
    if registers["queue_limit_bytes"] == 0:
        return Outcome.NOT_CHECKED, "no controller has set it yet"
    is_on = bool(registers.get("ecn_marking", 0))
    if is_on == port.ecn_marking:
        return Outcome.OK, f"{_on_or_off(is_on)}, as configured"
    return Outcome.DIFFERS, f"{_on_or_off(is_on)}, but {_on_or_off(not is_on)} in the configuration"


def _on_or_off(is_on: bool) -> str:
    return "on" if is_on else "off"


_CHECKS: dict[str, Callable[[Capabilities, PortSettings, Readings | str], _Verdict]] = {
    "capacity": _capacity,
    "limit": _limit,
    "ecn-marking": _ecn_marking,
}
