"""When a file of samples is full, and what becomes of those before it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Rotation:
    """Bounds of a file, and of how many older ones are kept; None: no bound.

    `period_s` are counted from the Unix epoch: a period of a day ends at midnight UTC.
    """

    max_size_bytes: int | None = None
    period_s: float | None = None
    keep: int | None = None

    def is_due(self, size_bytes: int, more_bytes: int, last_s: float, now_s: float) -> bool:
        """Whether a file of this size, last written at `last_s`, should take no more."""
        if self.max_size_bytes is not None and size_bytes + more_bytes > self.max_size_bytes:
            return True
        return self.period_s is not None and last_s // self.period_s < now_s // self.period_s

    def remove_oldest(self, files: Mapping[int, Path]) -> None:
        """Removes those of the lowest numbers that are too many. Raises OSError."""
        if self.keep is not None:
            for number in sorted(files)[: -self.keep]:
                files[number].unlink(missing_ok=True)


def numbered(path: Path) -> dict[int, Path]:
    """The files `samples-NUMBER.csv` beside `samples.csv`, the newest with the highest number."""
    name = re.compile(rf"{re.escape(path.stem)}-([1-9]\d*){re.escape(path.suffix)}")
    found = ((name.fullmatch(each.name), each) for each in path.parent.iterdir())
    return {int(match[1]): each for match, each in found if match}


def next_path(path: Path, first: int) -> Path:
    """The file of the next number, from `first` on."""
    number = max([first - 1, *numbered(path)]) + 1
    return path.with_stem(f"{path.stem}-{number}")
