"""Values of a file, each in TOML's own type. Values of flags are always texts."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator


class FlagText(str):
    """The text of a flag, for a value of any type."""

    __slots__ = ()


def of_flags(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values with their texts as those of flags."""
    return {name: _of_flag(value) for name, value in values.items()}


def _of_flag(value: Any) -> Any:
    if isinstance(value, dict):
        return of_flags(value)
    return FlagText(value) if isinstance(value, str) else value


def _boolean(value: object) -> object:
    if isinstance(value, bool | FlagText):
        return value
    raise _must_be("true or false", value)


def _number(value: object) -> object:
    if isinstance(value, int | float | FlagText) and not isinstance(value, bool):
        return value
    raise _must_be("a number", value)


def _whole(value: object) -> object:
    if isinstance(value, int | FlagText) and not isinstance(value, bool):
        return value
    raise _must_be("a whole number", value)


def _must_be(kind: str, value: object) -> ValueError:
    return ValueError(f"must be {kind}{without_quotes(value)}")


def without_quotes(value: object) -> str:
    """The end of a message about a text in a file that should be another type."""
    is_text = isinstance(value, str) and not isinstance(value, FlagText)
    return ", without quotes" if is_text else ""


Boolean = Annotated[bool, BeforeValidator(_boolean)]
Number = Annotated[float, BeforeValidator(_number)]
Whole = Annotated[int, BeforeValidator(_whole)]
