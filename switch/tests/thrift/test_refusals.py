"""The codes of refusals beside those of BMv2's declarations."""

from enum import IntEnum
from inspect import getmembers, isclass

import pytest
from p4abs_switch.thrift import refusals

from .conftest import BMV2


def codes(kind: object) -> bool:
    return isclass(kind) and issubclass(kind, IntEnum) and kind is not IntEnum


@pytest.mark.parametrize(("name", "ours"), getmembers(refusals, codes))
def test_codes_have_bmv2_s_numbers(name: str, ours: type[IntEnum]) -> None:
    of_bmv2 = getattr(BMV2, name)._NAMES_TO_VALUES
    assert {code.name: code.value for code in ours}.items() <= of_bmv2.items()
