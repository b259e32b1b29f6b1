"""The differences between two settings of a switch, in words."""

from collections.abc import Mapping, Sequence

from p4abs.config.port_settings import PortSettings
from p4abs.config.queue_settings import QueueSettings
from p4abs.config.settings import SwitchSettings
from p4abs.config.source import kebab
from p4abs.queues import ranges_of

_MAX_LISTED = 8


def differences(before: SwitchSettings, after: SwitchSettings) -> str:
    """For example `memory; ports 1-4: loss, max-limit; port 7 (Ethernet7): policy`."""
    of_switch = _differing(before, after, SwitchSettings.model_fields)
    texts = [kebab(key) for key in of_switch if key != "port"]
    old = {port.index: port for port in before.port}
    ports: dict[str, list[PortSettings]] = {}
    for port in after.port:
        if port.index in old:
            keys = _of_port(old[port.index], port)
            if keys:
                ports.setdefault(", ".join(map(kebab, keys)), []).append(port)
        else:
            ports.setdefault("added", []).append(port)
    staying = {port.index for port in after.port}
    for port in before.port:
        if port.index not in staying:
            ports.setdefault("removed", []).append(port)
    texts += [f"{_named(each)}: {keys}" for keys, each in ports.items()]
    return "; ".join(texts)


def _of_port(one: PortSettings, other: PortSettings) -> list[str]:
    """If the port has a queue before and after, the queue's own keys take the place of `queue`."""
    keys = _differing(one, other, PortSettings.model_fields)
    if "initial_limit" in keys and not other.sets_limit(one):
        keys[keys.index("initial_limit")] += " at the next start only"
    if one.queue and other.queue and "queue" in keys:
        keys.remove("queue")
        keys += _differing(one.queue, other.queue, QueueSettings.model_fields)
    return keys


def _differing(one: object, other: object, keys: Mapping[str, object]) -> list[str]:
    return [key for key in keys if getattr(one, key) != getattr(other, key)]


def _named(ports: Sequence[PortSettings]) -> str:
    if len(ports) == 1:
        return ports[0].label
    listed = ", ".join(ranges_of([port.index for port in ports])[:_MAX_LISTED])
    return f"{len(ports)} ports, {listed}" if len(ports) > _MAX_LISTED else f"ports {listed}"
