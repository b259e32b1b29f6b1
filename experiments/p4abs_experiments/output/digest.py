"""A result in a few letters: two simulations that went alike, packet by packet, have the same."""

import hashlib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from p4abs_experiments.simulation.result import CellResult

_LETTERS = 16


def digest_of(result: CellResult) -> str:
    """Of all that was measured, to the last bit; not of how long it took, and with what."""
    digest = hashlib.sha256()
    for part in (result.links, result.traffic, result.window_s):
        _take(digest, part)
    return digest.hexdigest()[:_LETTERS]


def _take(digest: "hashlib._Hash", value: Any) -> None:
    if isinstance(value, np.ndarray):
        digest.update(np.ascontiguousarray(value, dtype="<f8").tobytes())
    elif is_dataclass(value):
        _take(digest, {field.name: getattr(value, field.name) for field in fields(value)})
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
