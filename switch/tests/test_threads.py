"""Calls that block in threads of their own."""

import asyncio
import contextlib
import gc
import threading
from typing import Any

import pytest
from p4abs_switch.server.threads import in_thread


async def test_a_call_that_fails_while_it_is_cancelled_is_not_complained_about() -> None:
    """Several calls fail at once when the switch dies; one of them is told of."""
    complaints: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, said: complaints.append(said))
    await _cancel_a_call_that_fails()
    await asyncio.sleep(0)  # the event loop lets go of the call
    gc.collect()
    assert complaints == []


async def _cancel_a_call_that_fails() -> None:
    released = threading.Event()

    def call() -> None:
        released.wait()
        raise RuntimeError("the switch has failed")

    task = asyncio.create_task(in_thread("call", call, released.set))
    await asyncio.sleep(0)
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


async def test_an_iterator_at_its_end_is_a_failure_like_any_other() -> None:
    """A future takes every exception but that one, and would never be done."""
    with pytest.raises(RuntimeError, match="StopIteration"):
        await in_thread("call", lambda: next(iter(())), lambda: None)
