"""How each package is built. The same commit gives the same bytes, wherever that is."""

import gzip
import hashlib
import os
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path

from release.crates import cargo_metadata, document, library_licences, linked_crates
from release.errors import ReleaseError

DIGESTS = "SHA256SUMS"
LINUX = "manylinux2014"  # glibc 2.17 and later: all that pip itself still supports
_BUILD_SDIST = "import sys; from setuptools.build_meta import build_sdist; build_sdist(sys.argv[1])"


@dataclass(frozen=True)
class Builder:
    """Builds what is staged.

    source: the staged files.
    output: the folder for what is built.
    target_directory: cargo's, which is kept.
    profile: cargo's.
    epoch_s: the time that all files in archives bear, in seconds since 1970.
    """

    source: Path
    output: Path
    target_directory: Path
    profile: str
    epoch_s: int

    def pure_wheel(self, package: str) -> None:
        """Of a package without compiled code. Raises ReleaseError."""
        pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet")
        build = ("--no-deps", "--no-build-isolation", "--wheel-dir", str(self.output), ".")
        self._run(package, *pip, *build)

    def switch_wheel(self, target: str) -> None:
        """Of the switch, for a target in rustc's words. Raises ReleaseError.

        Zig links against an old glibc, and for other machines than this one.
        """
        folder = self.source / "switch"
        crates = linked_crates(cargo_metadata(folder, target), "binding")
        (folder / "LICENSE-crates.txt").write_text(document(crates))
        (folder / "LICENSE-rust-library.html").write_bytes(library_licences())
        options = ("--profile", self.profile, "--locked", "--strip", "--quiet")
        links = ("--zig", "--compatibility", LINUX, "--target", target)
        self._run("switch", "maturin", "build", *options, *links, "--out", str(self.output))

    def source_distribution(self, package: str) -> None:
        """Of a package that is compiled where it is installed. Raises ReleaseError."""
        self._run(package, sys.executable, "-c", _BUILD_SDIST, str(self.output))
        for archive in self.output.glob("*.tar.gz"):
            make_reproducible(archive, self.epoch_s)

    def write_digests(self) -> str:
        """SHA256SUMS, as sha256sum writes and checks it; its text."""
        files = sorted(path for path in self.output.iterdir() if path.name != DIGESTS)
        text = "".join(
            f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files
        )
        (self.output / DIGESTS).write_text(text)
        return text

    def _run(self, package: str, *command: str) -> None:
        done = subprocess.run(
            command,
            cwd=self.source / package,
            env=os.environ | self._environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            print(done.stdout, file=sys.stderr, end="")
            raise ReleaseError(f"{package}: {command[0]} fails with status {done.returncode}")

    def _environment(self) -> dict[str, str]:
        """Where this machine keeps sources is nobody's business, and would be in the bytes."""
        cargo_home = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
        renamed = {
            cargo_home / "registry" / "src": "crates",
            self.source: "p4abs",
            # What build scripts of crates write is compiled from there.
            self.target_directory: "generated",
        }
        return {
            "SOURCE_DATE_EPOCH": str(self.epoch_s),
            "CARGO_TARGET_DIR": str(self.target_directory),
            "CARGO_ENCODED_RUSTFLAGS": "\x1f".join(
                f"--remap-path-prefix={path}={name}" for path, name in renamed.items()
            ),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        }


def make_reproducible(archive: Path, epoch_s: int) -> None:
    """Writes a .tar.gz anew: in order of name, of one time and nobody's."""
    with tarfile.open(archive) as old:
        members = sorted(old.getmembers(), key=lambda member: member.name)
        contents = [(member, old.extractfile(member)) for member in members]
        temporary = archive.with_suffix(".new")
        with (
            temporary.open("wb") as file,
            gzip.GzipFile("", "wb", fileobj=file, mtime=epoch_s) as compressed,
            tarfile.open(fileobj=compressed, mode="w", format=tarfile.PAX_FORMAT) as new,
        ):
            for member, content in contents:
                plain = tarfile.TarInfo(member.name)
                plain.type, plain.size, plain.mtime = member.type, member.size, epoch_s
                plain.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
                new.addfile(plain, content)
    temporary.replace(archive)
