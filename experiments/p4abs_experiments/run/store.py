"""Finished cells on disk: one file each, written at once, never used when damaged.

A file is the SHA-256 of the rest in hexadecimal, a line break, and a NumPy archive: the arrays of
the result, and the rest of it as JSON.
"""

import hashlib
import io
import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from p4abs_experiments.run.folder import writing_to
from p4abs_experiments.simulation.result import (
    CellResult,
    FlowResult,
    LinkResult,
    LinkSeries,
    TrafficResult,
)

_ARRAY = "__array__"


class Store:
    """Results by key (see `code.key_of`) in a folder, which is made when needed.

    With `fresh` only what this object has saved is found again.
    """

    def __init__(self, folder: Path, fresh: bool = False) -> None:
        self.folder = folder
        self._fresh = fresh
        self._saved: set[str] = set()

    def load(self, key: str) -> CellResult | None:
        """The result; None when there is none or its file is damaged."""
        if self._fresh and key not in self._saved:
            return None
        try:
            checksum, _, content = self._path(key).read_bytes().partition(b"\n")
        except OSError:
            return None
        if hashlib.sha256(content).hexdigest().encode() != checksum:
            return None
        try:
            return _decoded(content)
        except (BadZipFile, KeyError, TypeError, ValueError):
            return None

    def save(self, key: str, result: CellResult) -> None:
        """Stores the result: completely or, when interrupted, not at all. Raises UnusableFolder."""
        content = _encoded(result)
        path = self._path(key)
        partial = path.with_suffix(f".{os.getpid()}")
        with writing_to(path):
            self.folder.mkdir(parents=True, exist_ok=True)
            partial.write_bytes(hashlib.sha256(content).hexdigest().encode() + b"\n" + content)
            partial.replace(path)
        self._saved.add(key)

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.cell"


def _encoded(result: CellResult) -> bytes:
    arrays: dict[str, np.ndarray[Any, Any]] = {}
    text = json.dumps(_without_arrays(asdict(result), arrays))
    file = io.BytesIO()
    np.savez_compressed(file, text=np.frombuffer(text.encode(), dtype=np.uint8), **arrays)  # type: ignore[arg-type]
    return file.getvalue()


def _without_arrays(value: Any, arrays: dict[str, np.ndarray[Any, Any]]) -> Any:
    """The value with its arrays moved to `arrays` and replaced by their names there."""
    if isinstance(value, np.ndarray):
        name = f"a{len(arrays)}"
        arrays[name] = value
        return {_ARRAY: name}
    if isinstance(value, dict):
        return {name: _without_arrays(item, arrays) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_arrays(item, arrays) for item in value]
    return value


def _decoded(content: bytes) -> CellResult:
    with np.load(io.BytesIO(content), allow_pickle=False) as archive:

        def with_arrays(plain: dict[str, Any]) -> Any:
            return archive[plain[_ARRAY]] if _ARRAY in plain else plain

        plain = json.loads(archive["text"].tobytes(), object_hook=with_arrays)
    links = (
        LinkResult(**{**link, "series": LinkSeries(**link["series"])}) for link in plain["links"]
    )
    traffic = (
        TrafficResult(**{**entry, "flows": tuple(FlowResult(**flow) for flow in entry["flows"])})
        for entry in plain["traffic"]
    )
    return CellResult(**{**plain, "links": tuple(links), "traffic": tuple(traffic)})
