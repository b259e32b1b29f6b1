"""The index of the results that a forge shows, and their tables as pages: `make results-index`.

All of it follows from what the folders hold, so it is renewed without a simulation. Which results
other source code gave is said as of one state of it, whose digests the index names.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from p4abs_experiments.experiment.goal import LARGEST_RATIO, TOLERANCE, Verdict
from p4abs_experiments.experiment.judgement import below_the_optimum, tally
from p4abs_experiments.output.table import markdown
from p4abs_experiments.report.collect import Record, collect
from p4abs_experiments.report.page import groups
from p4abs_experiments.run.code import is_of

INDEX_FILE = "README.md"
TABLE_PAGE = "table.md"

_LONGEST_SENTENCE = 260
_CODE = re.compile(r"^- `([\w.]+)`: `([0-9a-f]+)`$", re.MULTILINE)


def pages(results: Path, code: Mapping[str, str]) -> dict[Path, str]:
    """The index and the page of every table, by path. `code` is the source code of the simulators
    that results are compared with. Raises UnusableResults."""
    records = collect(results)
    tables = {
        results / record.name / TABLE_PAGE: markdown(record.title, record.source, record.table)
        for record in records
    }
    return {results / INDEX_FILE: _index(records, code)} | tables


def code_of(index: str) -> dict[str, str]:
    """The source code of the simulators that an index names."""
    return dict(_CODE.findall(index))


def _index(records: Sequence[Record], code: Mapping[str, str]) -> str:
    lines = [
        "# Results",
        "",
        "This page lists the tables and figures of five papers, measured again, and experiments "
        "with links that the papers do not have (families). A row's title leads to its table. [How "
        "results are measured and judged](../explanation/experiments.md) explains verdicts and "
        "columns, and [Repeat the experiments](../how-to/repeat-the-experiments.md) says how to "
        "measure them yourself. `make report` writes all results on one page, with each finding in "
        "full; `make results-index` writes this page.",
        "",
        *_criterion(records),
        "",
        "*This code*: measured with the source code that has the digests below. *Older code*: the "
        "simulator or a policy has changed since the measurement. *Repeated: N at COMMIT*: N "
        "simulations were run again with the code of that commit, and all were bit-identical. The "
        "digests:",
        "",
        *(f"- `{name}`: `{digest}`" for name, digest in code.items()),
    ]
    for group in groups(records):
        lines += ["", f"## {group.title}", "", "| figure | what | goals | what was found |"]
        lines += ["| --- | --- | --- | --- |", *(_row(each, code) for each in group.records)]
    return "\n".join(lines) + "\n"


def _criterion(records: Sequence[Record]) -> Iterator[str]:
    """How goals are judged, and over all cells the verdicts; one that two experiments have counts
    once."""
    cells = {each.key: each for record in records for each in record.cells}
    target = tally([each.target for each in cells.values()])
    price = tally([each.price for each in cells.values()])
    known = sum(each.row.static_optimum_ci_bytes is not None for each in cells.values())
    with_ratio = sum(each.price is not None for each in cells.values())
    yield (
        "A *cell* is one link with its traffic under one policy. It meets its *targets* if idle "
        f"time and loss are at most {100 * TOLERANCE:g} % more than the targets allow. It meets "
        f"the goal for its *buffer* if the mean limit is at most {LARGEST_RATIO:.2f} times the "
        "static optimum, the smallest fixed limit that meets both targets. A goal is *undecided* "
        "if its bound lies within the 95 % confidence interval. *Others* are further goals of an "
        "experiment."
    )
    yield ""
    yield f"- Targets of `abs`, over all different cells: {target}."
    yield (
        f"- Buffer of `abs`: {price}. In {known} of {with_ratio} cells the optimum has a "
        "confidence interval of its own. In the others the optimum is taken as exact."
    )
    if below := below_the_optimum(list(cells.values())):
        yield f"- A limit that moves can be smaller on average than the static optimum. {below}"


def _row(record: Record, code: Mapping[str, str]) -> str:
    figure = record.figures[0].name if record.figures else ""
    picture = f'<img src="{record.name}/{figure}.png" width="200" alt="{record.title}">'
    cells = [
        f"[{picture}]({record.name}/{figure}.png)" if figure else "",
        f"[{record.title}]({record.name}/{TABLE_PAGE}), {record.source}. "
        f"`{record.name}`: {_age(record, code)}",
        _verdicts(record),
        _sentence(record),
    ]
    return "| " + " | ".join(cells) + " |"


def _age(record: Record, code: Mapping[str, str]) -> str:
    if is_of(record.source_code, code):
        return "this code"
    repeated = f" (repeated: {record.last_confirmed})" if record.last_confirmed else ""
    return f"*older code*{repeated}"


def _verdicts(record: Record) -> str:
    """Of the cells' targets and their price, and of the experiment's other goals."""
    tallies = {
        "targets": tally([each.target for each in record.cells]),
        "buffer": tally([each.price for each in record.cells]),
        "others": tally([each.verdict for each in record.own_goals]),
    }
    return "<br>".join(f"{what}: {text}" for what, text in tallies.items() if text)


def _sentence(record: Record) -> str:
    """The first of its own goals that is not met; then a finding; then a goal of its rows."""
    goals = [*record.own_goals, *(() if record.findings else record.goals)]
    open_goals = [goal.sentence for goal in goals if goal.verdict is not Verdict.MET]
    met_goals = [goal.sentence for goal in reversed(goals)]
    found = record.findings if record.cells or not met_goals else met_goals
    sentences = [*open_goals, *found, *met_goals, record.claim]
    text = sentences[0].replace("|", "\\|")
    if len(text) <= _LONGEST_SENTENCE:
        return text
    return f"{text[:_LONGEST_SENTENCE].rpartition(' ')[0]} …"
