"""The calls of the SDE's client that are used, without blocking the event loop.

They block and have no time limit, so they run one after the other in a thread of the session.
Closing the channel ends calls that hang.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Thread
from typing import Any, TypeVar

import grpc

from p4abs.access.register_access import ExchangeTimeout
from p4abs.access.rpc_error import PortRefused, RpcError, refused_ports
from p4abs.targets.bfrt.sde import load_client

ALL_PIPES = 0xFFFF
CALL_TIMEOUT_S = 5.0
SUBSCRIBE_TIMEOUT_S = 2.0

_Answer = TypeVar("_Answer")


class BatchRefused(RpcError):
    """Some elements of a batch were refused: `by_position` says why."""

    def __init__(self, operation: str, failures: Mapping[int, RpcError]) -> None:
        first = next(iter(failures.values()))
        super().__init__(operation, first.code, first.details)
        self.by_position = failures


class BfrtClient:
    """One client of a switch: with a stream if it is `subscribed`, else one that only reads."""

    def __init__(self, address: str, device_id: int, client_id: int, *, subscribed: bool) -> None:
        self._address = address
        self._device_id = device_id
        self._client_id = client_id
        self._is_subscribed = subscribed
        self.sde = load_client()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="bfrt")
        self._interface: Any = None
        self._lost: asyncio.Future[None] | None = None

    async def open(self) -> None:

        def connect() -> None:
            # Without a stream at first, so that there is a channel to close if that fails.
            self._interface = self.sde.ClientInterface(
                self._address, self._client_id, self._device_id, perform_subscribe=False
            )
            if self._is_subscribed:
                self._interface.set_up_stream()
                if not self._interface.subscribe(timeout=SUBSCRIBE_TIMEOUT_S, num_tries=1):
                    raise RuntimeError("the switch does not take the subscription")

        await self.call("connect", connect)

    async def info(self) -> Any:
        """The tables of the switch's program. Raises RpcError."""
        return await self.call("get pipeline", self._interface.bfrt_info_get)

    async def bind(self, p4_name: str) -> None:
        """Takes the program over, which one client alone can. Raises RpcError."""
        try:
            await self.call("bind", lambda: self._interface.bind_pipeline_config(p4_name))
        except RpcError as error:
            if error.code is grpc.StatusCode.ALREADY_EXISTS:
                code = grpc.StatusCode.PERMISSION_DENIED
                raise RpcError("bind", code, f"another client controls {p4_name}") from None
            raise

    @property
    def target(self) -> Any:
        return self.pipe(ALL_PIPES)

    def pipe(self, number: int) -> Any:
        return self.sde.Target(device_id=self._device_id, pipe_id=number)

    def key(self, table: Any, parts: Mapping[str, int | str]) -> Any:
        """Of an entry of a table."""
        return table.make_key([self.sde.KeyTuple(*part) for part in parts.items()])

    async def call(
        self, operation: str, run: Callable[[], _Answer], timeout_s: float = CALL_TIMEOUT_S
    ) -> _Answer:
        """Runs it in the thread. Raises RpcError, and ExchangeTimeout when it takes too long."""
        work = asyncio.get_running_loop().run_in_executor(self._thread, run)
        try:
            async with asyncio.timeout(timeout_s):
                return await work
        except TimeoutError:
            raise ExchangeTimeout(f"{operation}: no answer within {timeout_s} s") from None
        except (grpc.RpcError, self.sde.BfruntimeRpcException, RuntimeError) as error:
            raise wrapped(operation, error) from None

    def entries(
        self, operation: str, answered: Iterable[tuple[Any, Any]]
    ) -> tuple[list[tuple[dict[str, Any], dict[str, Any]]], Mapping[int, RpcError]]:
        """The keys and data that the table has of the requested ones, and by position why it lacks
        others: the switch says so after all answers.

        For the thread of call(). Raises the SDE's exceptions where all is refused at once.
        """
        found = []
        try:
            for data, key in answered:
                found.append((key.to_dict(), data.to_dict()))
        except self.sde.BfruntimeRpcException as error:
            failure = wrapped(operation, error)
            if not isinstance(failure, BatchRefused):
                raise
            return found, failure.by_position
        return found, {}

    async def write(
        self,
        operation: str,
        write: Callable[[], None],
        ports: Sequence[int],
        timeout_s: float = CALL_TIMEOUT_S,
    ) -> dict[int, PortRefused]:
        """What is refused of a batch, by the ports that its elements are about; see call()."""
        try:
            await self.call(operation, write, timeout_s)
        except BatchRefused as error:
            return refused_ports(ports, error.by_position)
        return {}

    async def until_lost(self) -> None:
        """Returns when the stream has ended. One thread waits for it, for all callers."""
        if self._lost is None:
            self._lost = _end_of(self._interface.stream_recv_thread)
        await asyncio.shield(self._lost)

    def close(self) -> None:
        """Ends the stream and all calls."""
        if self._interface is not None:
            self._interface.channel.close()
        self._thread.shutdown(wait=False, cancel_futures=True)


def _end_of(thread: Thread) -> "asyncio.Future[None]":
    loop = asyncio.get_running_loop()
    ended = loop.create_future()

    def wait() -> None:
        thread.join()
        with suppress(RuntimeError):  # nobody waits any more: the loop is closed
            loop.call_soon_threadsafe(ended.set_result, None)

    Thread(target=wait, name="bfrt stream", daemon=True).start()
    return ended


def wrapped(operation: str, error: Exception) -> RpcError:
    """The SDE's exceptions, and gRPC's within them."""
    elements = getattr(error, "errors", None)
    if elements:
        codes = {code.value[0]: code for code in grpc.StatusCode}
        failures = {
            position: RpcError(
                operation, codes.get(each.canonical_code, grpc.StatusCode.UNKNOWN), each.message
            )
            for position, each in elements
        }
        return BatchRefused(operation, failures)
    cause = getattr(error, "grpc_error", None) or error
    # gRPC's synchronous errors are calls, too, which tell their status.
    if isinstance(cause, grpc.RpcError) and hasattr(cause, "code") and hasattr(cause, "details"):
        return RpcError(operation, cause.code(), cause.details() or "")
    return RpcError(operation, grpc.StatusCode.UNAVAILABLE, str(cause))
