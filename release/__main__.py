"""python -m release: wheels, a source distribution and their digests, of the newest commit."""

import argparse
import sys
import tempfile
from pathlib import Path
from typing import NoReturn

from release.archives import DIGESTS, Builder
from release.errors import ReleaseError
from release.staging import check_clean, commit_time, stage

REPOSITORY = Path(__file__).resolve().parents[1]
TARGETS = ("x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu")


class _Parser(argparse.ArgumentParser):
    """Wrong arguments are one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def main(arguments: list[str]) -> int:
    """The exit status: 0 made, 1 not made or not the same, 2 wrong arguments, 130 interrupted."""
    parser = _Parser(prog="release", description=__doc__)
    parser.add_argument("output", type=Path, help="empty folder for the archives")
    parser.add_argument(
        "--targets", nargs="+", default=TARGETS, help="Rust targets of the switch's wheels"
    )
    parser.add_argument("--profile", default="release", help="profile of cargo")
    parser.add_argument(
        "--again",
        action="store_true",
        help="make the archives again in another folder, and compare the digests",
    )
    options = parser.parse_args(arguments)
    targets = list(options.targets)
    if unknown := set(targets).difference(TARGETS):
        parser.error(f"unknown target {', '.join(unknown)}; valid: {', '.join(TARGETS)}")
    try:
        check_clean(REPOSITORY)
        if options.again:
            return compare(options.output, targets, options.profile)
        kept = REPOSITORY / "switch" / "target"
        print(make(options.output, targets, options.profile, kept / "staged", kept), end="")
    except (OSError, ReleaseError) as error:
        print(f"release: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def make(output: Path, targets: list[str], profile: str, staged: Path, kept: Path) -> str:
    """Makes all archives; returns their digests. Raises ReleaseError."""
    output.mkdir(parents=True, exist_ok=True)
    if any(output.iterdir()):
        raise ReleaseError(f"{output} is not empty")
    stage(REPOSITORY, staged)
    builder = Builder(staged, output.resolve(), kept, profile, commit_time(REPOSITORY))
    for package in ("controller", "demonstration"):
        builder.pure_wheel(package)
    for target in targets:
        builder.switch_wheel(target)
    builder.source_distribution("experiments")
    return builder.write_digests()


def compare(output: Path, targets: list[str], profile: str) -> int:
    """Makes all of it again, in other folders and from nothing; 0 if it is the same."""
    recorded = (output / DIGESTS).read_text()
    with tempfile.TemporaryDirectory() as name:
        elsewhere = Path(name)
        made = make(
            elsewhere / "dist", targets, profile, elsewhere / "staged", elsewhere / "target"
        )
    different = sorted(set(recorded.splitlines()) ^ set(made.splitlines()))
    for line in different:
        print(f"not the same: {line}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
