"""The documents' own rules: what breaks them is told with file and line."""

from pathlib import Path

import pytest

from docs.tests.blocks import DocumentError, code_blocks
from docs.tests.mentions import ROOT, wrong_command, wrong_span
from docs.tests.test_documents import run


@pytest.fixture
def document(tmp_path: Path) -> Path:
    return tmp_path / "page.md"


def run_all(document: Path, tmp_path: Path) -> None:
    for number, block in enumerate(code_blocks(document)):
        folder = tmp_path / str(number)
        folder.mkdir()
        run(block, folder)


def test_fenced_and_indented_blocks_are_found_with_their_lines(document: Path) -> None:
    document.write_text("text\n\n    indented\n\n```python\nfenced = 1\n```\n")
    assert [(b.place.line, b.language, b.text) for b in code_blocks(document)] == [
        (3, "", "indented\n"),
        (5, "python", "fenced = 1\n"),
    ]


def test_a_marker_holds_for_the_next_block_only(document: Path) -> None:
    document.write_text("<!-- not run: root -->\n\n    one\n\ntext\n\n    two\n")
    assert [block.not_run for block in code_blocks(document)] == ["root", None]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (
            "\n<!-- not run: lazy -->\n\n    x\n",
            "page.md:2: .*lazy.*root, minutes, network, bmv2",
        ),
        ("<!-- not-run: root -->\n\n    x\n", "page.md:1: .*no marker"),
        ("<!-- not run: root -->\n\ntext\n", "page.md:1: no code block follows"),
        ("text\n\n<!-- not run: root -->\n", "page.md:3: no code block follows"),
    ],
)
def test_a_wrong_marker_is_told_with_its_line(document: Path, text: str, named: str) -> None:
    document.write_text(text)
    with pytest.raises(DocumentError, match=named):
        code_blocks(document)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("    ls\n", "page.md:1: .*ls: only p4abs and make"),
        ("```perl\nx\n```\n", "page.md:1: .*nothing runs blocks of perl"),
        ("text\n\n```python\nassert 1 == 2\n```\n", "page.md:3: AssertionError"),
        ("```toml\n[switch]\ndevice = 1\n```\n", "page.md:1: .*device"),
        ("    make nothing-of-the-kind\n", "page.md:1: .*nothing-of-the-kind"),
        ("    make demo FLOW=3\n", "page.md:1: .*no variable FLOW"),
        ("    p4abs switch --colour blue\n", "page.md:1: .*no option --colour"),
        ("    p4abs fly\n", "page.md:1: .*no command fly; it has .*switch"),
        ("    sudo p4abs fly\n", "page.md:1: .*no command fly"),
        ("<!-- not run: root -->\n\n    sudo p4abs fly\n", "page.md:3: .*no command fly"),
        ("    p4abs stf router.json nothing.stf\n", "page.md:1: .*nothing.stf"),
        ("    p4abs switch -i 1@veth1 nothing.json\n", "page.md:1: .*nothing.json"),
        ("    $ p4abs --version\n    p4abs 0.0.0\n", "page.md:1: .*says"),
    ],
)
def test_a_block_that_does_not_work_is_told_with_its_line(
    document: Path, tmp_path: Path, text: str, named: str
) -> None:
    document.write_text(text)
    with pytest.raises(DocumentError, match=f"(?s){named}"):
        run_all(document, tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "```python\nprint(1)\n```\n",
        '```toml\n[[port]]\nnumber = 2\ncapacity = "10Mbit"\n```\n',
        "    $ p4abs --version\n    p4abs ...\n",
        "    p4abs switch -i 1@veth1 queue\n    p4abs control --port 1,capacity=1Mbit\n",
        "    make demo FLOWS=4 CC=cubic   # fewer\n",
    ],
)
def test_a_block_that_works_is_run(document: Path, tmp_path: Path, text: str) -> None:
    document.write_text(text)
    run_all(document, tmp_path)


@pytest.mark.parametrize(
    ("mentioned", "problem"),
    [
        ("make ptf TARGET=bmv2", None),
        ("make nothing-of-the-kind", "nothing-of-the-kind"),
        ("FLOWS=3 make nothing-of-the-kind", "nothing-of-the-kind"),
        ("p4abs control --policy bdp", None),
        ("p4abs control --colour", "--colour"),
        ("--trace-format", None),
        ("--colour", "--colour"),
        ("p4abs/files.py", None),
        ("p4abs/filed.py", "no p4abs/filed.py"),
        ("veth0", None),
    ],
)
def test_what_is_mentioned_must_exist(mentioned: str, problem: str | None) -> None:
    found = wrong_span(mentioned, ROOT / "README.md")
    assert found is None if problem is None else problem in str(found)


def test_placeholders_in_brackets_are_no_options() -> None:
    assert wrong_command(["p4abs", "switch", "[--tls-key", "KEY]"]) is None
