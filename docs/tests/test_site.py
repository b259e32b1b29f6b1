"""The site: builds without a warning and without a network, and reaches every page."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from docs.tests.mentions import ROOT

_ELSEWHERE = re.compile(r"<(?:script|img|iframe|link)\b[^>]*(?:src|href)=\"(?:https?:)?//")
_IMPORT = re.compile(r"@import|url\(\s*[\"']?(?:https?:)?//")


def build(source: Path, site: Path) -> subprocess.CompletedProcess[str]:
    options = ["--quiet", "--fail-on-warning", "--keep-going", "-c", "docs/site"]
    command = [sys.executable, "-m", "sphinx", *options, str(source), str(site)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = build(ROOT / "docs", folder)
    assert (done.returncode, done.stderr) == (0, "")
    return folder


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    pages = [*site.rglob("*.html")]
    assert len(pages) > 40
    assert [page for page in pages if _ELSEWHERE.search(page.read_text())] == []
    assert [style for style in site.rglob("*.css") if _IMPORT.search(style.read_text())] == []


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
