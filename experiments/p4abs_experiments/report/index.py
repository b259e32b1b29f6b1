"""The index of the results that a forge shows, and their tables as pages: `make results-index`.

All of it follows from what the folders hold, so it is renewed without a simulation. Which results
other source code gave is said as of one state of it, whose digests the index names.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from p4abs_experiments.experiment.goal import LARGEST_RATIO, TOLERANCE, Goal, Verdict
from p4abs_experiments.experiment.judgement import below_the_optimum, tally
from p4abs_experiments.output.table import markdown
from p4abs_experiments.report.collect import Record, collect
from p4abs_experiments.report.page import groups
from p4abs_experiments.run.code import is_of

INDEX_FILE = "README.md"
TABLE_PAGE = "table.md"

_LONGEST_FINDING = 400
_LONGEST_PAIR = 300
_SEPARATORS = {"; ": "; and others.", ". ": ".", ", ": ", and others."}
_LAWS = re.compile(r"(?<![\w`-])abs(-paper(-abs)?)?(?![\w`-])")
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
        "This page lists the tables and figures of five [papers](../how-to/repeat-the-experiments"
        ".md#names), measured again in a simulator, and experiments with links that the papers do "
        "not have. For each it says what the paper or this project claims, and what was found. "
        "[How results are measured and judged](../explanation/experiments.md) explains the "
        "simulator and the tables' columns. `make report` writes all results on one page, with "
        "each finding in full.",
        "",
        "## How to read this page",
        "",
        *_criterion(records),
        "",
        "## Summary",
        "",
        *_summary(records),
    ]
    for group in groups(records):
        lines += ["", f"## {group.title}", "", "| figure | experiment |", "| --- | --- |"]
        lines += [_row(each) for each in group.records]
    return "\n".join([*lines, "", *_ages(records, code)]) + "\n"


def _criterion(records: Sequence[Record]) -> Iterator[str]:
    """What the words of the rows mean."""
    yield (
        "- A *cell* is one link with its traffic and one policy, such as `abs`. Its name, such as "
        "*16 flows, 16 Mb/s*, is that in the first column of the experiment's table."
    )
    yield (
        "- *Targets*: a cell meets them if idle time and loss are at most "
        f"{100 * TOLERANCE:g} % more than the targets allow."
    )
    yield (
        "- *Buffer*: a cell meets this goal if the mean limit is at most "
        f"{LARGEST_RATIO:.2f} times the *static optimum*, the smallest fixed limit that meets both "
        "targets."
    )
    yield "- *Other goals* are those that an experiment has besides."
    yield (
        "- *Undecided*: the bound of a goal lies within the 95 % confidence interval of the result."
    )
    yield (
        "- *±* is half the width of the 95 % confidence interval. A *pipe* is the bandwidth-delay "
        "product, and n the number of flows."
    )


def _summary(records: Sequence[Record]) -> Iterator[str]:
    """Over all cells the verdicts; one that two experiments have counts once."""
    cells = {each.key: each for record in records for each in record.cells}
    target = tally([each.target for each in cells.values()])
    price = tally([each.price for each in cells.values()])
    known = sum(each.row.static_optimum_ci_bytes is not None for each in cells.values())
    with_ratio = sum(each.price is not None for each in cells.values())
    yield f"- Targets of `abs`, over all different cells: {target}."
    yield (
        f"- Buffer of `abs`: {price}. In {known} of {with_ratio} cells the optimum has a "
        "confidence interval of its own. In the others the optimum counts as exact, so that "
        "fewer verdicts are undecided."
    )
    if missed := [each for each in records if _misses(each)]:
        links = ", ".join(f"[{each.name}]({each.name}/{TABLE_PAGE})" for each in missed)
        yield f"- `abs` misses a target or the buffer in {links}."
    if below := below_the_optimum(list(cells.values())):
        yield f"- A limit that moves can be smaller on average than the static optimum. {below}"


def _misses(record: Record) -> bool:
    """Whether a cell misses its targets or the goal for the buffer."""
    return any(Verdict.MISSED in (each.target, each.price) for each in record.cells)


def _row(record: Record) -> str:
    figure = record.figures[0].name if record.figures else ""
    picture = f'<img src="{record.name}/{figure}.png" width="200" alt="{record.title}">'
    source = f"`{record.name}`" if record.is_of_no_paper else f"`{record.name}`; {record.source}"
    told = [
        f"**[{record.title}]({record.name}/{TABLE_PAGE})** ({source})",
        f"*Claim*: {_quoted(' '.join(record.claim.split()))}",
        f"*Found*: {_quoted(_found(record))}",
        *_verdicts(record),
    ]
    link = f"[{picture}]({record.name}/{figure}.png)" if figure else ""
    return f"| {link} | {'<br>'.join(told)} |"


def _quoted(text: str) -> str:
    """For a cell of a table, with names of this project's laws as code."""
    return _LAWS.sub(r"`\g<0>`", text.replace("|", "\\|"))


