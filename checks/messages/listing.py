"""The text that lists a house's messages: a section for each source, a line for each message."""

import re
from collections.abc import Mapping
from pathlib import Path

Messages = Mapping[Path, frozenset[str]]

_HEAD = """\
# Every message that a user can cause, under the source that says it. `python -m checks` compares
# this list with the sources. Tests write it: {update}
# "made elsewhere: " begins one whose text the source passes on, as of another error.
"""


def parse(text: str) -> dict[Path, frozenset[str]]:
    """Source -> its messages."""
    found: dict[Path, set[str]] = {}
    section: set[str] = set()
    for line in text.splitlines():
        if line.startswith("## "):
            section = found.setdefault(Path(line[3:]), set())
        elif line and not line.startswith("# "):
            section.add(line)
    return {path: frozenset(lines) for path, lines in found.items()}


def format_listing(messages: Messages, update: str) -> str:
    """The text, which `parse` reads."""
    sections = (
        "\n".join([f"## {path}", *sorted(lines)])
        for path, lines in sorted(messages.items())
        if lines
    )
    return _HEAD.format(update=update) + "".join(f"\n{section}\n" for section in sections)


def normalized(message: str, root: Path) -> str:
    """In one line, without what differs from run to run: folders of tests, ports that were free."""
    line = " ".join(message.encode(errors="backslashreplace").decode().split())
    folder = r"[\w.\[\]-]+/"
    line = re.sub(rf"/tmp/(pytest-of-\w+/pytest-\d+/({folder})?|{folder})", "", line)
    line = line.replace(f"{root}/", "")
    return re.sub(r"\b(127\.0\.0\.1|localhost|::1\]):\d{4,5}\b", r"\1:9559", line)
