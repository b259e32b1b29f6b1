"""Port numbers in messages are those that the engine can have."""

import grpc
import pytest
from p4abs_switch import bytestring
from p4abs_switch._engine import PORT_LIMIT
from p4abs_switch.messages import ports
from p4abs_switch.status import RequestError


@pytest.mark.parametrize("number", [0, 1, PORT_LIMIT - 1])
def test_a_port_is_the_same_in_both_fields(number: int) -> None:
    assert ports.decode(number, "it watches", None) == number
    assert ports.decode(ports.encode(number, None), "it watches", None) == number


@pytest.mark.parametrize("value", [-1, PORT_LIMIT, bytestring.encode(PORT_LIMIT), b"\xff" * 8])
def test_a_number_that_no_port_can_have_is_refused(value: bytes | int) -> None:
    with pytest.raises(RequestError, match=f"it watches port .* 0 to {PORT_LIMIT - 1}") as caught:
        ports.decode(value, "it watches", None)
    assert caught.value.code is grpc.StatusCode.INVALID_ARGUMENT