def _verdicts(record: Record) -> Iterator[str]:
    """Of the cells' targets and their price, and of the experiment's other goals."""
    tallies = {
        "targets": tally([each.target for each in record.cells]),
        "buffer": tally([each.price for each in record.cells]),
        "other goals": tally([each.verdict for each in record.own_goals]),
    }
    if told := "; ".join(f"{what} {text}" for what, text in tallies.items() if text):
        yield f"*Goals of `abs`*: {told}."


def _found(record: Record) -> str:
    """One sentence or two: goals that are not met, findings, then goals that are met."""
    own, of_rows = record.own_goals, [each for each in record.goals if each not in record.own_goals]
    not_met = [*_sentences(of_rows, is_met=False), *_sentences(own, is_met=False)]
    about_the_claim = list(record.own_findings)
    goals_first = record.is_of_no_paper or own
    first = not_met + about_the_claim if goals_first else about_the_claim + not_met
    met = [*_sentences(own, is_met=True), *_sentences(of_rows, is_met=True)]
    sentence, *others = [*first, *met, *record.findings, "See the table."]
    with_another = f"{sentence} {others[0]}" if others else sentence
    return with_another if len(with_another) <= _LONGEST_PAIR else _shortened(sentence)


def _sentences(found: Sequence[Goal], is_met: bool) -> list[str]:
    return [goal.sentence for goal in found if (goal.verdict is Verdict.MET) is is_met]


def _shortened(text: str) -> str:
    """As many whole sentences or clauses as have room."""
    if len(text) <= _LONGEST_FINDING:
        return text
    for separator, ending in _SEPARATORS.items():
        end = text.rfind(separator, 0, _LONGEST_FINDING)
        if end > 0:
            return text[:end] + ending
    return text


def _ages(records: Sequence[Record], code: Mapping[str, str]) -> Iterator[str]:
    """Which code measured which result."""
    current = [record for record in records if is_of(record.source_code, code)]
    yield "## Which version of the code measured them"
    yield ""
    yield "A result is current if it was measured with the source code of these digests:"
    yield ""
    yield from (f"- `{name}`: `{digest}`" for name, digest in code.items())
    yield ""
    yield f"Current: {', '.join(f'`{each.name}`' for each in current) or 'none'}."
    older = [record for record in records if record not in current]
    if not older:
        return
    yield ""
    yield (
        "For the others, the simulator or a policy has changed since the measurement. For some of "
        "them, simulations were repeated with newer code, and all were bit-identical. The table "
        "says how many, and with the code of which commit. After *-dirty*, the code also had "
        "changes that were not committed."
    )
    yield ""
    yield "| older result | repeated |"
    yield "| --- | --- |"
    yield from (f"| `{each.name}` | {each.last_confirmed or 'no'} |" for each in older)
