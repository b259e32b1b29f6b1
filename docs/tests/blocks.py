"""What a document holds: code blocks with their markers, inline code, links."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

# Why a block is not run.
REASONS = {
    "root": "changes the machine it runs on",
    "minutes": "takes minutes",
    "network": "fetches packages",
    "bmv2": "needs BMv2",
    "p4c": "needs the compiler",
    "sde": "needs the SDE of a Tofino",
    "picture": "shows something that is no code",
}
_COMMENT = re.compile(r"<!--\s*(.*?)\s*-->", re.DOTALL)
_MARKER = re.compile(r"not run:\s*(\S.*)")


class DocumentError(Exception):
    """A document breaks the rules of its blocks; names file and line."""


@dataclass(frozen=True)
class Place:
    """Where something stands."""

    document: Path
    line: int

    def __str__(self) -> str:
        return f"{self.document}:{self.line}"


@dataclass(frozen=True)
class Block:
    """A code block, fenced or indented.

    language: the fence's first word; empty where there is none.
    not_run: the marker's reason; None: it is to be run.
    """

    place: Place
    language: str
    text: str
    not_run: str | None


@dataclass(frozen=True)
class Span:
    """Inline code, or a link's target."""

    place: Place
    text: str


def _tokens(document: Path) -> list[Token]:
    return MarkdownIt("commonmark").enable("table").parse(document.read_text())


def code_blocks(document: Path) -> list[Block]:
    """In their order. Raises DocumentError at a marker that is none, or that marks nothing."""
    found: list[Block] = []
    marker: tuple[Place, str] | None = None
    for token in _tokens(document):
        place = Place(document, (token.map or [0])[0] + 1)
        if token.type in ("fence", "code_block"):
            reason = None if marker is None else _reason(*marker)
            language = (token.info.split() or [""])[0]
            found.append(Block(place, language, token.content, reason))
            marker = None
        elif marker is not None and _MARKER.match(marker[1]):
            raise DocumentError(f"{marker[0]}: no code block follows <!-- {marker[1]} -->")
        else:
            comment = _COMMENT.match(token.content) if token.type == "html_block" else None
            marker = (place, comment[1]) if comment else None
    if marker is not None and _MARKER.match(marker[1]):
        raise DocumentError(f"{marker[0]}: no code block follows <!-- {marker[1]} -->")
    return found


def _reason(place: Place, comment: str) -> str:
    found = _MARKER.fullmatch(comment)
    if found is None or found[1] not in REASONS:
        valid = ", ".join(REASONS)
        raise DocumentError(
            f"{place}: <!-- {comment} --> is no marker of a code block: valid is "
            f"<!-- not run: REASON --> with one of the reasons {valid}"
        )
    return found[1]


def inline_code(document: Path) -> list[Span]:
    """All of it, tables included."""
    return [
        Span(place, child.content)
        for place, child in _inline(document)
        if child.type == "code_inline"
    ]


def relative_links(document: Path) -> list[Span]:
    """What links and pictures point to in this repository, with the fragment."""
    attributes = {"link_open": "href", "image": "src"}
    targets = (
        Span(place, str(child.attrs[attributes[child.type]]))
        for place, child in _inline(document)
        if child.type in attributes
    )
    return [span for span in targets if "://" not in span.text]


def anchors(document: Path) -> set[str]:
    """Of the headings, as a forge makes them."""
    tokens = pairwise(_tokens(document))
    titles = (title.content for head, title in tokens if head.type == "heading_open")
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def _inline(document: Path) -> Iterator[tuple[Place, Token]]:
    for token in _tokens(document):
        children: Sequence[Token] = token.children or ()
        place = Place(document, (token.map or [0])[0] + 1)
        for child in children:
            yield place, child
