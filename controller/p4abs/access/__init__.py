"""How the controller reads and writes a port's registers on a P4Runtime target."""

from p4abs.access.connection import Connection, PrimacyLost, Role
from p4abs.access.discovery import RegisterPath, discover
from p4abs.access.mailbox import MailboxAccess
from p4abs.access.program import MissingObjects, Program, ProgramError, load_program, program_path
from p4abs.access.register_access import ExchangeTimeout, RegisterAccess
from p4abs.access.register_entry import RegisterEntryAccess
from p4abs.access.rpc_error import RpcError
from p4abs.access.snapshot import Snapshot
from p4abs.access.tls import TlsError, TlsFiles

__all__ = [
    "Connection",
    "ExchangeTimeout",
    "MailboxAccess",
    "MissingObjects",
    "PrimacyLost",
    "Program",
    "ProgramError",
    "RegisterAccess",
    "RegisterEntryAccess",
    "RegisterPath",
    "Role",
    "RpcError",
    "Snapshot",
    "TlsError",
    "TlsFiles",
    "discover",
    "load_program",
    "program_path",
]
