"""Calls that block, awaited by the event loop."""

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

_Result = TypeVar("_Result")


async def in_thread(name: str, call: Callable[[], _Result], release: Callable[[], None]) -> _Result:
    """Awaits a call in a thread of its own, which has ended on return.

    `release` must make the call return soon; it is called when this is cancelled, and after the
    call. Raises what the call raises. The pool of asyncio.to_thread() would run out of threads: a
    call may last as long as a switch.
    """
    loop = asyncio.get_running_loop()
    returned: asyncio.Future[_Result] = loop.create_future()
    # Taken note of, or asyncio would complain where this is cancelled, be it once or twice.
    returned.add_done_callback(lambda future: future.exception())

    def run() -> None:
        try:
            result = call()
        except StopIteration as error:  # which no future takes
            failure = RuntimeError(f"unexpected {error!r}")
            loop.call_soon_threadsafe(returned.set_exception, failure)
        except BaseException as error:  # a Rust panic is no Exception
            loop.call_soon_threadsafe(returned.set_exception, error)
        else:
            loop.call_soon_threadsafe(returned.set_result, result)

    thread = threading.Thread(target=run, name=name, daemon=True)
    thread.start()
    try:
        await asyncio.wait([returned])
    finally:
        release()
        await asyncio.wait([returned])
        thread.join()
    return returned.result()
