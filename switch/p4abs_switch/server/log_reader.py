"""Brings what the program logs into Python's log."""

import asyncio
import logging

from p4abs_switch._engine import Switch

PROGRAM_LOG = logging.getLogger("p4abs_switch.program")
"""What the P4 program says."""


async def read_log(switch: Switch) -> None:
    """Logs what the program says, until this is cancelled. Messages that come too fast wait in the
    engine's bounded queue, which discards what it cannot hold. Raises what the engine raises."""
    loop, descriptor = asyncio.get_running_loop(), switch.log_descriptor()
    failed: asyncio.Future[None] = loop.create_future()

    def log_all() -> None:
        try:
            for line in switch.log_messages():
                PROGRAM_LOG.info("%s", line)
        except BaseException as error:  # a Rust panic is no Exception
            loop.remove_reader(descriptor)
            if not failed.done():
                failed.set_exception(error)

    loop.add_reader(descriptor, log_all)
    try:
        await failed
    finally:
        loop.remove_reader(descriptor)
