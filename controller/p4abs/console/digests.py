"""Digests of a program, as they come."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from finsy.proto import p4i, p4r
from grpc import StatusCode

from p4abs.access.connection import Connection
from p4abs.access.rpc_error import RpcError
from p4abs.console.data import plain
from p4abs.console.names import find

_TIMEOUT_S = 10.0
# Each at once, and told again if it is not acknowledged for a second.
_CONFIG = p4r.DigestEntry.Config(max_list_size=1, ack_timeout_ns=10**9)


async def digests(
    connection: Connection, p4info: p4i.P4Info, name: str
) -> AsyncGenerator[Any, None]:
    """The digests of a name, acknowledged, as JSON has them, for as long as they are taken.

    The connection must be primary. Digests are switched on, and off again in the end, unless they
    were on. Raises CommandError, and RpcError when the connection is lost.
    """
    digest = find("digest", name, p4info.digests)
    lists: asyncio.Queue[p4r.DigestList] = asyncio.Queue()
    connection.on_digest = lists.put_nowait
    async with _switched_on(connection, digest.preamble.id):
        watch = asyncio.create_task(connection.watch())
        try:
            while True:
                taking = asyncio.create_task(lists.get())
                await asyncio.wait((taking, watch), return_when=asyncio.FIRST_COMPLETED)
                if not taking.done():
                    taking.cancel()
                    await watch  # raises
                found = taking.result()
                if found.digest_id != digest.preamble.id:
                    continue
                for data in found.data:
                    yield plain(p4info.type_info, digest.type_spec, data)
                connection.acknowledge(found)
        finally:
            watch.cancel()


@asynccontextmanager
async def _switched_on(connection: Connection, digest_id: int) -> AsyncIterator[None]:
    entry = p4r.Entity(digest_entry=p4r.DigestEntry(digest_id=digest_id, config=_CONFIG))
    try:
        await connection.write([p4r.Update(type=p4r.Update.INSERT, entity=entry)], _TIMEOUT_S)
    except RpcError as error:
        if error.code is not StatusCode.ALREADY_EXISTS:
            raise
        yield
        return
    try:
        yield
    finally:
        await connection.write([p4r.Update(type=p4r.Update.DELETE, entity=entry)], _TIMEOUT_S)
