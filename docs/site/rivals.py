"""README's table of results: `python -m docs.site.rivals` writes it from docs/results."""

from pathlib import Path

from p4abs_experiments.experiment.goal import Verdict
from p4abs_experiments.report.collect import collect
from p4abs_experiments.report.comparison import PolicySummary, compare

from docs.site.reference.markdown import code, table

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
_BEGIN, _END = (
    "<!-- results: written by python -m docs.site.rivals -->\n",
    "<!-- end of results -->",
)
_HEAD = ("policy", "links", "both targets met", "undecided", "missed", "limit / smallest (range)")


def with_table(readme: str) -> str:
    """README with the table as the results are now."""
    before, _, rest = readme.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    return f"{before}{_BEGIN}\n{_table()}\n{_END}{after}"


def _table() -> str:
    """Policies that ran on all links of Tables 2 and 3 of the ABS paper, the best ones first."""
    found = [each for each in compare(collect(ROOT / "docs" / "results")) if " " not in each.policy]
    return table(_HEAD, map(_row, found))


def _row(summary: PolicySummary) -> tuple[str, ...]:
    verdicts = (str(summary.count(verdict)) for verdict in _VERDICTS)
    least, most = summary.ratios[0], summary.ratios[-1]
    ratio = f"{summary.ratio:.2f} ({least:.2f} to {most:.2f})"
    return code(summary.policy), str(len(summary.cells)), *verdicts, ratio


_VERDICTS = (Verdict.MET, Verdict.UNDECIDED, Verdict.MISSED)

if __name__ == "__main__":
    README.write_text(with_table(README.read_text()))
