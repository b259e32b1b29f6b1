"""Made-up repositories."""

from collections.abc import Mapping
from pathlib import Path

PYPROJECT = '[tool.mypy]\nmypy_path = ["lib", "scripts"]\n'


def write_repository(root: Path, files: Mapping[str, str]) -> Path:
    """Writes the files, path -> text, and a pyproject.toml with two import roots."""
    for name, text in {"pyproject.toml": PYPROJECT, **files}.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root
