"""Calls that block, awaited by the event loop."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any, TypeVar

_Result = TypeVar("_Result")


async def in_thread(name: str, call: Callable[[], _Result], release: Callable[[], None]) -> _Result:
    """Awaits a call in a thread of its own, which has ended on return.

    `release` must make the call return soon; it is called when this is cancelled, and after the
    call. Raises what the call raises. The pool of asyncio.to_thread() would run out of threads: a
    call may last as long as a switch.
    """
    thread, returned = _started(name, call)
    try:
        await asyncio.wait([returned])
    finally:
        release()
        await asyncio.wait([returned])
        thread.join()
    return returned.result()


def _started(
    name: str, call: Callable[[], _Result]
) -> tuple[threading.Thread, asyncio.Future[_Result]]:
    """A thread that makes a call, and what the call returns."""
    loop = asyncio.get_running_loop()
    returned: asyncio.Future[_Result] = loop.create_future()
    # Taken note of, or asyncio would complain where this is cancelled, be it once or twice.
    returned.add_done_callback(lambda future: future.cancelled() or future.exception())

    def run() -> None:
        try:
            result = call()
        except StopIteration as error:  # which no future takes
            tell(returned.set_exception, RuntimeError(f"unexpected {error!r}"))
        except BaseException as error:  # a Rust panic is no Exception
            tell(returned.set_exception, error)
        else:
            tell(returned.set_result, result)

    def tell(how: Callable[[Any], None], what: object) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(how, what)

    thread = threading.Thread(target=run, name=name, daemon=True)
    thread.start()
    return thread, returned
