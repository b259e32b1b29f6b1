"""Sphinx's configuration of the site: `make docs`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

project = "ABS on P4"
root_doc = "index"
extensions = ["myst_parser", "docs.site.extension"]
exclude_patterns = ["tutorials/*/**", "monitoring/**", "results/*/**", "site/**", "tests/**"]

myst_enable_extensions = ["html_image"]
myst_heading_anchors = 4
highlight_language = "text"
smartquotes = False

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["tables.css"]
html_title = project
html_copy_source = False
html_show_copyright = False
html_use_index = False
