"""Brings what the program logs into Python's log."""

import asyncio
import logging

from p4abs_switch._engine import Switch

PROGRAM_LOG = logging.getLogger("p4abs_switch.program")
"""What the P4 program says."""

_AT_ONCE = 64  # lines, before others have their turn: signals, for example


async def read_log(switch: Switch) -> None:
    """Logs what the program says, until this is cancelled. Messages that come too fast wait in the
    engine's bounded queue, which discards what it cannot hold. Raises what the engine raises."""
    descriptor = switch.log_descriptor()
    while True:
        await _readable(descriptor)
        for number, line in enumerate(switch.log_messages(), start=1):
            PROGRAM_LOG.info("%s", line)
            if number % _AT_ONCE == 0:
                await asyncio.sleep(0)


async def _readable(descriptor: int) -> None:
    """Waits until a file descriptor can be read."""
    loop, readable = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(descriptor, readable.set)
    try:
        await readable.wait()
    finally:
        loop.remove_reader(descriptor)
