"""What Sphinx calls while it reads pages."""

from typing import Any

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

from docs.site.links import LinksElsewhere
from docs.site.navigation import navigation
from docs.site.reference import with_generated_parts

# Blocks that `python -m checks` reads.
_LANGUAGES = ("layers", "families")


def setup(app: Sphinx) -> dict[str, Any]:
    for language in _LANGUAGES:
        app.add_lexer(language, TextLexer)
    app.add_transform(LinksElsewhere)
    app.connect("source-read", _complete)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _complete(_app: Sphinx, page: str, source: list[str]) -> None:
    source[0] = with_generated_parts(source[0])
    if page.rpartition("/")[2] in ("index", "README"):
        source[0] += navigation(source[0])
