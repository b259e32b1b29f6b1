"""What is refused reaches the controller with the specified code, in one line."""

import grpc
import pytest
from finsy.proto import p4r

from .controller import Controller, batch_errors
from .entities import Entities, exact


async def test_the_errors_of_a_hundred_updates_reach_a_client_with_default_limits(
    primary: Controller, entities: Entities
) -> None:
    missing = [entities.entry("stations", [exact(1, number)]) for number in range(100)]
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await primary.delete(*missing)
    errors = batch_errors(caught.value)
    assert [code for code, _ in errors] == [grpc.StatusCode.NOT_FOUND] * 100
    assert errors[0][1]


@pytest.mark.parametrize("character", ["a", "\u00fc", "\U0001f600"])
async def test_a_message_is_one_line_of_bounded_bytes(primary: Controller, character: str) -> None:
    request = p4r.ReadRequest(device_id=1, role=f"a\nb\u2028{character * 2000}")
    with pytest.raises(grpc.aio.AioRpcError, match="no controller has role a b ") as caught:
        await primary.stub.Read(request).read()
    assert caught.value.code() is grpc.StatusCode.NOT_FOUND
    details = caught.value.details() or ""
    assert details.endswith(" ...")
    assert 990 < len(details.encode()) <= 1004
