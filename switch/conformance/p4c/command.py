"""A command that runs programs of p4c on both switches and puts what comes of it into the page."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from p4abs_switch.command_line.options import FOLDER
from p4abs_switch.errors import UserError

from conformance.p4c.programs import Program, check
from conformance.page import put
from conformance.run import chosen, options
from conformance.workplace.compiler import COMPILER
from conformance.workplace.requirements import check_programs

Results = Mapping[str, Any]
"""Of programs, by name."""


@dataclass(frozen=True)
class Runs:
    """What is done with programs of a checkout.

    find: those of a checkout. own: makes a program of a source file given with --own; None: there
    is no such option.
    run: what comes of them, of the checkout, the programs and the folder of results.
    sections: of results and the number of programs, tables by their section's heading.
    unexplained: what in results is worse here, for no reason that is known.
    """

    name: str
    help: str
    find: Callable[[Path], Sequence[Program]]
    run: Callable[[Path, Sequence[Program], Path], Results]
    sections: Callable[[Results, int], Mapping[str, Iterable[str]]]
    unexplained: Callable[[Results], Sequence[object]]
    needed: Mapping[str, str]
    own: Callable[[Path, Path, Path], Program] | None = None

    def command(self) -> click.Command:
        """`python -m conformance NAME P4C`."""
        parameters: list[click.Parameter] = [
            click.Argument(["p4c"], type=FOLDER),
            *options(self.name, "program"),
        ]
        if self.own is not None:
            other = "Another program (.p4) to test; may be repeated."
            file = click.Path(path_type=Path, resolve_path=True)
            parameters.append(click.Option(["--own"], type=file, multiple=True, help=other))
        return click.Command(
            self.name,
            callback=self._carry_out,
            help=f"{self.help} What --results already has is not done again.",
            params=parameters,
        )

    def _carry_out(
        self, p4c: Path, wanted: str, results: Path, page: Path | None, **given: Any
    ) -> int:
        check(p4c)
        check_programs({COMPILER: "p4c", **self.needed})
        p4c, folder = p4c.resolve(), results.resolve()
        try:
            everything = list(self.find(p4c))
            if self.own is not None:
                everything += [self.own(source, p4c, folder / "ours") for source in given["own"]]
            found = self.run(p4c, chosen("program", wanted, everything, page), folder)
        except OSError as error:
            raise UserError(f"{error.filename or folder}: {error.strerror or error}") from None
        if page is not None:
            for heading, tables in self.sections(found, len(everything)).items():
                put(page, heading, tables)
        return 1 if self.unexplained(found) else 0
