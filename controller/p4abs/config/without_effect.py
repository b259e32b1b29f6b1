"""Settings that are valid but change nothing, or not what they promise."""

from collections.abc import Iterator

from p4abs.config.settings import SwitchSettings
from p4abs.queues import format_ports
from p4abs.targets.traits import MemorySharing
from p4abs.units import format_size


def without_effect(settings: SwitchSettings) -> Iterator[tuple[str, str]]:
    """Each such setting's name, and why: a line for people."""
    yield from _of_sharing(settings)
    memory = settings.memory_of_limits
    if memory is None:
        return
    safe = sum(port.safe_limit or 0 for port in settings.port)
    if safe > memory:
        yield (
            "safe-limit",
            f"together {format_size(safe)}, more than the memory of {format_size(memory)}: each "
            "port is left with less, in proportion",
        )


def _of_sharing(settings: SwitchSettings) -> Iterator[tuple[str, str]]:
    """What ports have for a way to share memory that their switch does not have, or not now."""
    if len({port.priority for port in settings.port}) > 1:
        if settings.memory is None:
            text = "no effect while the ports share no memory; give the switch a memory"
            yield "priority", text
        elif settings.memory_sharing is MemorySharing.DYNAMIC_THRESHOLDS:
            yield "priority", "no effect with dynamic thresholds; use alpha instead"
    has_alpha = any("alpha" in port.model_fields_set for port in settings.port)
    if has_alpha and settings.memory_sharing is MemorySharing.LIMITS:
        text = "no effect while the memory is shared by limits; set memory-sharing"
        yield "alpha", text
    observed = [port.index for port in settings.port if port.is_observed]
    has_thresholds = settings.memory_sharing is not MemorySharing.LIMITS
    if has_thresholds and observed and not settings.is_observed:
        verb = "is" if len(observed) == 1 else "are"
        text = f"thresholds are not written while {format_ports(observed)} {verb} observed"
        yield "memory-sharing", text
