"""All demonstrations in a row."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from absrobustness.cases import Case
from absrobustness.compiler import CompilerEnded, compiler
from absrobustness.demonstration import DemonstrationFailed, demonstrate
from absrobustness.goals import Row, Verdict, judge

Demonstrate = Callable[[Case, float, Path], dict[str, Any]]


def run(
    cases: Sequence[Case], duration_s: float, folder: Path, play: Demonstrate = demonstrate
) -> Iterator[tuple[Case, list[Row]]]:
    """Each case with its phases, as it ends; one that fails does not stop the others."""
    summaries: dict[str, dict[str, Any]] = {}
    for case in cases:
        try:
            with compiler() if case.compiler else nullcontext():
                summary = play(case, duration_s, folder / case.name)
        except (CompilerEnded, DemonstrationFailed) as error:
            yield case, [Row(case.name, "-", Verdict.FAILED, str(error))]
            continue
        summaries[case.name] = summary
        yield case, judge(case.name, summary, summaries.get(case.reference))
