"""Which settings may change under control."""

from p4abs.config import SwitchSettings
from p4abs.errors import UserError

_OF_SWITCH = ("memory", "port")
_NOT_OF_PORT = ("number", "capacity", "utilization_from")
_ANEW = "cannot change under control: end the controller and start it anew"


def check_adoptable(before: SwitchSettings, after: SwitchSettings) -> None:
    """Raises UserError that names a key which cannot change."""
    for key in SwitchSettings.model_fields:
        if key not in _OF_SWITCH and getattr(before, key) != getattr(after, key):
            raise UserError(f"{_kebab(key)} {_ANEW}")
    old = {port.number: port for port in before.port}
    added_or_gone = sorted(old.keys() ^ {port.number for port in after.port})
    if added_or_gone:
        raise UserError(f"which ports there are {_ANEW} (port {added_or_gone[0]})")
    for port in after.port:
        for key in _NOT_OF_PORT:
            if getattr(old[port.number], key) != getattr(port, key):
                raise UserError(f"port {port.number}: {_kebab(key)} {_ANEW}")


def _kebab(name: str) -> str:
    return name.replace("_", "-")
