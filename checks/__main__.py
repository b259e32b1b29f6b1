"""`python -m checks`: floors, sizes and messages of the repository in the working directory.

Prints one line for each finding. Exit status: 0 without findings, 1 with, 2 if the lists in
docs/contributing.md or a source cannot be read.
"""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from checks.arrows import find_arrows
from checks.circles import find_circles
from checks.errors import CheckError
from checks.families import read_families
from checks.includes import read_includes
from checks.layers import Drawing, read_drawings
from checks.messages import find_unlisted_messages
from checks.python_imports import read_python
from checks.rooms import check_rooms_exist, find_undrawn
from checks.rust import read_rust
from checks.sizes import find_sizes
from checks.sources import Sources

DOCUMENT = Path("docs/contributing.md")

READERS: dict[str, Callable[[Path], Sources]] = {
    "python": read_python,
    "rust": lambda root: read_rust(root, Path("switch")),
    "c++": lambda root: read_includes(root, {".cc", ".h"}),
    "p4": lambda root: read_includes(root, {".p4"}),
}


def check(root: Path) -> list[str]:
    """The findings, a line each; raises `CheckError`."""
    text = (root / DOCUMENT).read_text()
    drawings = read_drawings(DOCUMENT, text)
    findings = find_sizes(root, read_families(DOCUMENT, text))
    for language in sorted({drawing.language for drawing in drawings}):
        drawn = [drawing for drawing in drawings if drawing.language == language]
        findings += _floors(drawn, READERS[language](root))
    return [*findings, *find_unlisted_messages(root)]


def _floors(drawings: list[Drawing], sources: Sources) -> Iterable[str]:
    check_rooms_exist(drawings, sources)
    yield from find_undrawn(drawings, sources)
    yield from find_circles(sources.references)
    yield from find_arrows(drawings, sources)


def main() -> int:
    """Checks the working directory's repository."""
    try:
        findings = check(Path.cwd())
    except CheckError as error:
        print(error, file=sys.stderr)
        return 2
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
