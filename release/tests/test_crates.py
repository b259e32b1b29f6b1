"""Whose licences a release must bear: of what is linked, and of nothing else."""

import json
from pathlib import Path
from typing import Any

import pytest

from release.crates import Crate, document, linked_crates
from release.errors import ReleaseError


def package(folder: Path, name: str, kind: str = "lib", source: str | None = "r") -> dict[str, Any]:
    """A crate in a folder of its own, as `cargo metadata` describes it."""
    (folder / name).mkdir()
    (folder / name / "LICENSE-MIT").write_text(f"Copyright by {name}\n")
    return {
        "id": name,
        "name": name,
        "version": "1.0.0",
        "license": "MIT",
        "source": source,
        "targets": [{"kind": [kind]}],
        "manifest_path": str(folder / name / "Cargo.toml"),
    }


def node(name: str, **needs: str | None) -> dict[str, Any]:
    """A crate and its needs by kind; None: at run time."""
    return {
        "id": name,
        "deps": [{"pkg": need, "dep_kinds": [{"kind": kind}]} for need, kind in needs.items()],
    }


def metadata(folder: Path) -> dict[str, Any]:
    """`ours` needs `near`, which needs `far`; `test`, `build` and what `macro` needs run before."""
    names = ("near", "far", "test", "build", "parser")
    packages = [package(folder, name) for name in names]
    packages += [package(folder, "ours", source=None), package(folder, "macro", "proc-macro")]
    nodes = [
        node("ours", near=None, macro=None, test="dev", build="build"),
        node("near", far=None),
        node("macro", parser=None),
        *(node(name) for name in ("far", "test", "build", "parser")),
    ]
    return {"packages": packages, "resolve": {"nodes": nodes}}


def test_what_is_linked_however_deep_is_listed_and_nothing_else(tmp_path: Path) -> None:
    found = linked_crates(metadata(tmp_path), "ours")
    assert [crate.name for crate in found] == ["far", "near"]
    assert found[0].texts == (("LICENSE-MIT", "Copyright by far\n"),)


def test_licence_files_in_a_folder_count(tmp_path: Path) -> None:
    described = metadata(tmp_path)
    (tmp_path / "far" / "LICENSE-MIT").rename(tmp_path / "far" / "text")
    (tmp_path / "far" / "LICENSES").mkdir()
    (tmp_path / "far" / "text").rename(tmp_path / "far" / "LICENSES" / "MIT.txt")
    assert linked_crates(described, "ours")[0].texts[0][0] == "MIT.txt"


def test_a_crate_without_a_licence_file_is_named(tmp_path: Path) -> None:
    described = metadata(tmp_path)
    (tmp_path / "near" / "LICENSE-MIT").unlink()
    with pytest.raises(ReleaseError, match=r"near 1\.0\.0 comes without"):
        linked_crates(described, "ours")


def test_a_crate_without_a_licence_file_bears_those_of_its_commit(tmp_path: Path) -> None:
    described = metadata(tmp_path)
    (tmp_path / "near" / "LICENSE-MIT").unlink()
    for name in ("near", "far"):
        note = {"git": {"sha1": "5eed"}, "path_in_vcs": name}
        (tmp_path / name / ".cargo_vcs_info.json").write_text(json.dumps(note))
    assert linked_crates(described, "ours")[1].texts == (("LICENSE-MIT", "Copyright by far\n"),)
    described["packages"][0]["license"] = "Apache-2.0"
    with pytest.raises(ReleaseError, match=r"near 1\.0\.0 comes without"):
        linked_crates(described, "ours")


def test_a_licence_that_crates_share_stands_there_once() -> None:
    crates = [Crate(name, "1", "MIT", (("LICENSE", "the text\n"),)) for name in ("a", "b")]
    text = document(crates)
    assert text.count("the text") == 1
    assert "a 1: MIT\nb 1: MIT\n" in text
    assert "a 1 (LICENSE), b 1 (LICENSE)" in text
