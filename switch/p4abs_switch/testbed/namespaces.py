"""Network namespaces: of this process, whose user becomes root there; of another process."""

import ctypes
import os
from pathlib import Path

from p4abs_switch.errors import UserError

_CLONE_NEWUSER = 0x10000000  # sched.h
_CLONE_NEWNET = 0x40000000
_NEEDED = (
    "run it as root, or let users make namespaces: sysctl kernel.unprivileged_userns_clone=1, "
    "on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0"
)


class NoNamespace(UserError):
    """Neither root nor a user can make a network namespace here; says what is needed."""


def enter_own() -> None:
    """Moves this process, which has one thread, to a network namespace of its own.

    Raises NoNamespace.
    """
    try:
        _enter_as_root() if os.geteuid() == 0 else _enter_as_user()
    except OSError as error:
        raise NoNamespace(f"no network namespace ({error.strerror}): {_NEEDED}") from None


def inside(pid: int) -> list[str]:
    """Runs a command in a process's network namespace; the command keeps its process id."""
    return ["nsenter", "--target", str(pid), "--net"]


def _enter_as_root() -> None:
    """Root of a container may have to become root of a namespace of users first."""
    try:
        _unshare(_CLONE_NEWNET)
    except PermissionError:
        _enter_as_user()


def _enter_as_user() -> None:
    """This user becomes root of a namespace of users, and so of its networks."""
    user, group = os.geteuid(), os.getegid()
    _unshare(_CLONE_NEWUSER | _CLONE_NEWNET)
    # user_namespaces(7): groups can be mapped once they cannot be dropped any more.
    for file, text in (
        ("setgroups", "deny"),
        ("uid_map", f"0 {user} 1"),
        ("gid_map", f"0 {group} 1"),
    ):
        Path("/proc/self", file).write_text(text)


def _unshare(flags: int) -> None:
    """unshare(2); Python has it from 3.12 on."""
    if ctypes.CDLL(None, use_errno=True).unshare(flags) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
