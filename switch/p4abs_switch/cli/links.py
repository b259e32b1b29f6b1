"""The options `-i` and `--port` of `p4abs switch`: the switch's ports and their links."""

from collections.abc import Callable, Mapping
from typing import TypedDict

from p4abs_switch import PortConfig
from p4abs_switch._engine import MAX_QUEUES, MAX_WEIGHT, default_memory_bytes
from p4abs_switch.command_line.units import UnitError, parse_duration, parse_rate, parse_size
from p4abs_switch.errors import UserError


class _PortOptions(TypedDict, total=False):
    """What a link is told, as PortConfig takes it; the engine has defaults for the rest."""

    rate_bps: int
    delay_ns: int
    memory_bytes: int
    queues: int
    weights: tuple[int, ...]
    through_qdisc: bool
    ring_bytes: int


def _parse_count(text: str) -> int:
    if not (_is_whole(text) and 1 <= int(text) <= MAX_QUEUES):
        raise UnitError(f"{text!r}: must be a whole number from 1 to {MAX_QUEUES}")
    return int(text)


def _parse_weight(text: str) -> int:
    if not (_is_whole(text) and 1 <= int(text) <= MAX_WEIGHT):
        raise UnitError(f"{text!r}: must be a whole number from 1 to {MAX_WEIGHT}")
    return int(text)


def _parse_ring(text: str) -> int:
    ring_bytes = parse_size(text)
    if not 2**16 <= ring_bytes <= 2**30:
        raise UnitError(f"{text!r}: must be between 64KiB and 1GiB")
    return ring_bytes


def _parse_choice(text: str) -> bool:
    if text not in _CHOICES:
        raise UnitError(f"{text!r}: must be {' or '.join(_CHOICES)}")
    return bool(_CHOICES.index(text))


_CHOICES = ("no", "yes")
_NS_PER_S = 1e9
_PORT_KEYS: Mapping[str, Callable[[str], _PortOptions]] = {
    "rate": lambda text: {"rate_bps": round(parse_rate(text))},
    "delay": lambda text: {"delay_ns": round(parse_duration(text) * _NS_PER_S)},
    "memory": lambda text: {"memory_bytes": round(parse_size(text))},
    "queues": lambda text: {"queues": _parse_count(text)},
    "weights": lambda text: {"weights": tuple(map(_parse_weight, text.split(":")))},
    "qdisc": lambda text: {"through_qdisc": _parse_choice(text)},
    "ring": lambda text: {"ring_bytes": _parse_ring(text)},
}
_MAX_DIGITS = 100  # more than any number has that is served; Python reads no more than thousands


def port_configs(interfaces: tuple[str, ...], links: tuple[str, ...]) -> tuple[PortConfig, ...]:
    """The ports that `PORT@INTERFACE` and `PORT,key=value` texts name, in ascending order.

    Raises UserError for what cannot be understood, EngineError for what no port can be.
    """
    names = _interfaces(interfaces)
    settings = _links(links)
    return tuple(
        PortConfig(port, interface=names.get(port), **_bounded(settings.get(port, {})))
        for port in sorted(names.keys() | settings.keys())
    )


def _interfaces(texts: tuple[str, ...]) -> dict[int, str]:
    names: dict[int, str] = {}
    for text in texts:
        number, _, name = text.partition("@")
        if not _is_whole(number) or not name or not name.isprintable():
            raise UserError(f"-i {text}: must be PORT@INTERFACE, such as 1@veth0")
        if int(number) in names:
            raise UserError(f"-i {text}: port {number} is given twice; give each port once")
        names[int(number)] = name
    return names


def _links(texts: tuple[str, ...]) -> dict[int, _PortOptions]:
    settings: dict[int, _PortOptions] = {}
    for text in texts:
        number, values = _link(text)
        if number in settings:
            raise UserError(f"--port {text}: port {number} is given twice; give each port once")
        settings[number] = values
    return settings


def _link(text: str) -> tuple[int, _PortOptions]:
    number, values = _key_values("--port", text)
    options = _PortOptions()
    for key, value in values.items():
        if key not in _PORT_KEYS:
            raise UserError(f"--port {text}: unknown key {key}; valid: {', '.join(_PORT_KEYS)}")
        try:
            options.update(_PORT_KEYS[key](value))
        except UnitError as error:
            raise UserError(f"--port {text}: {key}: {error}") from None
    if "weights" in options and "queues" not in options:
        needed = len(options["weights"])
        raise UserError(f"--port {text}: weights need a number of queues; add queues={needed}")
    return int(number), options


def _bounded(options: _PortOptions) -> _PortOptions:
    """The same with a bound for what waits."""
    memory_bytes = default_memory_bytes(options.get("rate_bps"))
    return {"memory_bytes": memory_bytes, **options}


def _is_whole(text: str) -> bool:
    """Whether a text is a whole number from 0, which int() reads."""
    return text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS


def _key_values(option: str, text: str) -> tuple[str, dict[str, str]]:
    """Of `NUMBER,key=value,...` the number, as text, and the values by key. Raises UserError."""
    number, *pairs = text.split(",")
    if not _is_whole(number):
        raise UserError(f"{option} {text}: must begin with a port's number, such as {option} 2,...")
    values: dict[str, str] = {}
    for pair in pairs:
        key, separator, value = pair.partition("=")
        if not separator or not key or not value:
            raise UserError(f"{option} {text}: {pair!r} must be KEY=VALUE")
        if key in values:
            raise UserError(f"{option} {text}: {key} is given twice")
        values[key] = value
    return number, values
