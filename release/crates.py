"""The licences of the crates that are linked into the switch, and of Rust's own library."""

import json
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from release.errors import ReleaseError

_LICENCES = ("LICEN", "COPYING", "NOTICE", "UNLICENSE", "COPYRIGHT")
# Of the folder of documents that comes with a toolchain.
_LIBRARY = Path("share", "doc", "rust", "COPYRIGHT-library.html")
# What cargo notes of a crate when it is published.
_PUBLISHED = ".cargo_vcs_info.json"
_RULE = "=" * 80

_Texts = tuple[tuple[str, str], ...]


@dataclass(frozen=True, order=True)
class Crate:
    """A crate that is linked; `texts` are its licence files, by name."""

    name: str
    version: str
    licence: str
    texts: _Texts


def linked_crates(metadata: Mapping[str, Any], package: str) -> list[Crate]:
    """The crates of others that `package` is linked with, in order of name.

    metadata: what `cargo metadata` says. Macros run in the compiler and are not linked. A crate
    without a licence file bears those of another one of its commit and licence.
    Raises ReleaseError where there is none either.
    """
    packages = {each["id"]: each for each in metadata["packages"]}
    needs = {node["id"]: node["deps"] for node in metadata["resolve"]["nodes"]}
    waiting = [each["id"] for each in metadata["packages"] if each["name"] == package]
    found: set[str] = set()
    while waiting:
        identity = waiting.pop()
        if identity not in found and not _is_macro(packages[identity]):
            found.add(identity)
            waiting += [need["pkg"] for need in needs[identity] if _is_linked(need)]
    linked = [packages[identity] for identity in sorted(found)]
    linked = [each for each in linked if each["source"] is not None]
    found_texts = {each["id"]: _texts(each) for each in linked}
    shared = {_family(each): texts for each in linked if (texts := found_texts[each["id"]])}
    return sorted(
        _crate(each, found_texts[each["id"]] or shared.get(_family(each), ())) for each in linked
    )


def _is_macro(package: Mapping[str, Any]) -> bool:
    return any("proc-macro" in target["kind"] for target in package["targets"])


def _is_linked(need: Mapping[str, Any]) -> bool:
    """Whether it is needed at run time, not to build or to test."""
    return any(kind["kind"] is None for kind in need["dep_kinds"])


def _family(package: Mapping[str, Any]) -> tuple[str, str]:
    """The commit that a crate was published from, or itself where cargo noted none, and its
    licence."""
    path = Path(package["manifest_path"]).parent / _PUBLISHED
    published = json.loads(path.read_text()) if path.exists() else {}
    commit = published.get("git", {}).get("sha1", package["id"])
    return commit, package["license"] or ""


def _crate(package: Mapping[str, Any], texts: _Texts) -> Crate:
    name, version = package["name"], package["version"]
    if not texts:
        raise ReleaseError(f"the crate {name} {version} comes without a licence file")
    return Crate(name, version, package["license"] or "see below", texts)


def _texts(package: Mapping[str, Any]) -> _Texts:
    files = _licence_files(Path(package["manifest_path"]).parent)
    return tuple((path.name, path.read_text(errors="replace")) for path in files)


def _licence_files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name.upper().startswith(_LICENCES):
            yield from (sorted(path.iterdir()) if path.is_dir() else [path])


def document(crates: list[Crate]) -> str:
    """All of them in one text, each licence once."""
    users: dict[str, list[str]] = {}
    for crate in crates:
        for file, text in crate.texts:
            users.setdefault(text.strip(), []).append(f"{crate.name} {crate.version} ({file})")
    summary = [f"{crate.name} {crate.version}: {crate.licence}" for crate in crates]
    parts = [f"{_RULE}\n{', '.join(names)}\n{_RULE}\n\n{text}\n" for text, names in users.items()]
    return "\n".join(["Crates that are linked into this package:\n", *summary, "", *parts])


def cargo_metadata(workspace: Path, target: str) -> Mapping[str, Any]:
    """Of a workspace, with what is needed on a target only. Raises ReleaseError."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked"]
    done = subprocess.run(
        [*command, "--filter-platform", target],
        cwd=workspace,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        said = done.stderr.strip().splitlines() or [f"status {done.returncode}"]
        raise ReleaseError(f"cargo metadata: {said[-1]}")
    found: Mapping[str, Any] = json.loads(done.stdout)
    return found


def library_licences() -> bytes:
    """Those of Rust's standard library, a page that comes with the toolchain.

    Raises ReleaseError.
    """
    said = subprocess.run(
        ["rustc", "--print", "sysroot"], capture_output=True, text=True, check=False
    )
    if said.returncode != 0:
        raise ReleaseError(f"rustc: {said.stderr.strip() or f'status {said.returncode}'}")
    path = Path(said.stdout.strip()) / _LIBRARY
    if not path.exists():
        raise ReleaseError(f"this toolchain has no {_LIBRARY}: release with one of rustup")
    return path.read_bytes()
