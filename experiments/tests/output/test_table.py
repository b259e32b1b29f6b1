"""Tables of results that are read again."""

import csv
from pathlib import Path

import pytest
from p4abs_experiments.output.table import read_csv

RESULT = Path(__file__).parents[3] / "docs" / "results" / "seed000-table2" / "table.csv"


def test_a_value_that_is_no_number_is_named_with_its_line_and_column(tmp_path: Path) -> None:
    with RESULT.open(newline="") as file:
        head, first, *_ = csv.reader(file)
    with (path := tmp_path / "table.csv").open("w", newline="") as file:
        place = head.index("utilization")
        csv.writer(file).writerows((head, first, [*first[:place], "much", *first[place + 1 :]]))
    with pytest.raises(ValueError, match=r"^line 3, column 'utilization': "):
        read_csv(path)
