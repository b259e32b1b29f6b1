"""One table for each port: [defaults], over them the file's [[port]] tables, over those flags."""

from collections.abc import Mapping, Sequence
from typing import Any

from p4abs.config.port_numbers import port_numbers
from p4abs.config.settings import PortSettings
from p4abs.config.source import ConfigError, Source, shown

_DEFAULT_POLICY = PortSettings.model_fields["policy"].default


def merge(
    file: Source,
    switch_flags: Mapping[str, Any],
    port_flags: Sequence[Mapping[str, Any]],
    policy_flag: str | None,
) -> Source:
    """The settings with one port in each `port` table. Raises ConfigError."""
    _check_shape(file)
    switch = _over(_table(file, "switch"), _options(switch_flags))
    defaults = _table(file, "defaults")
    if "number" in defaults.tables:
        raise ConfigError(
            f"{defaults.place(('number',))}: number belongs into a [[port]] table; "
            "[defaults] hold for all ports"
        )
    ports = _ports_under_flags(_written_ports(file), port_flags, policy_flag)
    return _joined(file, switch, [_over(_fitting(defaults, port), port) for port in ports.values()])


def _check_shape(file: Source) -> None:
    ports = file.tables.get("port", [])
    if (
        not all(isinstance(file.tables.get(name, {}), dict) for name in ("switch", "defaults"))
        or not isinstance(ports, list)
        or not all(isinstance(port, dict) for port in ports)
    ):
        raise ConfigError(
            f"{file.place(()) or 'settings'}: write [switch] and [defaults] as one table each, "
            "and each port, or ports that are alike, as a [[port]] table"
        )


def _table(file: Source, name: str) -> Source:
    return file.part(name) if name in file.tables else Source()


def _written_ports(file: Source) -> dict[int, Source]:
    """The file's tables by port. A port that two of them name is refused."""
    ports: dict[int, Source] = {}
    for index in range(len(file.tables.get("port", []))):
        table = file.part("port", index)
        if "number" not in table.tables:
            raise ConfigError(f"{table.place(()) or 'settings'}: number is missing")
        for number in _numbers(table):
            if number in ports:
                first = ports[number].place(("number",)) or "settings"
                raise ConfigError(
                    f"{table.place(('number',)) or 'settings'}: port {number} is configured "
                    f"twice, first in {first}; name each port in one [[port]] table"
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
    policy_flag: str | None,
) -> dict[int, Source]:
    by_number = [
        (number, flags) for flags in map(_port_option, port_flags) for number in _numbers(flags)
    ]
    merged = dict(ports)
    for number, flags in by_number:
        merged.setdefault(number, Source({}, {(): flags.places["number",]}))
    policy = _options({} if policy_flag is None else {"policy": policy_flag})
    merged = {number: _over(port, policy) for number, port in merged.items()}
    for number, flags in by_number:
        merged[number] = _over(merged[number], flags)
    for number, port in merged.items():
        port.tables["number"] = number
    return merged


def _options(values: Mapping[str, Any]) -> Source:
    return Source(dict(values), {(key,): f"--{key}" for key in values})


def _port_option(flags: Mapping[str, Any]) -> Source:
    return Source(dict(flags), {(key,): f"--port {flags['number']}" for key in flags})


def _fitting(defaults: Source, port: Source) -> Source:
    """The defaults for a port: without the parameters if they are those of another policy."""
    policy = defaults.tables.get("policy", _DEFAULT_POLICY)
    if port.tables.get("policy", policy) == policy:
        return defaults
    return Source(
        {key: value for key, value in defaults.tables.items() if key != "parameters"},
        {key: place for key, place in defaults.places.items() if key[:1] != ("parameters",)},
    )


def _over(below: Source, above: Source) -> Source:
    """Both settings in a new source; where they meet, those above hold. Parameters add up."""
    tables = {**below.tables, **above.tables}
    under, over = below.tables.get("parameters"), above.tables.get("parameters")
    if isinstance(under, dict) and isinstance(over, dict):
        tables["parameters"] = {**under, **over}
    return Source(tables, {**below.places, **above.places})


def _joined(file: Source, switch: Source, ports: Sequence[Source]) -> Source:
    tables = {key: value for key, value in file.tables.items() if key != "defaults"}
    places = {
        key: place
        for key, place in file.places.items()
        if not key or key[0] not in ("switch", "defaults", "port")
    }
    tables |= {"switch": switch.tables, "port": [port.tables for port in ports]}
    places |= {("switch", *key): place for key, place in switch.places.items()}
    for index, port in enumerate(ports):
        places |= {("port", index, *key): place for key, place in port.places.items()}
    return Source(tables, places)
