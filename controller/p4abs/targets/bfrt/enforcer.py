"""Who holds queues to their limits on a switch by BF Runtime (Enforcement of targets/traits.py)."""

from typing import Protocol, TypeVar

from p4abs.access.register_access import RegisterAccess
from p4abs.targets.bfrt.client import BfrtClient
from p4abs.targets.bfrt.tables import BfrtProgram, Layout
from p4abs.targets.target import TargetProgram


class BfrtInstalled(TargetProgram, Protocol):
    """The switch's program, with what an enforcer needs besides."""

    @property
    def name(self) -> str:
        """As the switch calls it."""


Installed = TypeVar("Installed", bound=BfrtInstalled)


class Enforcer(Protocol[Installed]):
    """One way to enforce limits; `layout` is of the programs that it takes."""

    layout: Layout

    async def program(self, client: BfrtClient, program: BfrtProgram) -> Installed:
        """The program with what this takes. Raises RpcError, and MissingObjects for what is not
        there."""

    def access(self, client: BfrtClient, program: Installed) -> RegisterAccess:
        """Its limits and counts."""
