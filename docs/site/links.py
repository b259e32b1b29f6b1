"""Links to what is no page of the site: files are taken along, of folders only the text stays."""

from pathlib import Path

from docutils import nodes
from sphinx.addnodes import download_reference, pending_xref
from sphinx.transforms import SphinxTransform


class LinksElsewhere(SphinxTransform):
    """Resolves them before Sphinx misses their pages, and before it collects the files."""

    default_priority = 870

    def apply(self) -> None:
        for link in [*self.document.findall(download_reference)]:
            # Sphinx links a picture to its file by itself.
            if any(link.findall(nodes.image)):
                link.replace_self(link.children)
        for link in [*self.document.findall(pending_xref)]:
            if self._is_of_a_folder(link):
                link.replace_self(link.children)
            elif (file := self._left_out(link)) is not None:
                link.replace_self(_download(file, link))

    def _is_of_a_folder(self, link: pending_xref) -> bool:
        if link.get("refdomain") == "doc":
            return False  # a page, which may have a folder of the same name beside it
        page = Path(self.env.doc2path(self.env.current_document.docname))
        target: str = link["reftarget"]
        return (page.parent / target).is_dir()

    def _left_out(self, link: pending_xref) -> str | None:
        """The file of a page that the site leaves out."""
        page = link["reftarget"]
        if link.get("refdomain") != "doc" or page in self.env.found_docs:
            return None
        file = Path(self.env.srcdir, f"{page}.md")
        return f"/{page}.md" if file.is_file() else None


def _download(file: str, link: pending_xref) -> nodes.Element:
    about = {"reftarget": file, "refdoc": link["refdoc"], "reftype": "myst"}
    return download_reference("", "", *link.children, refdomain=None, refexplicit=True, **about)
