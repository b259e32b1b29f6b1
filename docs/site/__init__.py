"""The site that Sphinx makes of docs/: pages stay readable on a forge, without Sphinx.

- `conf`: Sphinx's configuration.
- `extension`: what Sphinx calls while it reads a page.
- `navigation`: the lists of links on index pages are the site's navigation.
- `links`: those to what is no page.
- `reference`: what pages of reference take from the code's own declarations.
"""
