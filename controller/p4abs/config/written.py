"""The switches of a file: `[[switch]]` tables, or one `[switch]` with `[[port]]` tables; and the
`[[port.queue]]` tables of a port."""

from typing import Any

from p4abs.config.port_settings import PortSettings
from p4abs.config.queue_settings import QueueSettings
from p4abs.config.source import ConfigError, Source, kebab
from p4abs.errors import shown
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
    written = file.get("switch", Source({}, file.place))
    if not isinstance(written, list):
        return [_with_ports(file, _only_switch(file, written))]
    if "port" in file:
        raise _refused(
            file, "port", "with [[switch]] tables, write each [[port]] as [[switch.port]]"
        )
    if not written:
        raise _refused(file, "switch", "there is no switch; write a [[switch]] table for each")
    return [_with_ports(file, switch) for switch in written]


def _only_switch(file: Source, switch: Any) -> Any:
    """[switch], or nothing, with the file's [[port]] tables as its ports."""
    if "port" not in file or not isinstance(switch, Source):
        return switch
    if "port" in switch:
        raise _refused(
            file, "port", "write a switch's ports as [[port]] or as [[switch.port]], not both"
        )
    return switch.with_keys(port=file["port"])


def _with_ports(file: Source, switch: Any) -> Source:
    ports = switch.get("port", []) if isinstance(switch, Source) else None
    if not isinstance(ports, list) or not all(isinstance(port, Source) for port in ports):
        is_table = isinstance(switch, Source)
        raise _refused(
            switch if is_table and "port" not in file else file,
            "port" if is_table else "switch",
            "write each switch as a [[switch]] table and its ports as [[switch.port]] tables, "
            "or a single switch as [switch] and its ports as [[port]]",
        )
    return Source({**switch, "port": ports}, switch.place, switch.places)


def written_queues(port: Source) -> list[Source]:
    """The `[[port.queue]]` tables of a port, or none.

    What a queue has besides the keys of a port stands in a table `queue`. Raises ConfigError.
    """
    tables = port.get("queue", [])
    is_list = isinstance(tables, list) and all(isinstance(each, Source) for each in tables)
    if not is_list or ("queue" in port and not tables):
        raise _refused(port, "queue", "write each queue as a [[port.queue]] table of its own")
    first: dict[str, str] = {}
    for queue in tables:
        _check_keys(queue)
        place = queue.place_of()
        if "number" not in queue:
            raise ConfigError(f"{place}: number is missing; give the queue's number, 0 to 7")
        number = shown(queue["number"])
        if number in first:
            raise _refused(
                queue,
                "number",
                f"queue {number} is configured twice, first in {first[number]}; "
                "name each queue of a port in one table",
            )
        first[number] = place
    return [_apart(queue) for queue in tables]


def _check_keys(queue: Source) -> None:
    """Refuses keys that are not a queue's by their names."""
    for key in queue:
        if key in _OF_PORTS:
            raise _refused(queue, key, f"{key}: all queues of a port have it; write it in [[port]]")
        if key not in _KEYS_OF_A_QUEUE:
            advice = suggestion(key, _KEYS_OF_A_QUEUE)
            raise _refused(queue, key, f"unknown key {shown(key)}; {advice}")


def _apart(queue: Source) -> Source:
    """A queue's table with its own keys in the table `queue`."""
    own = queue.without(*(key for key in queue if key not in _OF_QUEUES))
    return queue.without(*own).with_keys(queue=own)


def _refused(table: Source, key: str, message: str) -> ConfigError:
    return ConfigError(f"{table.place_of(key)}: {message}")
