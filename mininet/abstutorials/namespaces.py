"""Namespaces in which a lab is alone."""

from p4abs_switch.testbed.process import ends_with_parent

_UNSHARE = ("unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")


def alone(*command: str) -> tuple[str, ...]:
    """The command, which ends with who started it, and with it all that it leaves behind."""
    return ends_with_parent((*_UNSHARE, *command))
