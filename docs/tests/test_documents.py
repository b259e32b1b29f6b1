"""What README.md and docs say can be done can be done: code runs, what is mentioned exists."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from p4abs.config import load_settings, read_toml

from docs.tests.blocks import (
    Block,
    DocumentError,
    Span,
    anchors,
    code_blocks,
    inline_code,
    relative_links,
)
from docs.tests.mentions import ROOT, wrong_command, wrong_span
from docs.tests.session import CommandFailed, Session
from docs.tests.workshop import furnish

DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CHANGELOG.md")),
    *sorted(path for path in (ROOT / "docs").rglob("*.md") if "results" not in path.parts),
]
READ_BY_CHECKS = ("layers", "families")  # `python -m checks` reads these blocks
BLOCKS = [block for document in DOCUMENTS for block in code_blocks(document)]


def place(of: Block | Span) -> str:
    return f"{of.place.document.relative_to(ROOT)}:{of.place.line}"


@pytest.mark.parametrize("block", BLOCKS, ids=place)
def test_a_code_block_does_what_it_shows(block: Block, tmp_path: Path) -> None:
    if block.not_run is not None or block.language in READ_BY_CHECKS:
        check_commands_unrun(block)
    else:
        run(block, tmp_path)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_is_mentioned_exists(document: Path) -> None:
    wrong = [
        f"{place(span)}: {span.text}: {problem}"
        for span in inline_code(document)
        if (problem := wrong_span(span.text, document)) is not None
    ]
    wrong += [
        f"{place(link)}: there is no {link.text}"
        for link in relative_links(document)
        if not leads_somewhere(document, *link.text.partition("#")[::2])
    ]
    assert wrong == []


def leads_somewhere(document: Path, path: str, anchor: str) -> bool:
    """Anchors of the site's pages are its build's to look at: some headings are generated."""
    target = document.parent / path if path else document
    if anchor and document.parent == ROOT:
        return anchor in anchors(target)
    return target.exists()


def run(block: Block, folder: Path) -> None:
    """Raises DocumentError with file and line."""
    furnish(folder)
    try:
        if block.language == "python":
            exec(compile(block.text, str(block.place), "exec"), {"__name__": "__main__"})
        elif block.language == "toml":
            (folder / "block.toml").write_text(block.text)
            load_settings(read_toml(folder / "block.toml"), {}, [], None)
        elif block.language in ("", "console"):
            run_commands(block, folder)
        else:
            raise DocumentError(f"nothing runs blocks of {block.language}")
    except Exception as error:
        raise DocumentError(f"{block.place}: {type(error).__name__}: {error}") from error


def run_commands(block: Block, folder: Path) -> None:
    """`p4abs` for real, `make` only as far as its targets and variables exist. The session has
    the rights that `sudo` gives."""
    with Session(folder) as session:
        for typed, shown in commands(block.text):
            words = typed[typed[0] == "sudo" :]
            if problem := wrong_command(words):
                raise CommandFailed(f"{shlex.join(words)}: {problem}")
            if words[0] == "p4abs":
                output = session.run(words)
                if shown and not is_shown(output, shown):
                    raise CommandFailed(f"{shlex.join(words)} says\n{output}")
            elif words[0] != "make":
                raise CommandFailed(
                    f"{words[0]}: only p4abs and make are run; other blocks need a marker"
                )


def is_shown(output: str, shown: str) -> bool:
    """Whether the output is what a document shows, `...` for anything."""
    pattern = ".*".join(re.escape(part) for part in shown.split("..."))
    return re.fullmatch(pattern, output, re.DOTALL) is not None


def commands(text: str) -> Iterator[tuple[list[str], str]]:
    """Commands with the output that is shown below them, which only lines with `$ ` have."""
    lines = text.splitlines(keepends=True)
    if not any(line.startswith("$ ") for line in lines):
        yield from ((words, "") for line in lines if (words := shlex.split(line, comments=True)))
        return
    if not lines[0].startswith("$ "):
        raise CommandFailed("output before the first command")
    for part in text.removeprefix("$ ").split("\n$ "):
        command, _, shown = part.partition("\n")
        yield shlex.split(command, comments=True), shown and shown.rstrip("\n") + "\n"


def check_commands_unrun(block: Block) -> None:
    """Commands of a block that is not run have at least their options and targets."""
    for line in block.text.splitlines():
        command = line.removeprefix("$ ").removeprefix("sudo ")
        if command != line or line.startswith(("p4abs ", "make ")):
            words = shlex.split(command, comments=True)
            if problem := wrong_command(words):
                raise DocumentError(f"{block.place}: {line}: {problem}")
