"""Which README of a checkout goes with which program."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from p4abs.errors import UserError

from absreadmes.readme import Readme, read

_OF_P4_14 = ("p4_14", "p414")


@dataclass(frozen=True)
class Demonstration:
    """A program, P4 or what a compiler of its day has made of it, by its path in the checkout."""

    program: Path
    readme: Readme

    @property
    def name(self) -> str:
        return str(self.program)

    @property
    def is_compiled(self) -> bool:
        """It is JSON."""
        return self.program.suffix == ".json"

    @property
    def language(self) -> str:
        """Its version of P4, as p4c calls it."""
        return "p4-14" if any(word in self.program.name for word in _OF_P4_14) else "p4-16"


def find(guide: Path) -> list[Demonstration]:
    """Those whose README has commands and frames. Raises UserError if there are none."""
    found = {
        each.name: each for path in sorted(guide.rglob("README*.md")) for each in _of(path, guide)
    }
    if not found:
        raise UserError(f"{guide}: no checkout of jafingerhut/p4-guide: no demonstrations in it")
    return [found[name] for name in sorted(found)]


def _of(path: Path, guide: Path) -> Iterator[Demonstration]:
    text = path.read_text()
    readme = read(text)
    if not (readme.commands and readme.sendings):
        return
    sources = [source for source in path.parent.glob("*.p4") if source.name in text]
    for source in sources:
        yield Demonstration(source.relative_to(guide), readme)
        for compiled in path.parent.glob(f"{source.stem}.*json"):
            yield Demonstration(compiled.relative_to(guide), readme)
