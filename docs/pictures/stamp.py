"""A picture bears a digest of what it was drawn from, so that an old one is found."""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from PIL import Image

_KEY = "Drawn from"


def digest(sources: Iterable[Path]) -> str:
    """Of the contents of data and scripts."""
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()


def save(figure: Figure, picture: Path, sources: Iterable[Path]) -> None:
    """Writes a PNG with the digest of its sources."""
    figure.savefig(picture, dpi=100, metadata={_KEY: digest(sources)})


def is_current(picture: Path, sources: Iterable[Path]) -> bool:
    """Whether it was drawn from these sources as they are."""
    with Image.open(picture) as image:
        information: dict[Any, Any] = image.info
    return bool(information.get(_KEY) == digest(sources))
