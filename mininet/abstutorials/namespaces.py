"""Namespaces in which a lab is alone."""

from p4abs_switch.testbed.process import ENDS_WITH_PARENT

ALONE = (
    *ENDS_WITH_PARENT,
    *("unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"),
)
"""Before a command, which ends with who started it, and with it all that it leaves behind."""
