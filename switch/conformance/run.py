"""Labs in a row, each on every switch of its collection."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Protocol, TypeVar

import click
from p4abs_switch.command_line.options import FOLDER
from p4abs_switch.errors import UserError
from p4abs_switch.testbed.caller import give_to_caller

from conformance.collection import Collection, Lab, Place
from conformance.outcome import Outcome
from conformance.page import Outcomes, lines, put
from conformance.workplace.compiler import DoesNotCompile
from conformance.workplace.namespaces import prepare_networks
from conformance.workplace.requirements import check_modules, check_programs
from conformance.workplace.switches import path_with


def run(
    collection: Collection,
    checkouts: Mapping[str, Path],
    wanted: str,
    results: Path,
    section_of: Path | None,
) -> int:
    """Runs the labs of checkouts; returns the exit status: 1 if the drop-in is worse than BMv2 or,
    where BMv2 is left out, fails. Raises UserError before anything runs, and if nothing passes on
    BMv2.

    checkouts: by the name of their project. wanted: names of labs, "A,B"; all without a name.
    section_of: the page in which to write the section.
    """
    found = [lab for name, path in checkouts.items() for lab in collection.finders[name](path)]
    labs = chosen(collection.kind, wanted, found, section_of)
    _check(collection, labs, results)
    outcomes: dict[str, Outcomes] = {}
    left_out: dict[str, str] = {}
    for lab in labs:
        try:
            outcomes[lab.name] = _on_each(lab, collection, results)
        except DoesNotCompile as error:
            print(f"{lab.name}: not compiled: {error}", flush=True)
            left_out[lab.name] = str(error)
    keep(results / f"{collection.name}.json", outcomes)
    if collection.is_run_on_bmv2:
        _check_any_passed(collection, outcomes, results)
    if section_of is not None:
        section = collection.section
        put(section_of, section.heading, lines(section, labs, outcomes, left_out))
    return 1 if any(_is_worse(*each.values()) for each in outcomes.values()) else 0


def options(name: str, kind: str) -> list[click.Option]:
    """Those of a command that runs some of a kind: `wanted`, `results` and `page`."""
    some = f"Run only these {kind}s: A,B,..."
    copies = "Folder for copies, compiled programs and results."
    page = click.Path(path_type=Path, exists=True, dir_okay=False)
    tables = f"Write the tables into this page; it needs all {kind}s."
    folder = Path("results") / name
    return [
        click.Option([f"--{kind}s", "wanted"], default="", help=some),
        click.Option(["--results"], type=FOLDER, default=folder, show_default=True, help=copies),
        click.Option(["--page"], type=page, help=tables),
    ]


class _Named(Protocol):
    @property
    def name(self) -> str: ...


_AnyNamed = TypeVar("_AnyNamed", bound=_Named)


def chosen(
    kind: str, wanted: str, everything: Sequence[_AnyNamed], page: Path | None
) -> list[_AnyNamed]:
    """Those of the names, all without a name. Raises UserError.

    kind: what messages call one. page: the page to write; it needs all, so no names may be given.
    """
    by_name = {each.name: each for each in everything}
    names = [name.strip() for name in wanted.split(",") if name.strip()]
    for name in names:
        if name not in by_name:
            raise UserError(f"no {kind} {name!r}; valid: {', '.join(by_name)}")
    if names and page is not None:
        raise UserError(f"--page needs all {kind}s: leave out --{kind}s, or --page")
    return [by_name[name] for name in names or by_name]


def keep(path: Path, outcomes: Mapping[str, Outcomes]) -> None:
    """Writes the outcomes, by lab and switch, as JSON into the folder of results."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(outcomes, indent=2, default=asdict) + "\n")
    give_to_caller(path.parent)


def _check(collection: Collection, labs: Sequence[Lab], results: Path) -> None:
    if collection.forbidden is not None and results.is_relative_to(collection.forbidden):
        raise UserError(
            f"--results {results}: not below {collection.forbidden}, which labs do not see"
        )
    for lab in labs:
        lab.check()
    check_programs(collection.programs)
    check_modules(collection.modules, labs[0].checkout)
    if collection.networks:
        prepare_networks()


def _on_each(lab: Lab, collection: Collection, results: Path) -> dict[str, Outcome]:
    """What comes of a lab on each switch, told as soon as it is known. Raises DoesNotCompile."""
    outcomes = {}
    for switch in collection.names_of_switches:
        place = Place(results / switch, path_with(switch, collection.switches, results))
        outcomes[switch] = lab.run(switch, place)
        print(f"{lab.name} on {switch}: {outcomes[switch]}", flush=True)
    return outcomes


def _is_worse(here: Outcome, there: Outcome | None = None) -> bool:
    return not here.passed if there is None else here.is_worse_than(there)


def _check_any_passed(
    collection: Collection, outcomes: Mapping[str, Outcomes], results: Path
) -> None:
    """Raises UserError if no lab passed on BMv2: the machine is at fault, or the checkout."""
    if not any(each[collection.switches.bmv2].passed for each in outcomes.values()):
        raise UserError(f"nothing passed on BMv2, so nothing is compared; see {results}")
