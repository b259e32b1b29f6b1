"""BMv2's Thrift services: their clients, and values in their form.

BMv2 installs the bindings for Python beside its programs, so they are found by the program.
"""

import importlib
import shutil
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from p4abs_switch import bytestring
from p4abs_switch._engine import EngineError
from p4abs_switch.bmv2.names import Action
from p4abs_switch.engine_types import Match
from p4abs_switch.testbed.simple_switch import PROGRAM

_CALL_TIMEOUT_MS = 10_000


class Bmv2Error(EngineError):
    """BMv2 refused something; the message says what."""


class Bmv2Died(Exception):
    """BMv2 ended or hangs, as on a parser that loops; it has to be started again."""


def installed() -> bool:
    """Whether BMv2 and its Thrift bindings are there."""
    if shutil.which(PROGRAM) is None:
        return False
    with suppress(ImportError):
        module("bm_runtime.standard.Standard")
        return True
    return False


def connect(port: int) -> tuple[Any, ...]:
    """Clients of the Thrift services of a switch that listens. Raises Bmv2Died."""
    socket = module("thrift.transport.TSocket").TSocket("127.0.0.1", port)
    socket.setTimeout(_CALL_TIMEOUT_MS)
    transport = module("thrift.transport.TTransport").TBufferedTransport(socket)
    protocol = module("thrift.protocol.TBinaryProtocol").TBinaryProtocol(transport)
    multiplexed = module("thrift.protocol.TMultiplexedProtocol").TMultiplexedProtocol
    try:
        transport.open()
    except module("thrift.transport.TTransport").TTransportException as error:
        raise Bmv2Died(f"{PROGRAM} does not answer over Thrift: {error}") from None
    services = (
        ("standard", "bm_runtime.standard.Standard"),
        ("simple_pre_lag", "bm_runtime.simple_pre_lag.SimplePreLAG"),
        ("simple_switch", "sswitch_runtime.SimpleSwitch"),
    )
    return tuple(module(path).Client(multiplexed(protocol, name)) for name, path in services)


def module(name: str) -> Any:
    """A module of BMv2's installation, which lies beside its programs."""
    program = shutil.which(PROGRAM)
    if program is not None:
        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        packages = str(Path(program).parent.parent / "lib" / version / "site-packages")
        if packages not in sys.path:
            sys.path.append(packages)
    return importlib.import_module(name)


def match_param(ttypes: Any, part: Match, width_bits: int) -> Any:
    kind = ttypes.BmMatchParamType
    match part:
        case ("exact", value):
            exact = ttypes.BmMatchParamExact(_fill(value, width_bits))
            return ttypes.BmMatchParam(kind.EXACT, exact=exact)
        case ("lpm", value, length):
            prefix = ttypes.BmMatchParamLPM(_fill(value, width_bits), length)
            return ttypes.BmMatchParam(kind.LPM, lpm=prefix)
        case ("ternary", value, mask):
            ternary = ttypes.BmMatchParamTernary(_fill(value, width_bits), _fill(mask, width_bits))
            return ttypes.BmMatchParam(kind.TERNARY, ternary=ternary)
        case ("range", low, high):
            limits = ttypes.BmMatchParamRange(_fill(low, width_bits), _fill(high, width_bits))
            return ttypes.BmMatchParam(kind.RANGE, range=limits)
    raise Bmv2Error(f"a match of kind {part[0]} has no form in Thrift")


def filled(action: Action, arguments: Sequence[bytes]) -> list[bytes]:
    widths = action.parameters.values()
    return [_fill(value, width) for value, width in zip(arguments, widths, strict=True)]


def _fill(value: bytes, width_bits: int) -> bytes:
    """BMv2 wants all bytes of a field. Raises Bmv2Error when a value has bits above it."""
    if int.from_bytes(value, "big") >> width_bits:
        raise Bmv2Error(f"{value.hex()} does not fit {width_bits} bits")
    return bytestring.filled(value, width_bits)
