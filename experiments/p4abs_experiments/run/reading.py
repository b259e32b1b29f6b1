"""What a run left, read back: other hands may have changed it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from p4abs.errors import UserError

_Content = TypeVar("_Content")


def read_with(read: Callable[[Path], _Content], path: Path, refusal: type[UserError]) -> _Content:
    """What `read` makes of a file or a folder. Raises `refusal`, naming it and what it lacks."""
    try:
        return read(path)
    except KeyError as error:
        raise refusal(f"{path}: the key {error} is missing") from None
    except (AttributeError, OSError, TypeError, ValueError) as error:
        raise refusal(f"{path}: {error}") from None


def json_of(path: Path) -> Any:
    """The content of a JSON file. Raises OSError and ValueError."""
    return json.loads(path.read_text(encoding="utf-8"))
