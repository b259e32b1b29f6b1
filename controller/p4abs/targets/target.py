"""The one interface behind which all kinds of switches stand.

A target knows how to load its programs, how to reach a switch - by a session, which may change it,
or by a reader, which may not - and what is in a switch that is reached. All targets are used in the
same way (p4abs/session, p4abs/inspection).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Generic, Protocol, Self, TypeVar

from p4abs.access.capabilities import Capabilities
from p4abs.access.connection import Role
from p4abs.access.discovery import Discovered, RegisterPath
from p4abs.access.election import Election
from p4abs.access.tables import MemoryTables, PacketInMeter, SelectionTable
from p4abs.access.tls import TlsFiles


class TargetProgram(Protocol):
    """A compiled program of a target."""

    @property
    def cookie(self) -> int:
        """Identifies it on the switch."""

    def capabilities(self) -> Capabilities:
        """What it can do for ports. Raises MissingObjects."""


Program = TypeVar("Program", bound=TargetProgram)
Pushed = TypeVar("Pushed", bound=TargetProgram, contravariant=True)
Reader = TypeVar("Reader", bound=AbstractAsyncContextManager[Any])


class Session(Protocol[Pushed]):
    """An open session, used as `async with`, whose client may change the switch while its role is
    that of the primary.

    Entering raises RpcError when the switch does not answer or refuses. See
    access/connection.py, whose election other kinds of sessions may not have.
    """

    async def __aenter__(self) -> Self: ...

    async def __aexit__(self, *_error: object) -> None: ...

    role: Role
    primary_id: int | None

    async def until(self, condition: Callable[[], bool]) -> None:
        """Waits for what depends on the role. Raises RpcError when the connection is lost."""

    async def watch(self) -> None:
        """Returns never: raises PrimacyLost or, when the connection is lost, RpcError."""

    async def hand_over(self, patience_s: float) -> bool:
        """Steps down; whether another controller has become primary. If none has, this one is."""

    async def push(self, program: Pushed) -> None:
        """Replaces the switch's program; its tables and registers start empty. Raises RpcError."""

    def claim(self, program: Pushed) -> None:
        """Takes the rights that the installed program gives the session's P4Runtime role.

        Raises MissingObjects when there are none.
        """


Client = TypeVar("Client", bound=Session[Any])


class Target(ABC, Generic[Program, Reader, Client]):
    """A kind of switch. Its sessions are readers, too."""

    def require(self) -> None:
        """Raises UserError when this machine lacks something that it takes."""

    @abstractmethod
    def load(self, name: str) -> Program:
        """The program to push that push-pipeline names. Raises ProgramError and MissingObjects."""

    @abstractmethod
    def session(
        self, address: str, device_id: int, election: Election, tls: TlsFiles | None
    ) -> Client:
        """A session, to be entered."""

    @abstractmethod
    def reader(self, address: str, device_id: int, tls: TlsFiles | None) -> Reader:
        """What asks a switch, to be entered; nobody loses the switch to it."""

    @abstractmethod
    async def installed(self, reader: Reader) -> tuple[Program | None, int]:
        """The switch's program and its cookie; (None, 0): it has none.

        Raises RpcError, ExchangeTimeout, and MissingObjects for a program unknown to ABS.
        """

    async def with_ports(self, reader: Reader | Client, program: Program) -> Program:
        """The program with what only the switch tells of its ports. Raises RpcError."""
        return program

    @abstractmethod
    async def registers(
        self, session: Client, program: Program, ports: Sequence[int], wanted: RegisterPath
    ) -> Discovered:
        """How the installed program's registers are reached, tried by reading those of the ports.

        Raises RpcError, ExchangeTimeout and MissingObjects.
        """

    def memory_tables(self, session: Client, program: Program) -> MemoryTables | None:
        """How the installed program lets queues share memory; None: it does not."""
        return None

    def queue_table(self, session: Client, program: Program) -> SelectionTable | None:
        """By which the installed program gives packets their queues; None: it has none."""
        return None

    def packet_in_meter(self, session: Client, program: Program) -> PacketInMeter | None:
        """By which the installed program limits packets to controllers, so that they cannot crowd
        out the mailbox; None: it has none, or there is no mailbox."""
        return None
