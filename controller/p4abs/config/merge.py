"""One table for each port: [defaults], over them the file's port tables, over those flags."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from p4abs.config.port_settings import PortSettings
from p4abs.config.source import ConfigError, Source, kebab, shown_in_toml
from p4abs.config.values import of_flags
from p4abs.config.written import written_queues, written_switches
from p4abs.errors import shown
from p4abs.p4_constants import PORT_COUNT
from p4abs.suggestions import closest

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
        switches.append(_options(switch_flags).over(switch).with_keys(port=ports))
    # Other contents of the file stay, so that they are refused later.
    return file.without("switch", "defaults", "port").with_keys(switch=switches)


def _defaults(file: Source) -> Source:
    defaults = file.get("defaults", _NOTHING)
    if not isinstance(defaults, Source):
        raise ConfigError(
            f"{file.place_of('defaults')}: write [defaults] as one table, with the keys of [[port]]"
        )
    if "number" in defaults:
        raise ConfigError(
            f"{defaults.place_of('number')}: number: not allowed in [defaults], "
            "which apply to all ports; write it in a [[port]] table"
        )
    return defaults


def _written_ports(switch: Source) -> dict[int, Source]:
    """The switch's tables by port. A port that two of them name is refused."""
    ports: dict[int, Source] = {}
    for table in switch["port"]:
        if "number" not in table:
            raise ConfigError(_number_missing(table))
        for number in _numbers(table):
            if number in ports:
                raise ConfigError(
                    f"{table.place_of('number')}: port {number} is configured twice, first in "
                    f"{ports[number].place_of('number')}; name each port of a switch in one table"
                )
            ports[number] = table
    return ports


def _number_missing(table: Source) -> str:
    """A misspelt key may be the number, unless it resembles another key more."""
    keys = [field.alias or "" for field in PortSettings.model_fields.values()]
    for key in table:
        if closest(key.casefold(), keys) == "number":
            return f"{table.place_of(key)}: unknown key {shown(key)}; did you mean number?"
    return f"{table.place_of()}: number is missing; give the port's number, such as number = 2"


def _numbers(table: Source) -> list[int]:
    value = table["number"]
    try:
        return port_numbers(value)
    except ValueError as error:
        place = table.place_of("number")
        raise ConfigError(f"{place}: number: {shown_in_toml(value)}: {error}") from None


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
        written.setdefault(number, Source({}, flags.place_of("number")))
    of_all, merged = _options(flags_of_all), []
    for number, port in written.items():
        flags = by_number.get(number, _NOTHING).over(of_all)
        below = port.without("queue")
        for queue in written_queues(port if "queue" in port else defaults) or [_NOTHING]:
            own = flags.over(queue.over(_fitting(below, queue, defaults)))
            own = own.over(_fitting(defaults.without("queue"), own))
            merged.append(own.with_keys(number=number))
    return merged


def _flags_by_port(port_flags: Sequence[Mapping[str, Any]]) -> dict[int, Source]:
    """The flags of each port. A port that two of them name is refused, as among tables."""
    by_number: dict[int, Source] = {}
    for flags in map(_port_option, port_flags):
        for number in _numbers(flags):
            if number in by_number:
                raise ConfigError(
                    f"{flags.place_of('number')}: port {number} is given twice, first by "
                    f"{by_number[number].place_of('number')}; "
                    "give all of a port's keys with one --port"
                )
            by_number[number] = flags
    return by_number


def _options(values: Mapping[str, Any]) -> Source:
    return _placed(values, {key: f"--{key}" for key in values})


def _port_option(flags: Mapping[str, Any]) -> Source:
    return _placed(flags, dict.fromkeys(flags, f"--port {flags['number']}"))


def _placed(values: Mapping[str, Any], flags: Mapping[str, str]) -> Source:
    """Values by the flags that gave them. Keys of a table in them were given by its flag."""
    table = of_flags(values)
    for key, value in table.items():
        if isinstance(value, dict):
            table[key] = Source(value, places=dict.fromkeys(map(kebab, value), flags[key]))
    return Source(table, places={kebab(key): flag for key, flag in flags.items()})


def _fitting(below: Source, above: Source, defaults: Source = _NOTHING) -> Source:
    """What is below a port or queue: without the parameters if they are those of another policy."""
    policy = below.get("policy", defaults.get("policy", _DEFAULT_POLICY))
    return below if above.get("policy", policy) == policy else below.without("parameters")


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
            raise ValueError(
                f"port {shown(number)}: not in the P4 program (ports 0-{PORT_COUNT - 1})"
            )
    if last < first:
        raise ValueError(
            f"the range {first}-{last} is reversed; write the lower port first: '{last}-{first}'"
        )
    return range(first, last + 1)
