"""BMv2 JSON as it is compared with a P4Info."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias

from p4abs_switch._engine import EngineError
from p4abs_switch.bmv2 import document
from p4abs_switch.status import invalid

Object: TypeAlias = Mapping[str, Any]


def parsed(device_config: bytes) -> Object:
    """The program. Raises RequestError INVALID_ARGUMENT for what is none."""
    try:
        return document.parsed(device_config)
    except EngineError as error:
        raise invalid(f"p4_device_config is not BMv2 JSON: {error}") from error


@contextmanager
def reading() -> Iterator[None]:
    """What is not as BMv2 has it inside the `with` raises RequestError INVALID_ARGUMENT."""
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise invalid(f"p4_device_config is not BMv2 JSON: {error!r} while reading it") from error


def tables(bmv2: Object) -> dict[str, Object]:
    """The tables of all pipelines by name."""
    return {table["name"]: table for pipeline in bmv2["pipelines"] for table in pipeline["tables"]}


def field_widths(bmv2: Object) -> dict[tuple[str, str], int]:
    """Width in bits by header and field; the validity of a header is a field of one bit."""
    fields = {
        kind["name"]: {field[0]: field[1] for field in kind["fields"]}
        for kind in bmv2["header_types"]
    }
    return {
        (header["name"], name): width
        for header in bmv2["headers"]
        for name, width in (fields[header["header_type"]] | {"$valid$": 1}).items()
    }
