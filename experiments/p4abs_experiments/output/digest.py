"""A result in a few letters: two simulations that went alike, packet by packet, have the same."""

import hashlib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from p4abs_experiments.simulation.result import CellResult

_LETTERS = 16
# Most values are of these types: asked first.
_WRITTEN_AS_THEY_ARE = frozenset({int, float, str, bool, type(None)})
_NAMES: dict[type, list[str]] = {}

# They follow from the packets, and results that were measured before flows were counted have none.
_LEFT_OUT = frozenset({"active_flow_us", "long_flow_us", "timed_bytes", "timed_byte_us"})


def digest_of(result: CellResult) -> str:
    """Of all that was measured but flows, to the last bit, not of how long it took or with what."""
    digest = hashlib.sha256()
    for part in (result.links, result.traffic, result.window_s):
        _take(digest, part)
    return digest.hexdigest()[:_LETTERS]


def _take(digest: "hashlib._Hash", value: Any) -> None:
    kind = type(value)
    if kind in _WRITTEN_AS_THEY_ARE:
        digest.update(f"{value!r};".encode())
    elif isinstance(value, np.ndarray):
        digest.update(np.ascontiguousarray(value, dtype="<f8").tobytes())
    elif is_dataclass(value):
        for name in _measured(kind):
            digest.update(f"{name}=".encode())
            _take(digest, getattr(value, name))
    elif isinstance(value, Mapping):
        for name in sorted(value):
            digest.update(f"{name}=".encode())
            _take(digest, value[name])
    elif isinstance(value, tuple):
        digest.update(f"{len(value)}:".encode())
        for each in value:
            _take(digest, each)
    else:
        digest.update(f"{value!r};".encode())


def _measured(kind: type) -> list[str]:
    """The names of a dataclass's fields, in their order."""
    if kind not in _NAMES:
        _NAMES[kind] = sorted({field.name for field in fields(kind)} - _LEFT_OUT)
    return _NAMES[kind]
