"""Errors of requests, and how they travel over gRPC (P4Runtime 1.5, sections 10 and 12.3)."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Never

import grpc
from grpc.aio import ServicerContext

from p4abs_switch import _engine
from p4abs_switch.errors import one_line

Code = grpc.StatusCode

# What the request itself names may have any length.
_LONGEST_BYTES = 1000
_CODES = {code.value[0]: code for code in Code}

_CODE_OF_ENGINE_ERROR: tuple[tuple[type[_engine.EngineError], Code], ...] = (
    (_engine.PipelineRefused, Code.INVALID_ARGUMENT),
    (_engine.UnknownObject, Code.INVALID_ARGUMENT),
    (_engine.InvalidArgument, Code.INVALID_ARGUMENT),
    (_engine.AlreadyExists, Code.ALREADY_EXISTS),
    (_engine.EntryNotFound, Code.NOT_FOUND),
    (_engine.TableFull, Code.RESOURCE_EXHAUSTED),
    (_engine.InUse, Code.FAILED_PRECONDITION),
    (_engine.InterfaceError, Code.FAILED_PRECONDITION),
    (_engine.SwitchFailed, Code.UNAVAILABLE),
    (_engine.EngineError, Code.INTERNAL),
)


class RequestError(Exception):
    """A request that is refused: a canonical code and one line that names the object."""

    def __init__(self, code: Code, message: str) -> None:
        self.message = _cut(one_line(message))  # what the request itself names may have any
        super().__init__(self.message)
        self.code = code


def _cut(text: str) -> str:
    encoded = text.encode()
    if len(encoded) <= _LONGEST_BYTES:
        return text
    return f"{encoded[:_LONGEST_BYTES].decode(errors='ignore')} ..."


def invalid(message: str) -> RequestError:
    """A request that can never be served as it is: INVALID_ARGUMENT."""
    return RequestError(Code.INVALID_ARGUMENT, message)


def number(code: Code) -> int:
    """The code as google.rpc.Code numbers it."""
    value: int = code.value[0]
    return value


@contextmanager
def engine_errors() -> Iterator[None]:
    """Turns what the engine raises into the RequestError with the specified code.

    pyo3 raises a Rust panic outside of Exception, by a type that cannot be imported; it must not
    leave the controller without an answer.
    """
    try:
        yield
    except _engine.RequestRefused as error:
        refused, message = error.args
        raise RequestError(_CODES[refused], message) from None
    except _engine.EngineError as error:
        code = next(code for kind, code in _CODE_OF_ENGINE_ERROR if isinstance(error, kind))
        raise RequestError(code, str(error)) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise RequestError(Code.INTERNAL, f"the engine has failed: {error}") from error


async def abort(context: ServicerContext[Any, Any], error: RequestError) -> Never:
    """Ends a call with an error that concerns the call as a whole."""
    await context.abort(error.code, error.message)


async def abort_batch(context: ServicerContext[Any, Any], message: str, status: bytes) -> Never:
    """Ends a Write or Read with UNKNOWN and one p4.v1.Error per element (section 12.3).

    status: the google.rpc.Status that has them.
    """
    await context.abort(Code.UNKNOWN, message, (("grpc-status-details-bin", status),))
