"""What the engine refuses, as gRPC tells it."""

from collections.abc import Iterator
from contextlib import contextmanager

import grpc
from p4abs_switch._engine import RequestRefused

CODES = {code.value[0]: code for code in grpc.StatusCode}


class RequestError(Exception):
    """A request that is refused: a canonical code and one line that names the object."""

    def __init__(self, code: grpc.StatusCode, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@contextmanager
def refusals() -> Iterator[None]:
    """Turns what the engine refuses inside the `with` into a RequestError."""
    try:
        yield
    except RequestRefused as error:
        number, message = error.args
        raise RequestError(CODES[number], message) from None
