"""One table for each port: [defaults], over them the file's port tables, over those flags."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from p4abs.config.port_settings import PortSettings
from p4abs.config.source import ConfigError, Source, shown
from p4abs.config.values import of_flags
from p4abs.config.written import written_queues, written_switches
from p4abs.p4_constants import PORT_COUNT

_NOTHING = Source()
_DEFAULT_POLICY = PortSettings.model_fields["policy"].default

_RANGE = re.compile(r"\s*(\d{1,18})\s*(?:-\s*(\d{1,18})\s*)?", re.ASCII)
_VALID = "a port, a range of ports or a list of both, such as 2, '1-256' or [1, '5-8']"


def merge(
    file: Source,
    switch_flags: Mapping[str, Any],
    port_flags: Sequence[Mapping[str, Any]],
    flags_of_all: Mapping[str, Any],
) -> Source:
    """The settings as `[[switch]]` tables with one port in each `port` table. Raises ConfigError.

    `switch_flags` are for all switches, `flags_of_all` for all their ports, `port_flags` for those
    of the only one.
    """
    defaults = _defaults(file)
    written = written_switches(file)
    if port_flags and len(written) > 1:
        raise ConfigError(
            f"--port {port_flags[0]['number']}: the file has {len(written)} switches; "
            "write the port as a [[switch.port]] table below its switch"
        )
    switches = []
    for switch in written:
        ports = _ports_under_flags(_written_ports(switch), port_flags, flags_of_all, defaults)
        switches.append(_with_ports(_over(switch, _options(switch_flags)), ports))
    return _joined(file, switches)


def _defaults(file: Source) -> Source:
    defaults = file.part("defaults") if "defaults" in file.tables else Source()
    if not isinstance(defaults.tables, dict):
        raise ConfigError(
            f"{defaults.place(()) or 'settings'}: write [defaults] as one table, with the keys of "
            "[[port]]"
        )
    if "number" in defaults.tables:
        raise ConfigError(
            f"{defaults.place(('number',)) or 'settings'}: number: not allowed in [defaults], "
            "which apply to all ports; write it in a [[port]] table"
        )
    return defaults


def _written_ports(switch: Source) -> dict[int, Source]:
    """The switch's tables by port. A port that two of them name is refused."""
    ports: dict[int, Source] = {}
    for index in range(len(switch.tables["port"])):
        table = switch.part("port", index)
        if "number" not in table.tables:
            raise ConfigError(f"{table.place(()) or 'settings'}: number is missing")
        for number in _numbers(table):
            if number in ports:
                first = ports[number].place(("number",)) or "settings"
                raise ConfigError(
                    f"{table.place(('number',)) or 'settings'}: port {number} is configured "
                    f"twice, first in {first}; name each port of a switch in one table"
                )
            ports[number] = table
    return ports


def _numbers(table: Source) -> list[int]:
    value = table.tables["number"]
    try:
        return port_numbers(value)
    except ValueError as error:
        place = table.place(("number",)) or "settings"
        raise ConfigError(f"{place}: number: {shown(value)}: {error}") from None


def _ports_under_flags(
    ports: Mapping[int, Source],
    port_flags: Sequence[Mapping[str, Any]],
    flags_of_all: Mapping[str, Any],
    defaults: Source,
) -> list[Source]:
    """A table for each port, or for each of its queues: flags over the queue's table over the
    port's over the defaults."""
    by_number = _flags_by_port(port_flags)
    written = dict(ports)
    for number, flags in by_number.items():
        written.setdefault(number, Source({}, {(): flags.places["number",]}))
    of_all, merged = _options(flags_of_all), []
    for number, port in written.items():
        flags = _over(of_all, by_number.get(number, Source()))
        below = _without(port, "queue")
        for queue in written_queues(port if "queue" in port.tables else defaults) or [_NOTHING]:
            own = _over(_over(_fitting(below, queue, defaults), queue), flags)
            own = _over(_fitting(_without(defaults, "queue"), own), own)
            own.tables["number"] = number
            merged.append(own)
    return merged


