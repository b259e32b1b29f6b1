"""The keys of a configuration, from the declarations in p4abs.config."""

from collections.abc import Iterator, Sequence
from enum import Enum
from pathlib import Path
from types import NoneType
from typing import Any, get_args

from annotated_types import Ge, Lt
from p4abs.config.agreement_settings import AgreementSettings
from p4abs.config.port_settings import PortSettings
from p4abs.config.queue_settings import QueueSettings
from p4abs.config.settings import SwitchSettings
from p4abs.config.values import Values
from p4abs.units import DURATION, RATE, SIZE
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from docs.site.reference.described import described
from docs.site.reference.errors import Undescribed
from docs.site.reference.markdown import code, table

_HEAD = ("key", "values", "default", "meaning")
_TYPES = {
    bool: "`true` or `false`",
    float: "a number",
    int: "a whole number",
    str: "text",
    Path: "a path",
    dict: "a table of numbers",
    tuple: "tables",
}


def switch_keys() -> str:
    return keys_of(SwitchSettings)


def port_keys() -> str:
    return keys_of(PortSettings)


def queue_keys() -> str:
    return keys_of(QueueSettings)


def agreement_keys() -> str:
    return keys_of(AgreementSettings)


def quantities() -> str:
    """How quantities are written."""
    rows = (
        (
            each.name,
            ", ".join(each.units),
            f"{each.format(each.smallest)} to {each.format(each.largest)}",
        )
        for each in (RATE, DURATION, SIZE)
    )
    return table(("quantity", "units", "range"), rows)


def keys_of(model: type[BaseModel]) -> str:
    """A table of a model's keys. Raises Undescribed."""
    texts = described(model, model.model_fields)
    return table(_HEAD, (_row(name, field, texts[name]) for name, field in _fields(model)))


def _fields(model: type[BaseModel]) -> Iterator[tuple[str, FieldInfo]]:
    return iter(model.model_fields.items())


def _row(name: str, field: FieldInfo, text: str) -> Sequence[str]:
    key = field.alias or name
    meaning, _, default = text.partition("Default: ")
    if field.is_required():
        default = "required"
    elif field.default is not None and field.default_factory is None and field.default != ():
        default = code(_written(field))
    if not default:
        raise Undescribed(f"{key}: say its default, as 'Default: ...' at the description's end")
    return code(key), _values(field), default.rstrip("."), meaning.strip()


def _metadata(field: FieldInfo) -> Iterator[Any]:
    """What the annotations say besides the type; the last one holds."""
    yield from reversed(field.metadata)
    for part in get_args(field.annotation):
        yield from reversed(getattr(part, "__metadata__", ()))


def _values(field: FieldInfo) -> str:
    metadata = [*_metadata(field)]
    for each in metadata:
        if isinstance(each, Values):
            return each.text
    kind = _type(field.annotation)
    if issubclass(kind, Enum):
        return ", ".join(code(each.value) for each in kind)
    low: Any = next((each.ge for each in metadata if isinstance(each, Ge)), None)
    end: Any = next((each.lt for each in metadata if isinstance(each, Lt)), None)
    if low is not None and end is not None:
        return f"{_TYPES[kind]}, {low} to {_number(end - 1)}"
    return _TYPES[kind]


def _number(value: int) -> str:
    """Short where it is the largest of so many bits."""
    bits = value.bit_length()
    return f"2^{bits} - 1" if value == 2**bits - 1 and bits > 32 else str(value)


def _written(field: FieldInfo) -> str:
    """The default, as a file writes it."""
    value = field.default
    if isinstance(value, bool):
        return str(value).lower()
    plain = "{:g}".format if isinstance(value, float) else str
    written = next((each.written for each in _metadata(field) if isinstance(each, Values)), plain)
    return written(value)


def _type(annotation: Any) -> type:
    """Without `None`, and without what an annotation says besides."""
    parts = [part for part in get_args(annotation) if part is not NoneType]
    if isinstance(annotation, type) and annotation not in (dict, tuple):
        return annotation
    origin = getattr(annotation, "__origin__", None)
    if isinstance(origin, type) and origin in (dict, tuple):
        return origin
    if origin is not None and hasattr(annotation, "__metadata__"):
        return _type(origin)
    return _type(parts[0])
