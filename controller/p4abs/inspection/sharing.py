"""Whether queues share memory in the data plane as is configured."""

from p4abs.access.program import Program
from p4abs.access.reading import ReadOnlyConnection
from p4abs.access.rpc_error import RpcError
from p4abs.access.sharing import MemoryReader, Sharing
from p4abs.config import SwitchSettings
from p4abs.inspection.findings import NO_PROGRAM, Finding, Outcome
from p4abs.session.requirements import sharing_unsupported
from p4abs.sharing import sharing_of
from p4abs.units import format_size


async def check_sharing(
    connection: ReadOnlyConnection, program: Program, is_installed: bool, settings: SwitchSettings
) -> list[Finding]:
    """Nothing where the program cannot and need not."""
    capabilities = program.capabilities()
    if unsupported := sharing_unsupported(capabilities, settings):
        return [_found(Outcome.DIFFERS, unsupported.partition(": ")[2])]
    if capabilities.sharing_unsupported:
        return []
    if not is_installed:
        return [_found(Outcome.NOT_CHECKED, NO_PROGRAM)]
    try:
        present = await MemoryReader(connection, program.p4info).read()
    except RpcError as error:
        return [_found(Outcome.DIFFERS, str(error))]
    wanted = sharing_of(settings)
    if (present.memory_bytes, present.ports) == (wanted.memory_bytes, wanted.ports):
        return [_found(Outcome.OK, f"{_told(present)}, as configured")]
    if not present.memory_bytes:
        return [_found(Outcome.NOT_CHECKED, "no controller has set it yet")]
    return [_difference(present, wanted)]


def _difference(present: Sharing, wanted: Sharing) -> Finding:
    if present.memory_bytes != wanted.memory_bytes:
        text = f"{_told(present)}, but {_told(wanted)} in the configuration"
        return _found(Outcome.DIFFERS, text)
    numbers = present.ports.keys() | wanted.ports.keys()
    others = sorted(n for n in numbers if present.ports.get(n) != wanted.ports.get(n))
    return _found(Outcome.DIFFERS, "shares otherwise than configured", *others)


def _told(sharing: Sharing) -> str:
    if not sharing.memory_bytes:
        return "no thresholds"
    return f"thresholds on {format_size(sharing.memory_bytes)}"


def _found(outcome: Outcome, text: str, *ports: int) -> Finding:
    return Finding(outcome, "memory-sharing", text, ports)
