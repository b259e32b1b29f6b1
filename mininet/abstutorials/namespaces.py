"""Namespaces in which a lab is alone."""

ALONE = ("unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")
"""Before a command: nothing that it leaves behind outlives this first process of its namespace."""
