"""One version in all packages."""

import tomllib
from pathlib import Path

from release.__main__ import REPOSITORY


def version(path: Path, *keys: str) -> str:
    table = tomllib.loads(path.read_text())
    for key in keys:
        table = table[key]
    return str(table["version"])


def test_the_packages_have_the_same_version_and_the_changelog_names_it() -> None:
    versions = {
        version(REPOSITORY / "controller" / "pyproject.toml", "project"),
        version(REPOSITORY / "demonstration" / "pyproject.toml", "project"),
        version(REPOSITORY / "experiments" / "pyproject.toml", "project"),
        version(REPOSITORY / "switch" / "Cargo.toml", "workspace", "package"),
    }
    assert len(versions) == 1
    assert f"## {versions.pop()} (" in (REPOSITORY / "CHANGELOG.md").read_text()
