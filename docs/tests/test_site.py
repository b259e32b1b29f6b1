"""The site: builds without a warning and without a network, and reaches every page."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from docs.tests.mentions import ROOT

_ELSEWHERE = re.compile(r"<(?:script|img|iframe|link)\b[^>]*(?:src|href)=\"(?:https?:)?//")
_IMPORT = re.compile(r"@import|url\(\s*[\"']?(?:https?:)?//")


def build(source: Path, site: Path, builder: str = "dummy") -> subprocess.CompletedProcess[str]:
    """`dummy` does all but write pages, which takes longest."""
    options = ["--quiet", "--fail-on-warning", "--keep-going", "-c", "docs/site", "-b", builder]
    command = [sys.executable, "-m", "sphinx", *options, str(source), str(site)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def test_the_documents_make_a_site_without_a_warning(tmp_path: Path) -> None:
    done = build(ROOT / "docs", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two pages as the documents' pages are made."""
    source, site = (tmp_path_factory.mktemp(name) for name in ("source", "site"))
    (source / "index.md").write_text("# Index\n\n## Pages\n\n- [Known](known.md)\n")
    (source / "known").mkdir()  # what the page works with
    (source / "results" / "one").mkdir(parents=True)  # not a page of the site
    (source / "results" / "one" / "table.md").write_text("# Table\n")
    (source / "known.md").write_text(
        "# Known\n\nThe mailbox, [the index](index.md#pages), [a folder](known), "
        "[a table](results/one/table.md).\n"
    )
    done = build(source, site, "html")
    assert (done.returncode, done.stderr) == (0, "")
    return site


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    pages, styles = [*site.rglob("*.html")], [*site.rglob("*.css")]
    assert pages
    assert styles
    assert [page for page in pages if _ELSEWHERE.search(page.read_text())] == []
    assert [style for style in styles if _IMPORT.search(style.read_text())] == []


def test_pages_are_links_and_folders_are_not(site: Path) -> None:
    page = (site / "index.html").read_text()
    assert page.count('href="known.html"') >= 2  # in the text and in the navigation
    other = (site / "known.html").read_text()
    assert "a folder" in other
    assert 'href="known"' not in other


def test_a_page_that_the_site_leaves_out_is_taken_along(site: Path) -> None:
    found = re.search(r'href="(_downloads/\w+/table\.md)"', (site / "known.html").read_text())
    assert found is not None
    assert (site / found[1]).read_text() == "# Table\n"


def test_the_search_finds_by_an_index_beside_the_pages(site: Path) -> None:
    assert "mailbox" in (site / "searchindex.js").read_text()
    assert 'src="searchindex.js"' in (site / "search.html").read_text()


def test_what_cannot_be_reached_fails_by_name(tmp_path: Path) -> None:
    (tmp_path / "index.md").write_text("# Index\n\n- [Known](known.md)\n")
    (tmp_path / "known.md").write_text("# Known\n\n[nowhere](nowhere.md), [no part](#none)\n")
    (tmp_path / "orphan.md").write_text("# Orphan\n")
    done = build(tmp_path, tmp_path / "site")
    assert done.returncode != 0
    orphan, *links = sorted(done.stderr.splitlines(), key=lambda line: "orphan.md" not in line)
    assert "orphan.md: WARNING: document isn't included" in orphan
    assert ["nowhere" in line or "none" in line for line in links] == [True, True]
