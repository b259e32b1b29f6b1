"""Tofino's port numbers (`D_P` of the SDE): the pipe, and a port of the pipe."""

CHIPS = {"tna": "Tofino 1", "t2na": "Tofino 2"}
"""By the architecture's name, as P4Info has it."""

TOFINO_2_MEMORY_BYTES = 64_000_000
"""The packet buffer, which all queues share (Intel's product brief)."""

NUMBERS_PER_PIPE = 128
PORTS_PER_PIPE = 72


def port_unsupported(chip: str, number: int) -> str:
    """Why the chip has no such port; empty: it has, if it has that pipe."""
    if number % NUMBERS_PER_PIPE < PORTS_PER_PIPE:
        return ""
    first = number - number % NUMBERS_PER_PIPE
    return (
        f"{chip} has no such port: those of pipe {number // NUMBERS_PER_PIPE} are "
        f"{first} to {first + PORTS_PER_PIPE - 1}"
    )
