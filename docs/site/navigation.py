"""The navigation is what index pages list: the links of their lists, under their headings."""

import re
from collections.abc import Iterator

_HEADING = re.compile(r"#+ (?P<caption>.+)")
_ITEM = re.compile(r"- \[(?P<title>[^]]+)\]\((?P<page>[^)#:]+)\.md\)")
_TABLE = "\n```{{toctree}}\n:hidden:\n:caption: {}\n\n{}\n```\n"


def navigation(source: str) -> str:
    """Hidden tables of contents, one for each heading of an index page that lists pages."""
    parts = (_TABLE.format(caption, "\n".join(entries)) for caption, entries in _parts(source))
    return "".join(parts)


def _parts(source: str) -> Iterator[tuple[str, list[str]]]:
    """Headings with the entries below them."""
    caption = ""
    entries: list[str] = []
    for line in source.splitlines():
        if heading := _HEADING.match(line):
            if entries:
                yield caption, entries
            caption, entries = heading["caption"], []
        elif item := _ITEM.match(line):
            entries.append(f"{item['title']} <{item['page']}>")
    if entries:
        yield caption, entries
