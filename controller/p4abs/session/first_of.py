"""Races several waits."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

_Result = TypeVar("_Result")


async def first_of(*waits: Coroutine[Any, Any, Any]) -> None:
    """Returns when the first of the waits ends, or raises what it raised; cancels the others."""
    tasks = [asyncio.create_task(wait) for wait in waits]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in tasks:
        if task in done:
            task.result()


async def unless(
    interruption: Coroutine[Any, Any, Any], wait: Coroutine[Any, Any, _Result]
) -> _Result:
    """What the wait returns, unless the interruption raises something first."""
    task = asyncio.create_task(wait)

    async def ended() -> None:
        await task

    await first_of(ended(), interruption)
    return task.result()
