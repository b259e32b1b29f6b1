"""Quantities as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from p4abs.units import (
    UnitError,
    format_duration,
    format_rate,
    format_size,
    parse_duration,
    parse_rate,
    parse_size,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e6 bit", 10**6),
        ("800kbit", 800_000),
        ("10Mbit", 10_000_000),
        ("2.5Gbit", 2_500_000_000),
        ("10Tbit", 10**13),
    ],
)
def test_rates_are_bits_per_second(text: str, value: int) -> None:
    assert parse_rate(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0ms", 0),
        ("100us", 1e-4),
        ("20ms", 0.02),
        ("1.5s", 1.5),
        ("2min", 120),
        ("5m", 300),
        ("8760h", 31_536_000),
    ],
)
def test_durations_are_seconds(text: str, value: float) -> None:
    assert parse_duration(text) == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0B", 0),
        ("1500B", 1500),
        ("64kB", 64_000),
        ("1MB", 1_000_000),
        ("2GB", 2_000_000_000),
        ("64KiB", 65536),
        ("1 mib", 2**20),
        ("1024GiB", 2**40),
    ],
)
def test_sizes_are_bytes(text: str, value: int) -> None:
    assert parse_size(text) == value


@pytest.mark.parametrize(
    "text", ["10", "10Mbit/s", "Mbit", "", "ten Mbit", "1_0Mbit", "nanMbit", 10]
)
def test_a_rate_without_number_and_unit_is_refused_with_the_valid_units(text: object) -> None:
    with pytest.raises(UnitError, match="bit, kbit, Mbit, Gbit, Tbit"):
        parse_rate(text)


@pytest.mark.parametrize("text", ["-10Mbit", "0Mbit", "1bit", "11Tbit", "1e300Tbit"])
def test_negative_and_absurd_rates_are_refused_with_the_valid_range(text: str) -> None:
    with pytest.raises(UnitError, match="between 1kbit and 10Tbit"):
        parse_rate(text)


@pytest.mark.parametrize("text", ["-1ms", "8761h"])
def test_negative_and_absurd_durations_are_refused(text: str) -> None:
    with pytest.raises(UnitError, match="must be between"):
        parse_duration(text)


@pytest.mark.parametrize("text", ["-1B", "1025GiB"])
def test_negative_and_absurd_sizes_are_refused(text: str) -> None:
    with pytest.raises(UnitError, match="must be between"):
        parse_size(text)


@given(st.integers(1000, 10**13))
def test_a_formatted_rate_parses_to_four_digits(rate: int) -> None:
    assert parse_rate(format_rate(rate)) == pytest.approx(rate, rel=1e-3)


@given(st.floats(1e-6, 1e6))
def test_a_formatted_duration_parses_to_four_digits(duration: float) -> None:
    assert parse_duration(format_duration(duration)) == pytest.approx(duration, rel=1e-3)


@given(st.integers(1, 2**40))
def test_a_formatted_size_parses_to_four_digits(size: int) -> None:
    assert parse_size(format_size(size)) == pytest.approx(size, rel=1e-3)
