"""Unexpected exceptions, as a bug report needs them."""

import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from p4abs.errors import one_line

_PACKAGE = Path(__file__).parent


@dataclass(frozen=True)
class Defect:
    """`text` is one line, which names type and place; `origin` the innermost place alone."""

    text: str
    origin: str
    traceback: str

    @classmethod
    def of(cls, error: BaseException) -> Self:
        """The defect that an exception shows."""
        told = one_line("".join(traceback.format_exception_only(error)))
        frames = traceback.extract_tb(error.__traceback__)
        origin = "".join(f"{frame.filename}:{frame.lineno}" for frame in frames[-1:])
        ours = [frame for frame in frames if Path(frame.filename).is_relative_to(_PACKAGE)]
        if innermost := (ours or frames)[-1:]:
            [frame] = innermost
            path = Path(frame.filename)
            shown = path.relative_to(_PACKAGE.parent) if ours else path.name
            told = f"{told} ({shown}:{frame.lineno}, in {frame.name})"
        whole = "".join(traceback.format_exception(error))
        return cls(f"defect in p4abs: {told}", origin, whole)
