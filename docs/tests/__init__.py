"""The documents are tested: README.md and what stands in docs.

- `blocks`: what a document holds: code blocks with their markers, inline code, links.
- `session`: commands of one block, run in a folder and a network namespace of their own.
- `workshop`: the files that commands name.
- `mentions`: whether options, make targets and paths that are mentioned exist.

A code block is run, unless an HTML comment before it says why not, such as

    <!-- not run: root -->

with a reason of `blocks.REASONS`. What a line starting with `$ ` shows below itself is compared.
"""
