"""Digests of a program, as they come."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

from grpc import StatusCode

from p4abs_switch.client import Connection, RpcError
from p4abs_switch.console.data import plain
from p4abs_switch.protobuf import p4i, p4r
from p4abs_switch.runtime.names import find

# The switch sends each digest at once, and again if it is not acknowledged for a second.
_CONFIG = p4r.DigestEntry.Config(max_list_size=1, ack_timeout_ns=10**9)


def digests(connection: Connection, p4info: p4i.P4Info, name: str) -> Generator[Any, None, None]:
    """The digests of a name in JSON's form, each acknowledged, for as long as the caller takes
    them.

    Turns digests on, and off again at the end, unless they were on. Raises InputError, NotPrimary,
    and RpcError when the connection is lost.
    """
    digest = find("digest", name, p4info.digests)
    with _switched_on(connection, digest.preamble.id):
        while True:
            found = connection.next_digests()
            if found.digest_id != digest.preamble.id:
                continue
            for data in found.data:
                yield plain(p4info.type_info, digest.type_spec, data)
            connection.acknowledge(found)


@contextmanager
def _switched_on(connection: Connection, digest_id: int) -> Iterator[None]:
    entry = p4r.Entity(digest_entry=p4r.DigestEntry(digest_id=digest_id, config=_CONFIG))
    try:
        connection.write(p4r.Update(type=p4r.Update.INSERT, entity=entry))
    except RpcError as error:
        if error.code is not StatusCode.ALREADY_EXISTS:
            raise
        yield
        return
    try:
        yield
    finally:
        connection.write(p4r.Update(type=p4r.Update.DELETE, entity=entry))