def _without(table: Source, without: str) -> Source:
    return Source(
        {key: value for key, value in table.tables.items() if key != without},
        {key: place for key, place in table.places.items() if key[:1] != (without,)},
    )


def _flags_by_port(port_flags: Sequence[Mapping[str, Any]]) -> dict[int, Source]:
    """The flags of each port. A port that two of them name is refused, as among tables."""
    by_number: dict[int, Source] = {}
    for flags in map(_port_option, port_flags):
        for number in _numbers(flags):
            if number in by_number:
                place, first = (each.places["number",] for each in (flags, by_number[number]))
                raise ConfigError(
                    f"{place}: port {number} is given twice, first by {first}; "
                    "give all of a port's keys with one --port"
                )
            by_number[number] = flags
    return by_number


def _options(values: Mapping[str, Any]) -> Source:
    return Source(of_flags(values), {(key,): f"--{key}" for key in values})


def _port_option(flags: Mapping[str, Any]) -> Source:
    return Source(of_flags(flags), {(key,): f"--port {flags['number']}" for key in flags})


def _fitting(below: Source, above: Source, defaults: Source = _NOTHING) -> Source:
    """What is below a port or queue: without the parameters if they are those of another policy."""
    policy = below.tables.get("policy", defaults.tables.get("policy", _DEFAULT_POLICY))
    if above.tables.get("policy", policy) == policy:
        return below
    return _without(below, "parameters")


def _over(below: Source, above: Source) -> Source:
    """Both settings in a new source; where they meet, those above hold. Parameters add up."""
    tables = {**below.tables, **above.tables}
    under, over = below.tables.get("parameters"), above.tables.get("parameters")
    if isinstance(under, dict) and isinstance(over, dict):
        tables["parameters"] = {**under, **over}
    return Source(tables, {**below.places, **above.places})


def _with_ports(switch: Source, ports: Sequence[Source]) -> Source:
    """The switch with these ports in the place of those that were written."""
    places = {key: place for key, place in switch.places.items() if key[:1] != ("port",)}
    for index, port in enumerate(ports):
        places |= {("port", index, *key): place for key, place in port.places.items()}
    return Source({**switch.tables, "port": [port.tables for port in ports]}, places)


def _joined(file: Source, switches: Sequence[Source]) -> Source:
    """Other contents of the file stay, so that they are refused later."""
    replaced = ("switch", "defaults", "port")
    tables = {key: value for key, value in file.tables.items() if key not in replaced}
    places = {key: place for key, place in file.places.items() if not key or key[0] not in replaced}
    for index, switch in enumerate(switches):
        places |= {("switch", index, *key): place for key, place in switch.places.items()}
    return Source({**tables, "switch": [switch.tables for switch in switches]}, places)


def port_numbers(value: object) -> list[int]:
    """The ports in the order in which they are written, both ends of a range included.

    Raises ValueError with what would be valid.
    """
    numbers: dict[int, None] = {}
    for part in value if isinstance(value, list) else [value]:
        for number in _part(part):
            if number in numbers:
                raise ValueError(f"port {number} is named twice; name each port once")
            numbers[number] = None
    if not numbers:
        raise ValueError(f"must be {_VALID}")
    return list(numbers)


def _part(part: object) -> range:
    if isinstance(part, int) and not isinstance(part, bool):
        first = last = part
    elif isinstance(part, str) and (match := _RANGE.fullmatch(part)):
        first, last = int(match[1]), int(match[2] or match[1])
    else:
        raise ValueError(f"must be {_VALID}")
    for number in (first, last):
        if not 0 <= number < PORT_COUNT:
            raise ValueError(f"port {number}: not in the P4 program (ports 0-{PORT_COUNT - 1})")
    if last < first:
        raise ValueError(
            f"the range {first}-{last} is reversed; write the lower port first: '{last}-{first}'"
        )
    return range(first, last + 1)
