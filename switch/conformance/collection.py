"""What the runner is told of the labs of a project."""

import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conformance.outcome import Outcome
from conformance.workplace.switches import Pair

LeftOut = Mapping[str, str]
"""Why labs could not be run on either switch, by name."""


@dataclass(frozen=True)
class Lab(ABC):
    """One of them, in a checkout, which stays as it is."""

    checkout: Path

    @property
    @abstractmethod
    def name(self) -> str: ...

    def check(self) -> None:  # noqa: B027 most have all that was found
        """Raises UserError if the checkout lacks what it needs."""

    @abstractmethod
    def run(self, switch: str, place: "Place") -> Outcome:
        """Runs it from a copy. Raises DoesNotCompile."""


def fresh_copy(checkout: Path, folders: Iterable[Path | str], root: Path) -> None:
    """Copies of folders in a checkout, in the place of what was there."""
    shutil.rmtree(root, ignore_errors=True)
    for folder in folders:
        shutil.copytree(checkout / folder, root / folder, dirs_exist_ok=True)


@dataclass(frozen=True)
class Place:
    """Where labs run.

    folder: for their copies, and for all that they write on this switch.
    path: PATH, which chooses the switch.
    """

    folder: Path
    path: str


Failures = Callable[[str, Mapping[str, Any]], Iterable[str]]


def _none(_lab: str, _outcomes: Mapping[str, Any]) -> Iterable[str]:
    return ()


@dataclass(frozen=True)
class Section:
    """A collection's part of docs/conformance.md.

    columns: the first is the lab's name.
    cells: the other cells of a lab's row, by the lab and its outcomes in the order of switches.
    failures: by a lab's name and its outcomes by switch, what is told of it below the table, after
        the line `told`.
    """

    heading: str
    columns: Sequence[str]
    cells: Callable[..., Sequence[object]]
    told: str = ""
    failures: Failures = _none


@dataclass(frozen=True)
class Collection:
    """Labs that are run alike.

    kind: what messages and the command's option call one.
    finders: by the name of each project's checkout: its labs, of which some raise UserError.
    programs: those that must be on PATH, each with where it comes from; modules: of its python3.
    networks: whether labs stand in namespaces that the runner makes.
    is_run_on_bmv2: whether both switches are compared, or only the drop-in tested.
    """

    name: str
    kind: str
    help: str
    finders: Mapping[str, Callable[[Path], Sequence[Lab]]]
    programs: Mapping[str, str]
    modules: Sequence[str]
    switches: Pair
    section: Section
    networks: bool = False
    is_run_on_bmv2: bool = True
    forbidden: Path | None = None
    """A folder that labs do not see, in which no results may be."""

    @property
    def names_of_switches(self) -> Sequence[str]:
        """Those on which labs run."""
        return (self.switches.drop_in, *([self.switches.bmv2] if self.is_run_on_bmv2 else ()))
