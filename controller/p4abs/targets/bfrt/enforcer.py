"""Who holds queues to their limits on a switch by BF Runtime (Enforcement of targets/traits.py)."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Protocol

from p4abs.access.register_access import RegisterAccess
from p4abs.targets.bfrt.client import BfrtClient
from p4abs.targets.bfrt.tables import BfrtProgram, Layout
from p4abs.targets.target import TargetProgram


class BfrtInstalled(TargetProgram, Protocol):
    """The switch's program, with what an enforcer needs besides."""

    @property
    def name(self) -> str:
        """As the switch calls it."""


@dataclass(frozen=True)
class Enforcer:
    """One way to enforce limits.

    layout: of the programs that it takes. program: the program with what `access` takes, a
    BfrtInstalled; raises RpcError, and MissingObjects for what is not there. access: its limits and
    counts.
    """

    layout: Layout
    program: Callable[[BfrtClient, BfrtProgram], Awaitable[Any]]
    access: Callable[[BfrtClient, Any], RegisterAccess]
