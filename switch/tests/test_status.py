"""What the engine raises reaches the controller with the specified code."""

import asyncio
from pathlib import Path
from typing import Never

import grpc
import pytest
from finsy.proto import p4r
from p4abs_switch import _engine
from p4abs_switch.status import RequestError, engine_errors, invalid

from .controller import Controller, batch_errors, pipeline_config
from .entities import Entities, exact

ANSWER_DEADLINE_S = 10.0
Set = p4r.SetForwardingPipelineConfigRequest

# As pyo3 makes it: not an Exception, and only its name tells what it is.
PanicException = type("PanicException", (BaseException,), {})


@pytest.mark.parametrize(
    ("raised", "code"),
    [
        (_engine.UnknownObject("x"), grpc.StatusCode.INVALID_ARGUMENT),
        (_engine.EntryNotFound("x"), grpc.StatusCode.NOT_FOUND),
        (_engine.TableFull("x"), grpc.StatusCode.RESOURCE_EXHAUSTED),
        (_engine.SwitchFailed("x"), grpc.StatusCode.UNAVAILABLE),
        (_engine.EngineError("x"), grpc.StatusCode.INTERNAL),
        (_engine.RequestRefused(8, "x"), grpc.StatusCode.RESOURCE_EXHAUSTED),
        (PanicException("x"), grpc.StatusCode.INTERNAL),
    ],
)
@pytest.mark.requirement("13.3-2")
def test_what_the_engine_raises_gets_a_code(raised: BaseException, code: grpc.StatusCode) -> None:
    with pytest.raises(RequestError) as caught, engine_errors():
        raise raised
    assert caught.value.code is code


@pytest.mark.parametrize("character", ["a", "\u00fc", "\U0001f600"])
def test_a_message_has_a_bound_in_bytes(character: str) -> None:
    short = invalid(character * 100).message
    assert short == character * 100
    long = invalid(character * 2000).message
    assert long.startswith(short)
    assert long.endswith(" ...")
    assert 990 < len(long.encode()) <= 1004


async def test_a_write_that_finds_the_switch_failed_is_unavailable_as_a_whole(
    primary: Controller, entities: Entities, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failed(*_: object) -> Never:
        raise RequestError(grpc.StatusCode.UNAVAILABLE, "the packet thread panicked")

    monkeypatch.setattr("p4abs_switch.server.device.Device.write", failed)
    with pytest.raises(grpc.aio.AioRpcError, match="the packet thread panicked") as caught:
        await primary.insert(entities.entry("stations", [exact(1, 1)], "forward", 1))
    assert caught.value.code() is grpc.StatusCode.UNAVAILABLE


def test_what_is_not_the_engine_s_passes() -> None:
    with pytest.raises(KeyboardInterrupt), engine_errors():
        raise KeyboardInterrupt


async def test_the_errors_of_a_hundred_updates_reach_a_client_with_default_limits(
    primary: Controller, entities: Entities
) -> None:
    missing = [entities.entry("stations", [exact(1, number)]) for number in range(100)]
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await primary.delete(*missing)
    errors = batch_errors(caught.value)
    assert [code for code, _ in errors] == [grpc.StatusCode.NOT_FOUND] * 100
    assert errors[0][1]


async def test_a_panic_of_the_engine_answers_the_controller(
    primary: Controller, kinds_json: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def panicking(_request: bytes) -> Never:
        raise PanicException("index out of bounds")

    monkeypatch.setattr("p4abs_switch.server.device._engine.PipelineChange", panicking)
    with pytest.raises(grpc.aio.AioRpcError, match="the engine has failed") as caught:
        async with asyncio.timeout(ANSWER_DEADLINE_S):
            await primary.set_config(Set.VERIFY, pipeline_config(kinds_json))
    assert caught.value.code() is grpc.StatusCode.INTERNAL


def test_a_refusal_stays_one_line_whatever_it_names() -> None:
    error = RequestError(grpc.StatusCode.NOT_FOUND, "no controller has role a\nb\u2028c")
    assert str(error) == error.message == "no controller has role a b c"
