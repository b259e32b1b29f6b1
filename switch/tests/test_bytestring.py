"""Byte strings (P4Runtime 1.5, section 8.3): the specification's own examples, and round trips."""

import json
from pathlib import Path

import grpc
import pytest
from finsy.proto import p4r
from hypothesis import given
from hypothesis import strategies as st
from p4abs_switch import bytestring

from .controller import pipeline_config
from .entities import Entities
from .model import Model
from .refusals import RequestError


def model_of(program: Path, width_bits: int, *, signed: bool) -> Model:
    """The kinds program whose register `marks`, or `balances` if signed, has another width."""
    config, name = pipeline_config(program), "balances" if signed else "marks"
    register = next(r for r in config.p4info.registers if r.preamble.alias == name)
    bits = register.type_spec.bitstring
    (bits.int if signed else bits.bit).bitwidth = width_bits
    compiled = json.loads(config.p4_device_config)
    [array] = [a for a in compiled["register_arrays"] if a["name"].endswith(name)]
    array["bitwidth"] = width_bits
    config.p4_device_config = json.dumps(compiled).encode()
    return Model(config)


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
@pytest.mark.requirement("8.3-1", "8.3-3", "8.3-6", "8.3-8")
def test_valid_unsigned_examples_are_accepted_and_told_in_the_shortest_way(
    kinds_json: Path, entities: Entities, width_bits: int, value: bytes, number: int
) -> None:
    model = model_of(kinds_json, width_bits, signed=False)
    model.modify(entities.cell("marks", 1, value))
    assert model.switch.registers_read([("KindsIngress.marks", 1)]) == [number]
    shortest = entities.cell("marks", 1, bytestring.encode(number))
    assert model.read(entities.cell("marks", 1)) == [shortest]


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
@pytest.mark.requirement("8.3-2", "8.3-3", "8.3-7", "8.3-8")
def test_valid_signed_examples_are_accepted_and_told_in_the_shortest_way(
    kinds_json: Path, entities: Entities, width_bits: int, value: bytes, number: int
) -> None:
    model = model_of(kinds_json, width_bits, signed=True)
    model.modify(entities.cell("balances", 1, value))
    bits = number % (1 << width_bits)
    assert model.switch.registers_read([("KindsIngress.balances", 1)]) == [bits]
    shortest = entities.cell("balances", 1, _shortest_signed(number))
    assert model.read(entities.cell("balances", 1)) == [shortest]


@pytest.mark.parametrize(
    ("width_bits", "value"),
    [
        (8, b"\x01\x63"),
        (8, b""),
        (16, b"\x01\x00\x63"),
        (12, b"\x10\x63"),
        (12, b"\x01\x00\x63"),
        (12, b"\x00\x40\x63"),
        (12, b"\xff" * 3000),
    ],
)
@pytest.mark.requirement("8.3-1", "8.3-4", "8.3-5")
def test_invalid_unsigned_examples_are_out_of_range(
    kinds_json: Path, entities: Entities, width_bits: int, value: bytes
) -> None:
    _assert_out_of_range(
        model_of(kinds_json, width_bits, signed=False), entities.cell("marks", 1, value)
    )


@pytest.mark.parametrize(
    ("width_bits", "value"), [(8, b"\x00\x9d"), (12, b"\x8d\x1d"), (16, b""), (16, b"\x7f" * 5000)]
)
@pytest.mark.requirement("8.3-2", "8.3-4", "8.3-5")
def test_invalid_signed_examples_are_out_of_range(
    kinds_json: Path, entities: Entities, width_bits: int, value: bytes
) -> None:
    _assert_out_of_range(
        model_of(kinds_json, width_bits, signed=True), entities.cell("balances", 1, value)
    )


def _shortest_signed(number: int) -> bytes:
    magnitude = number if number >= 0 else ~number
    return number.to_bytes(magnitude.bit_length() // 8 + 1, "big", signed=True)


def _assert_out_of_range(model: Model, cell: p4r.Entity) -> None:
    with pytest.raises(RequestError, match="data of register") as caught:
        model.modify(cell)
    assert caught.value.code is grpc.StatusCode.OUT_OF_RANGE
    assert len(caught.value.message) < 1100


@given(st.integers(min_value=0, max_value=(1 << 128) - 1), st.integers(0, 20))
def test_encoding_is_the_shortest_and_leading_zeros_change_nothing(number: int, zeros: int) -> None:
    value = bytestring.encode(number)
    assert int.from_bytes(value, "big") == number
    assert bytestring.canonical(bytes(zeros) + value) == value
    assert len(value) == 1 or value[0] != 0
