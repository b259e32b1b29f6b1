"""Brings what the engine has for the controller into the event loop."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

_Item = TypeVar("_Item")


async def read_engine(
    descriptor: int, take: Callable[[float], list[_Item]], deliver: Callable[[list[_Item]], None]
) -> None:
    """Takes what the engine has and delivers it, until this is cancelled.

    `descriptor` can be read while there is something to take; `take` is called with the seconds
    that it may wait, which are none. What the loop cannot keep up with waits, and is lost, in the
    engine's bounded queue. Raises what `take` or `deliver` raises.
    """
    loop = asyncio.get_running_loop()
    failed: asyncio.Future[None] = loop.create_future()

    def deliver_all() -> None:
        try:
            deliver(take(0.0))
        except BaseException as error:  # a Rust panic is no Exception
            loop.remove_reader(descriptor)
            if not failed.done():
                failed.set_exception(error)

    loop.add_reader(descriptor, deliver_all)
    try:
        await failed
    finally:
        loop.remove_reader(descriptor)
