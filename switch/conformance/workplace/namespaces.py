"""Namespaces in which a lab is alone."""

from p4abs_switch.errors import UserError
from p4abs_switch.testbed.network import NetworkError, check_rights_and_programs, remove_leftovers
from p4abs_switch.testbed.process import ends_with_parent

_UNSHARE = ("unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")


def prepare_networks() -> None:
    """Removes what crashed runs have left. Raises UserError where networks cannot be made."""
    try:
        check_rights_and_programs()
    except NetworkError as error:
        raise UserError(str(error)) from None
    remove_leftovers()


def alone(*command: str) -> tuple[str, ...]:
    """The command, which ends with who started it, and with it all that it leaves behind."""
    return ends_with_parent((*_UNSHARE, *command))
