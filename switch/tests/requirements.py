"""What the P4Runtime specification asks of a server, and which test shows it.

The requirements are in requirements.toml; tests name them with `@pytest.mark.requirement(ID, ...)`.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import grpc

SOURCE = Path(__file__).parent / "requirements.toml"

_HEAD = "| id | level | requirement | shown by |"
_LEVELS = {"must": "MUST", "should": "SHOULD"}
_FIELDS = {*_LEVELS, "not_served", "reason"}


class RequirementError(Exception):
    """A requirement or a marker is wrong; the message names it."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """One sentence of the specification, in our words.

    level: MUST or SHOULD.
    not_served: the status with which a request that needs it is answered; None: it is served.
    reason: why it is not served, not followed, or shown by no test.
    """

    id: str
    level: str
    text: str
    not_served: str | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the specification, as NUMBER TITLE."""

    title: str
    requirements: tuple[Requirement, ...]


@dataclass(frozen=True, slots=True, order=True)
class Test:
    """A test function and its file in this folder."""

    __test__ = False

    file: str
    name: str


@dataclass(frozen=True, slots=True)
class Specification:
    """All requirements of a version of the specification."""

    version: str
    sections: tuple[Section, ...]

    def shown_by(
        self, marked: Iterable[tuple[Test, Sequence[object]]]
    ) -> dict[str, tuple[Test, ...]]:
        """The tests that show each requirement, from tests with the ids of their markers.

        Raises RequirementError for an id that no requirement has, and for a marker without any.
        """
        shown: dict[str, set[Test]] = {item.id: set() for item in self._requirements()}
        for test, ids in marked:
            if not ids:
                raise RequirementError(f"{test.file}: {test.name} is marked with no requirement")
            for number in ids:
                if number not in shown:
                    raise RequirementError(
                        f"{test.file}: {test.name} is marked with requirement {number!r},"
                        f" which is not in {SOURCE.name}"
                    )
                shown[str(number)].add(test)
        return {number: tuple(sorted(tests)) for number, tests in shown.items()}

    def check(self, shown: Mapping[str, Sequence[Test]]) -> None:
        """Raises RequirementError, naming those that need a test or a reason and have none."""
        bare = [
            item.id
            for item in self._requirements()
            if not shown[item.id] and (item.not_served or not item.reason)
        ]
        if bare:
            raise RequirementError(f"no test is marked with requirement {', '.join(bare)}")

    def count(self, level: str) -> tuple[int, int, int]:
        """How many are served, not served, and have a reason of another kind."""
        of_level = [item for item in self._requirements() if item.level == level]
        not_served = sum(item.not_served is not None for item in of_level)
        otherwise = sum(item.not_served is None and item.reason is not None for item in of_level)
        return len(of_level) - not_served - otherwise, not_served, otherwise

    def not_served(self) -> list[str]:
        """The ids of those that are not served."""
        return [item.id for item in self._requirements() if item.not_served is not None]

    def _requirements(self) -> Iterator[Requirement]:
        return (item for section in self.sections for item in section.requirements)


def read(text: str) -> Specification:
    """The requirements of a TOML text. Raises RequirementError, naming what is wrong."""
    content = tomllib.loads(text)
    version = content.pop("version")
    return Specification(version, tuple(_section(*item) for item in content.items()))


def _section(title: str, content: Mapping[str, Mapping[str, str]]) -> Section:
    number = title.split()[0]
    for position, key in enumerate(content, start=1):
        if key != f"{number}-{position}":
            raise RequirementError(f"requirement {key} should be {number}-{position}")
    return Section(title, tuple(_requirement(*item) for item in content.items()))


def _requirement(number: str, content: Mapping[str, str]) -> Requirement:
    levels = [key for key in _LEVELS if key in content]
    if len(levels) != 1 or not _FIELDS.issuperset(content):
        raise RequirementError(
            f"requirement {number} has {', '.join(content)}; valid: must or should, not_served,"
            " reason"
        )
    not_served, reason = content.get("not_served"), content.get("reason")
    if not_served is not None and not_served not in grpc.StatusCode.__members__:
        raise RequirementError(f"requirement {number} is not served with status {not_served}")
    if not_served is not None and reason is None:
        raise RequirementError(f"requirement {number} is not served without a reason")
    return Requirement(number, _LEVELS[levels[0]], content[levels[0]], not_served, reason)


def document(specification: Specification, shown: Mapping[str, Sequence[Test]]) -> str:
    """The document in Markdown. Raises RequirementError as check()."""
    specification.check(shown)
    lines = [
        "# Requirements of P4Runtime",
        "",
        f"This page lists what version {specification.version} of the P4Runtime specification"
        " requires of a server, in this",
        "project's words, and the tests that show what the embedded switch does. Sections have the",
        "specification's numbers. p4lang publishes the",
        "[specification](https://github.com/p4lang/p4runtime).",
        "",
        "- `INSERT without action: INVALID_ARGUMENT` means: the server answers such an INSERT with",
        "  this status. Other rows follow the same pattern.",
        "- A *bid* is a MasterArbitrationUpdate. With it a client asks to become primary.",
        f"- Not served: {', '.join(specification.not_served())}. Their rows say why.",
        "- To run a test, type `.venv/bin/python -m pytest switch/tests -k NAME` in a clone.",
        "",
        "`make requirements` writes the page from the list in `switch/tests/requirements.toml` and",
        "from the markers on the tests. To change the page, change these. `make test` fails if the",
        "page is older than either.",
        "",
        "| | served | not served | other: not tested, not applicable, or different |",
        "|---|---|---|---|",
        *(
            f"| {level} | {' | '.join(str(number) for number in specification.count(level))} |"
            for level in _LEVELS.values()
        ),
    ]
    for section in specification.sections:
        lines += ["", f"## {section.title}", "", _HEAD, "|---|---|---|---|"]
        lines += [_row(item, shown[item.id]) for item in section.requirements]
    return "\n".join(lines) + "\n"


def _row(item: Requirement, tests: Sequence[Test]) -> str:
    cell = [f"[{test.name}](../switch/tests/{test.file})" for test in tests]
    if item.not_served is not None:
        cell.insert(0, f"not served: {item.not_served}; {item.reason}")
    elif item.reason is not None:
        cell.insert(0, item.reason)
    return f"| {item.id} | {item.level} | {item.text} | {'<br>'.join(cell)} |"
