"""The options `-i` and `--port` of `p4abs switch`: the switch's ports and their links."""

from collections.abc import Callable, Mapping
from typing import TypedDict

from p4abs_switch import PortConfig
from p4abs_switch._engine import default_memory_bytes
from p4abs_switch.command_line.units import UnitError, parse_duration, parse_rate, parse_size
from p4abs_switch.errors import UserError


def _parse_count(value: object) -> float:
    if not (isinstance(value, str) and _is_whole(value)):
        raise UnitError(f"{value!r}: must be a whole number")
    return int(value)


def _parse_choice(value: object) -> float:
    if value not in _CHOICES:
        raise UnitError(f"{value!r} is neither {' nor '.join(_CHOICES)}")
    return _CHOICES.index(value)


_CHOICES = ("no", "yes")
_PORT_KEYS: Mapping[str, Callable[[object], float]] = {
    "rate": parse_rate,
    "delay": parse_duration,
    "memory": parse_size,
    "queues": _parse_count,
    "qdisc": _parse_choice,
    "ring": parse_size,
}
_NS_PER_S = 1e9
_MOST_DIGITS = 100  # more than any number has that is served; Python reads no more than thousands


def port_configs(interfaces: tuple[str, ...], links: tuple[str, ...]) -> tuple[PortConfig, ...]:
    """The ports that `PORT@INTERFACE` and `PORT,key=value` texts name, in ascending order.

    Raises UserError for what cannot be understood, EngineError for what no port can be.
    """
    names = _interfaces(interfaces)
    settings = _links(links)
    return tuple(
        PortConfig(port, interface=names.get(port), **_port_options(settings.get(port, {})))
        for port in sorted(names.keys() | settings.keys())
    )


def _interfaces(texts: tuple[str, ...]) -> dict[int, str]:
    names: dict[int, str] = {}
    for text in texts:
        number, _, name = text.partition("@")
        if not _is_whole(number) or not name or not name.isprintable():
            raise UserError(f"-i {text}: must be PORT@INTERFACE, such as 1@veth0")
        if int(number) in names:
            raise UserError(
                f"-i {text}: port {number} has an interface already; give each port once"
            )
        names[int(number)] = name
    return names


def _links(texts: tuple[str, ...]) -> dict[int, dict[str, float]]:
    settings: dict[int, dict[str, float]] = {}
    for text in texts:
        number, values = _link(text)
        if number in settings:
            raise UserError(f"--port {text}: port {number} has a link already; give each port once")
        settings[number] = values
    return settings


def _link(text: str) -> tuple[int, dict[str, float]]:
    number, values = _key_values("--port", text)
    parsed: dict[str, float] = {}
    for key, value in values.items():
        if key not in _PORT_KEYS:
            raise UserError(f"--port {text}: unknown key {key}; valid: {', '.join(_PORT_KEYS)}")
        try:
            parsed[key] = _PORT_KEYS[key](value)
        except UnitError as error:
            raise UserError(f"--port {text}: {key}: {error}") from None
    return int(number), parsed


class _PortOptions(TypedDict, total=False):
    rate_bps: int
    delay_ns: int
    memory_bytes: int
    queues: int
    through_qdisc: bool
    ring_bytes: int


def _port_options(settings: Mapping[str, float]) -> _PortOptions:
    """What is set, in the engine's units, and a bound for what waits; the engine has defaults for
    the rest."""
    options = _PortOptions()
    if "rate" in settings:
        options["rate_bps"] = round(settings["rate"])
    options["memory_bytes"] = default_memory_bytes(options.get("rate_bps"))
    if "delay" in settings:
        options["delay_ns"] = round(settings["delay"] * _NS_PER_S)
    if "memory" in settings:
        options["memory_bytes"] = round(settings["memory"])
    if "queues" in settings:
        options["queues"] = round(settings["queues"])
    if "qdisc" in settings:
        options["through_qdisc"] = bool(settings["qdisc"])
    if "ring" in settings:
        options["ring_bytes"] = round(settings["ring"])
    return options


def _is_whole(text: str) -> bool:
    """Whether a text is a whole number from 0, which int() reads."""
    return text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS


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
