"""The files of a program that a switch starts with, and messages about files that cannot be
used."""

import logging
from pathlib import Path

from p4abs_switch import installed_programs
from p4abs_switch._engine import Device, EngineError, RequestRefused, Switch
from p4abs_switch.errors import one_line
from p4abs_switch.files import read_bytes, read_text
from p4abs_switch.not_programs import refused, unreadable
from p4abs_switch.p4info_text import InvalidP4Info, p4info_path, parse_p4info
from p4abs_switch.protobuf import p4r
from p4abs_switch.server.config import SwitchConfig
from p4abs_switch.server.errors import ProgramUnavailable

_LOG = logging.getLogger(__name__)


def load(device: Device, config: SwitchConfig) -> Path | None:
    """Lets the device run the config's program, if it has one.

    Returns the file of its P4Info; None where that is made of the JSON. Raises ProgramUnavailable.
    """
    program = config.program
    if program is None:
        return None
    try:
        json = read_bytes(program)
    except OSError as error:
        names = () if config.as_bmv2 else installed_programs.names()
        raise ProgramUnavailable(unreadable(program, error, names)) from error
    try:
        Switch.verify(json)
        p4info = config.p4info or _beside(program)
        if p4info is not None and _is_committed(device, json, p4info, must_be=not config.as_bmv2):
            return p4info
        run_without_p4info(device, json)
    except EngineError as error:
        raise ProgramUnavailable(refused(program, json, f"{program}: {error}")) from error
    except RequestRefused as error:
        raise ProgramUnavailable(f"{program}: {error.args[1]}") from error
    return None


def run_without_p4info(device: Device, json: bytes) -> None:
    """Replaces program and state by one that comes without a P4Info, as BMv2's own ways do.

    P4Runtime gets the P4Info that can be derived from the JSON. If none can, it has no config.
    Raises RequestRefused.
    """
    # Few programs come so, and the import takes long.
    from p4abs_switch.bmv2.derived_p4info import derive
    from p4abs_switch.errors import InputError

    try:
        p4info, reason = derive(json).SerializeToString(), None
    except InputError as error:
        p4info, reason = None, str(error)
    reason = device.run_without_p4info(json, p4info) or reason
    if reason is not None:
        _LOG.warning("P4Runtime cannot serve the program without a P4Info: it %s", reason)


def _beside(program: Path) -> Path | None:
    found = p4info_path(program)
    return found if found.exists() else None


def _is_committed(device: Device, json: bytes, p4info: Path, *, must_be: bool) -> bool:
    """Whether program and P4Info run. BMv2 never reads a P4Info. So a useless one is ignored when
    the switch takes BMv2's place; with `must_be` it raises ProgramUnavailable."""
    try:
        _commit(device, json, p4info)
    except (OSError, InvalidP4Info, UnicodeDecodeError, RequestRefused) as error:
        reason = _what_is_wrong(error)
        if must_be:
            raise ProgramUnavailable(f"{p4info}: {reason}") from error
        _LOG.warning("%s: ignored: %s", p4info, reason)
        return False
    return True


def _commit(device: Device, json: bytes, p4info: Path) -> None:
    config = p4r.ForwardingPipelineConfig(
        p4info=parse_p4info(read_text(p4info)), p4_device_config=json
    )
    device.commit(config.SerializeToString())


def _what_is_wrong(error: Exception) -> str:
    match error:
        case OSError():
            return str(error.strerror)
        case RequestRefused():
            return str(error.args[1])
        case UnicodeDecodeError():
            return "not text in UTF-8; p4c-bm2-ss writes text to a file named ...txtpb"
        case _:
            return f"not P4Info text: {one_line(str(error))}"
