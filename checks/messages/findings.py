"""Messages that the sources and the lists do not share."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from checks.errors import SourceError
from checks.messages.houses import HOUSES, House
from checks.messages.listing import Messages, parse
from checks.messages.sites import Site, error_classes, read_trees, sites_in


def find_unlisted_messages(root: Path) -> Iterator[str]:
    """A line for each message without a listed one, and for each that no source says any more.

    Raises `SourceError`.
    """
    for house in HOUSES:
        if (root / house.package).is_dir():
            yield from _compare(root, house)


def sites_of(root: Path, package: Path) -> dict[Path, list[Site]]:
    """Source -> where it makes errors; raises `SourceError`."""
    trees = read_trees(root, package)
    errors = error_classes(trees)
    return {path: list(sites_in(path, tree, errors)) for path, tree in trees.items()}


def agreed(sites: Iterable[Site], messages: Iterable[str]) -> frozenset[str]:
    """The messages that one of the sites can say."""
    every = list(sites)
    return frozenset(line for line in messages if any(site.can_say(line) for site in every))


def _compare(root: Path, house: House) -> Iterator[str]:
    listed = _read(root / house.messages)
    sites = sites_of(root, house.package)
    for path, its in sites.items():
        lines = listed.get(path, frozenset())
        for site in its:
            if not site.says_nothing and not any(map(site.can_say, lines)):
                yield f"{site}: not in {house.messages}; cause it in a test, then: {house.update}"
        for line in sorted(lines - agreed(its, lines)):
            yield f"{house.messages}: {path} does not say {line!r}; then: {house.update}"
    for path in sorted(listed.keys() - sites.keys()):
        yield f"{house.messages}: there is no {path}; then: {house.update}"


def _read(path: Path) -> Messages:
    try:
        return parse(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror}") from None
