"""Whether the register path answers, tried by one exchange as the primary controller."""

from typing import Any

from p4abs.access.connection import Role
from p4abs.access.election import FixedElection
from p4abs.access.program import MissingObjects
from p4abs.access.register_access import ExchangeTimeout
from p4abs.access.rpc_error import RpcError
from p4abs.clock import Clock
from p4abs.config import SwitchSettings
from p4abs.inspection.findings import Finding, Outcome
from p4abs.targets import target_of
from p4abs.units import format_duration

# The lowest there is: it outbids no controller.
_ELECTION_ID = 1
_OTHER = "another controller is primary, which tries it all the time"


async def try_exchange(settings: SwitchSettings, program: Any, clock: Clock) -> Finding:
    """Reads all ports once; a switch that another controller has stays with it. Raises TlsError."""
    target = target_of(settings.target, settings.enforcement)
    numbers = [port.number for port in settings.port]
    session = target.session(
        settings.grpc_addr, settings.device_id, FixedElection(_ELECTION_ID), settings.tls
    )
    try:
        async with session:
            if session.role is not Role.PRIMARY:
                return _found(Outcome.NOT_CHECKED, _OTHER)
            begun_s = clock.now_s()
            access, read = await session.registers(program, numbers, settings.register_path)
            took = format_duration(clock.now_s() - begun_s)
    except (RpcError, ExchangeTimeout, MissingObjects) as error:
        if isinstance(error, RpcError) and error.is_election_id_used:
            return _found(Outcome.NOT_CHECKED, _OTHER)
        return _found(Outcome.DIFFERS, str(error))
    if read.failures:
        return _found(Outcome.DIFFERS, "; ".join(map(str, read.failures.values())))
    return _found(
        Outcome.OK,
        f"{access.path} answers for all ports, the first time after {took}; written was nothing "
        "but the numbers of measuring windows, on which no packet depends",
    )


def _found(outcome: Outcome, text: str) -> Finding:
    return Finding(outcome, "exchange", text)
