"""README's table and the documents' pictures are those of the data that there are."""

from pathlib import Path

import pytest

from docs.pictures import before_after, sawtooth
from docs.pictures.stamp import is_current, save
from docs.site.rivals import README, with_table

LINES = 60  # of README, besides its picture and its table


def test_the_table_of_results_is_that_of_the_results() -> None:
    readme = README.read_text()
    assert readme == with_table(readme), "python -m docs.site.rivals writes it"


@pytest.mark.parametrize("picture", [before_after, sawtooth], ids=lambda each: each.__name__)
def test_a_picture_is_no_older_than_its_data(picture) -> None:
    assert is_current(picture.PICTURE, picture.SOURCES), "python -m docs.pictures draws it"


def test_a_picture_of_other_data_is_found(tmp_path: Path) -> None:
    data = tmp_path / "data.csv"
    data.write_text(sawtooth.DATA.read_text())
    save(sawtooth.draw(), tmp_path / "picture.png", [data])
    assert is_current(tmp_path / "picture.png", [data])
    data.write_text("s,queued,dropped\n")
    assert not is_current(tmp_path / "picture.png", [data])


def test_readme_fits_a_screen() -> None:
    lines = README.read_text().splitlines()
    assert sum(not line.startswith(("![", "|")) for line in lines) <= LINES
