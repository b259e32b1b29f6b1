"""A switch for tests: served on a free port of the loopback interface, in this process.

In an async test use `serve.running(config())`; in any other

    with switch_in_thread(config()) as switch:
        channel = grpc.insecure_channel(switch.address)
"""

import asyncio
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path

from p4abs_switch._engine import PortConfig
from p4abs_switch.server.config import SwitchConfig
from p4abs_switch.server.serve import RunningSwitch, running
from p4abs_switch.server.tls import TlsFiles


def config(
    *,
    program: Path | None = None,
    ports: Sequence[PortConfig] = (),
    cpu_port: int | None = 510,
    tls: TlsFiles | None = None,
) -> SwitchConfig:
    """Device 1 on any free port of 127.0.0.1."""
    return SwitchConfig("127.0.0.1:0", 1, cpu_port, tuple(ports), program, tls=tls)


@contextmanager
def switch_in_thread(settings: SwitchConfig, *, live: bool = True) -> Iterator[RunningSwitch]:
    """A switch that is served by an event loop in a thread of its own. Errors as running()."""
    started: Future[RunningSwitch] = Future()
    done: Future[None] = Future()
    loop = asyncio.new_event_loop()
    ended = asyncio.Event()

    async def serve() -> None:
        async with running(settings, live=live) as switch:
            started.set_result(switch)
            await ended.wait()

    def run() -> None:
        try:
            with asyncio.Runner(loop_factory=lambda: loop) as runner:
                runner.run(serve())
            done.set_result(None)
        except BaseException as error:  # a panic of the engine is no Exception
            (done if started.done() else started).set_exception(error)

    thread = threading.Thread(target=run, name="switch")
    thread.start()
    try:
        yield started.result()
    finally:
        with suppress(RuntimeError):  # the loop has ended by itself
            loop.call_soon_threadsafe(ended.set)
        thread.join()
    done.result()
