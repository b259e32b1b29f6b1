"""Whether packets take the queues that their code points are configured for."""

from collections.abc import Iterator

from p4abs.access.program import Program
from p4abs.access.reading import ReadOnlyConnection
from p4abs.access.rpc_error import RpcError
from p4abs.access.tables import Selection, SelectionReader
from p4abs.config import SwitchSettings
from p4abs.inspection.findings import NO_PROGRAM, Finding, Outcome
from p4abs.queues import QueueAddress
from p4abs.session.selection import selection_of


async def check_selection(
    reader: ReadOnlyConnection, program: Program, is_installed: bool, settings: SwitchSettings
) -> list[Finding]:
    """Nothing if no code points are configured, or the program cannot select queues by them."""
    wanted = selection_of(settings)
    if not wanted or program.capabilities().selection_unsupported:
        return []
    if not is_installed:
        return [Finding(Outcome.NOT_CHECKED, "dscp", NO_PROGRAM)]
    try:
        present = await SelectionReader(reader, program.p4info).read()
    except RpcError as error:
        return [Finding(Outcome.DIFFERS, "dscp", str(error))]
    return [*_of_queues(settings, wanted, present)]


def _of_queues(
    settings: SwitchSettings, wanted: Selection, present: Selection
) -> Iterator[Finding]:
    for port in settings.port:
        own = [at for at, queue in wanted.items() if QueueAddress(at.port, queue) == port.address]
        others = [at for at in own if present.get(at) not in (None, wanted[at])]
        if others:
            text = f"code point {others[0].code_point} takes queue {present[others[0]]}"
            yield Finding(Outcome.DIFFERS, "dscp", text, (port.index,))
        elif any(at not in present for at in own):
            text = "no controller has written all entries yet"
            yield Finding(Outcome.NOT_CHECKED, "dscp", text, (port.index,))
        elif own:
            yield Finding(Outcome.OK, "dscp", "the entries are as configured", (port.index,))
