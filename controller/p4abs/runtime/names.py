"""Objects of a P4Info by the names that runtime files use: full names or aliases."""

from collections.abc import Iterable
from typing import Protocol, TypeVar

from finsy.proto import p4i

from p4abs.runtime.error import RuntimeFileError


class _Object(Protocol):
    @property
    def preamble(self) -> p4i.Preamble: ...


class _Part(Protocol):
    @property
    def name(self) -> str: ...


_AnyObject = TypeVar("_AnyObject", bound=_Object)
_AnyPart = TypeVar("_AnyPart", bound=_Part)


def find_object(kind: str, name: object, objects: Iterable[_AnyObject]) -> _AnyObject:
    """The table or action of a name. Raises RuntimeFileError, which lists what there is."""
    known = list(objects)
    for item in known:
        if name in (item.preamble.name, item.preamble.alias):
            return item
    raise _unknown(kind, name, (item.preamble.name for item in known))


def find_part(kind: str, name: str, parts: Iterable[_AnyPart]) -> _AnyPart:
    """The key field or parameter of a name. Raises RuntimeFileError, which lists what there is."""
    known = list(parts)
    for item in known:
        if item.name == name:
            return item
    raise _unknown(kind, name, (item.name for item in known))


def _unknown(kind: str, name: object, valid: Iterable[str]) -> RuntimeFileError:
    return RuntimeFileError(f"no {kind} is named {name!r}; valid: {', '.join(valid) or 'none'}")
