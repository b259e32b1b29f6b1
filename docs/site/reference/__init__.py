"""The reference, made from what the code declares while the site is built.

A page names the part that it wants in a comment, `<!-- generated: metrics -->`, which a forge does
not show; the part's Markdown takes its place. What has no description ends the build by its name.
"""

from docs.site.reference.errors import Undescribed
from docs.site.reference.parts import UnknownPart, with_generated_parts

__all__ = ["Undescribed", "UnknownPart", "with_generated_parts"]
