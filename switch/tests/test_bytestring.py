"""Byte strings (P4Runtime 1.5, section 8.3): the specification's own examples, and round trips."""

import grpc
import pytest
from hypothesis import given
from hypothesis import strategies as st
from p4abs_switch import bytestring
from p4abs_switch.messages import numbers
from p4abs_switch.status import RequestError


@pytest.mark.parametrize(
    ("width_bits", "value", "number"),
    [
        (8, b"\x63", 99),
        (16, b"\x00\x63", 99),
        (16, b"\x63", 99),
        (16, b"\x30\x64", 12388),
        (16, b"\x00\x30\x64", 12388),
        (12, b"\x00\x00\x63", 99),
    ],
)
@pytest.mark.requirement("8.3-1", "8.3-3", "8.3-6")
def test_valid_unsigned_examples_are_accepted(width_bits: int, value: bytes, number: int) -> None:
    assert numbers.decode(value, width_bits, "field") == number


@pytest.mark.parametrize(
    ("width_bits", "value", "number"),
    [
        (8, b"\x63", 99),
        (8, b"\x9d", -99),
        (8, b"\xff\x9d", -99),
        (12, b"\xfd\x1d", -739),
        (16, b"\x00\x00", 0),
    ],
)
@pytest.mark.requirement("8.3-2", "8.3-3", "8.3-7")
def test_valid_signed_examples_are_accepted(width_bits: int, value: bytes, number: int) -> None:
    assert numbers.decode_signed(value, width_bits, "field") == number


@pytest.mark.parametrize(
    ("width_bits", "value"),
    [
        (8, b"\x01\x63"),
        (8, b""),
        (16, b"\x01\x00\x63"),
        (12, b"\x10\x63"),
        (12, b"\x01\x00\x63"),
        (12, b"\x00\x40\x63"),
    ],
)
@pytest.mark.requirement("8.3-1", "8.3-4", "8.3-5")
def test_invalid_unsigned_examples_are_out_of_range(width_bits: int, value: bytes) -> None:
    with pytest.raises(RequestError, match=r"packet_out\.port") as caught:
        numbers.decode(value, width_bits, "packet_out.port")
    assert caught.value.code is grpc.StatusCode.OUT_OF_RANGE


@pytest.mark.parametrize(("width_bits", "value"), [(8, b"\x00\x9d"), (12, b"\x8d\x1d"), (16, b"")])
@pytest.mark.requirement("8.3-2", "8.3-4", "8.3-5")
def test_invalid_signed_examples_are_out_of_range(width_bits: int, value: bytes) -> None:
    with pytest.raises(RequestError) as caught:
        numbers.decode_signed(value, width_bits, "field")
    assert caught.value.code is grpc.StatusCode.OUT_OF_RANGE


@given(st.integers(min_value=0, max_value=(1 << 128) - 1), st.integers(0, 20))
@pytest.mark.requirement("8.3-3", "8.3-8")
def test_encoding_is_the_shortest_and_leading_zeros_change_nothing(number: int, zeros: int) -> None:
    value = bytestring.encode(number)
    assert numbers.decode(value, 128, "field") == number
    assert bytestring.canonical(bytes(zeros) + value) == value
    assert len(value) == 1 or value[0] != 0


@given(st.integers(min_value=-(1 << 63), max_value=(1 << 63) - 1))
@pytest.mark.requirement("8.3-7", "8.3-8")
def test_signed_encoding_is_the_shortest(number: int) -> None:
    value = bytestring.encode_signed(number)
    assert numbers.decode_signed(value, 64, "field") == number
    assert len(value) == 1 or int.from_bytes(value[1:], "big", signed=True) != number
