"""What docs/results holds can be judged again, and its pages are what follows from it."""

from pathlib import Path

from p4abs_experiments.report.index import INDEX_FILE, code_of, pages

RESULTS = Path(__file__).resolve().parents[2] / "docs" / "results"


def test_the_index_and_the_tables_are_up_to_date() -> None:
    """`make results-index` writes them."""
    code = code_of((RESULTS / INDEX_FILE).read_text(encoding="utf-8"))
    assert code
    old = [
        str(path.relative_to(RESULTS))
        for path, text in pages(RESULTS, code).items()
        if path.read_text(encoding="utf-8") != text
    ]
    assert not old
