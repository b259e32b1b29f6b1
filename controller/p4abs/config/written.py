"""The switches of a file: `[[switch]]` tables, or one `[switch]` with `[[port]]` tables; and the
`[[port.queue]]` tables of a port."""

from typing import Any

from p4abs.config.port_settings import PortSettings
from p4abs.config.queue_settings import QueueSettings
from p4abs.config.source import ConfigError, Source, shown
from p4abs.config.values import kebab
from p4abs.suggestions import suggestion

_OF_QUEUES = tuple(map(kebab, QueueSettings.model_fields))
# A port has one of each.
_OF_PORTS = frozenset({"name", "mode", "mtu", "capacity", "round-capacity", "queue"})
_KEYS_OF_A_QUEUE = (
    *_OF_QUEUES,
    *(
        each
        for each in map(kebab, PortSettings.model_fields)
        if each not in {*_OF_PORTS, *_OF_QUEUES}
    ),
)


def written_switches(file: Source) -> list[Source]:
    """Each switch as a table with a list `port` of tables; the only one where none is named.

    Raises ConfigError for other shapes.
    """
    written = file.tables.get("switch", {})
    if isinstance(written, list):
        if "port" in file.tables:
            raise _refused(
                file, "port", "with [[switch]] tables, write each [[port]] as [[switch.port]]"
            )
        switches = [file.part("switch", index) for index in range(len(written))]
        if not switches:
            raise _refused(file, "switch", "there is no switch; write a [[switch]] table for each")
    else:
        switches = [_only_switch(file)]
    return [_with_ports(switch) for switch in switches]


def _only_switch(file: Source) -> Source:
    """[switch], or nothing, with the file's [[port]] tables as its ports."""
    switch = file.part("switch") if "switch" in file.tables else Source({}, _around(file))
    if "port" not in file.tables or not isinstance(switch.tables, dict):
        return switch
    if "port" in switch.tables:
        raise _refused(
            file, "port", "write a switch's ports as [[port]] or as [[switch.port]], not both"
        )
    places = {key: place for key, place in file.places.items() if key[:1] == ("port",)}
    return Source(
        {**switch.tables, "port": file.tables["port"]},
        {**switch.places, **places},
    )


def _around(file: Source) -> dict[tuple[str | int, ...], str]:
    return {(): file.places[()]} if () in file.places else {}


def _with_ports(switch: Source) -> Source:
    ports = switch.tables.get("port", []) if isinstance(switch.tables, dict) else None
    if not isinstance(ports, list) or not all(isinstance(port, dict) for port in ports):
        place = switch.place(("port",)) or "settings"
        raise ConfigError(
            f"{place}: write each switch as a [[switch]] table and its ports as [[switch.port]] "
            "tables, or a single switch as [switch] and its ports as [[port]]"
        )
    return Source({**switch.tables, "port": ports}, switch.places)


def written_queues(port: Source) -> list[Source]:
    """The `[[port.queue]]` tables of a port, or none.

    What a queue has besides the keys of a port stands in a table `queue`. Raises ConfigError.
    """
    if "queue" not in port.tables:
        return []
    tables: Any = port.tables["queue"]
    if not isinstance(tables, list) or not tables or not all(isinstance(t, dict) for t in tables):
        place = port.place(("queue",)) or "settings"
        raise ConfigError(f"{place}: write each queue as a [[port.queue]] table of its own")
    first: dict[str, str] = {}
    queues = []
    for index in range(len(tables)):
        queue = port.part("queue", index)
        place = queue.place(()) or "settings"
        _check_keys(queue)
        if "number" not in queue.tables:
            raise ConfigError(f"{place}: number is missing: which queue of the port is it?")
        number = shown(queue.tables["number"])
        if number in first:
            raise ConfigError(
                f"{queue.place(('number',)) or 'settings'}: queue {number} is configured twice, "
                f"first in {first[number]}; name each queue of a port in one table"
            )
        first[number] = place
        queues.append(_apart(queue))
    return queues


def _check_keys(queue: Source) -> None:
    """Refuses keys that are not a queue's by their names."""
    for key in queue.tables:
        place = queue.place((key,)) or "settings"
        if key in _OF_PORTS:
            raise ConfigError(f"{place}: {key}: all queues of a port have it; write it in [[port]]")
        if key not in _KEYS_OF_A_QUEUE:
            raise ConfigError(f"{place}: unknown key {key}; {suggestion(key, _KEYS_OF_A_QUEUE)}")


def _apart(queue: Source) -> Source:
    """A queue's table with its own keys in the table `queue`."""
    own = {key: value for key, value in queue.tables.items() if key in _OF_QUEUES}
    others = {key: value for key, value in queue.tables.items() if key not in _OF_QUEUES}
    places = {
        ("queue", *key) if key[:1] and key[0] in _OF_QUEUES else key: place
        for key, place in queue.places.items()
    }
    if () in places:
        places["queue",] = places[()]
    return Source({**others, "queue": own}, places)


def _refused(file: Source, table: str, message: str) -> ConfigError:
    place = next((place for key, place in file.places.items() if key[:1] == (table,)), None)
    return ConfigError(f"{place or file.place(()) or 'settings'}: {message}")
