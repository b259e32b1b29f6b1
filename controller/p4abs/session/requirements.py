"""What a program has to have for the settings of a port."""

from collections.abc import Iterator

from p4abs.access.program import UNSATURATED_REGISTERS, Program
from p4abs.config import PortSettings, SwitchSettings
from p4abs.errors import UserError

_REAL_QUEUE_REGISTER = "busy_since_us"
_ECN_REGISTER = "ecn_marking"


def check_program(program: Program, settings: SwitchSettings) -> None:
    """Raises MissingObjects or UserError when the program cannot serve the settings."""
    for port in settings.port:
        for hindrance in _hindrances(program, port):
            raise UserError(f"port {port.number}: {hindrance}")


def _hindrances(program: Program, port: PortSettings) -> Iterator[str]:
    for hindrance in (capacity_hindrance, ecn_hindrance, number_hindrance):
        if found := hindrance(program, port):
            yield found


def capacity_hindrance(program: Program, port: PortSettings) -> str:
    """What is wrong with a port that leaves its capacity to the program; empty: nothing."""
    hindrance = measurement_hindrance(program)
    if port.capacity is not None or not hindrance:
        return ""
    return (
        f"capacity is missing, and cannot be measured: {hindrance}; "
        "give capacity, such as '10Mbit', or use the program queue"
    )


def ecn_hindrance(program: Program, port: PortSettings) -> str:
    """Why the program cannot mark as the port asks; empty: it can, or need not."""
    if not port.ecn_marking or _ECN_REGISTER in program.register_ids():
        return ""
    return (
        f"ecn-marking: the program lacks the register {_ECN_REGISTER}; "
        "leave ecn-marking out, or use one of the programs queue, virtual_queue"
    )


def number_hindrance(program: Program, port: PortSettings) -> str:
    """Why the program's registers do not hold the port; empty: they do."""
    if port.number < program.port_count():
        return ""
    return f"the program has registers for the ports 0 to {program.port_count() - 1}"


def measurement_hindrance(program: Program) -> str:
    """Why no capacity can be measured with this program; empty: it can be."""
    registers = program.register_ids()
    missing = [name for name in UNSATURATED_REGISTERS if name not in registers]
    if missing:
        return f"the program lacks the registers {', '.join(missing)}"
    if _REAL_QUEUE_REGISTER not in registers:
        return "the program's queue is a virtual one, which drains at the capacity"
    return ""
