"""The parts of a running switch, which live and die together."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from typing import Never

from p4abs_switch._engine import SwitchFailed as EngineFailed
from p4abs_switch.server.errors import SwitchDied

_LOG = logging.getLogger(__name__)

Part = Callable[[], Coroutine[object, object, None]]
"""Runs until it is cancelled; that it returns is a failure, as that it raises."""
OnFailure = Callable[[SwitchDied], Coroutine[object, object, None]]
"""Gets the failure of a part."""


@asynccontextmanager
async def supervised(parts: Mapping[str, Part], on_failure: OnFailure) -> AsyncIterator[None]:
    """Runs parts, by name, for as long as the `async with` lasts.

    When one of them fails, `on_failure` is awaited; then the others and the block are cancelled.
    Raises SwitchDied, which names the part.
    """
    first: BaseException | None = None
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(_run(name, parts[name], on_failure)) for name in parts]
            yield
            for task in tasks:
                task.cancel()
    except BaseExceptionGroup as errors:  # of parts, or the block's own
        first = errors.exceptions[0]
    if first is not None:
        raise first


async def _run(name: str, part: Part, on_failure: OnFailure) -> Never:
    try:
        await part()
        failure = SwitchDied(f"{name} has ended")
    except (asyncio.CancelledError, GeneratorExit):
        raise
    except SwitchDied as error:
        failure = error
    except EngineFailed as error:
        failure = SwitchDied(str(error))
    except BaseException as error:  # a Rust panic is no Exception
        _LOG.debug("%s has failed", name, exc_info=error)
        failure = SwitchDied(f"{name} has failed: {_one_line(error)}")
    try:
        await on_failure(failure)
    finally:  # also if the telling is cut short
        raise failure


def _one_line(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())
