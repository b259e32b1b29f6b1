"""Settings that are valid and yet change nothing, or not what they say."""

from collections.abc import Iterator

from p4abs.config.settings import SwitchSettings
from p4abs.units import format_size


def without_effect(settings: SwitchSettings) -> Iterator[tuple[str, str]]:
    """Each such setting's name, and why: a line for people."""
    memory = settings.memory
    if memory is None:
        if len({port.priority for port in settings.port}) > 1:
            text = "of no effect while the switch's ports share no memory; give it memory"
            yield "priority", text
        return
    safe = sum(port.safe_limit or 0 for port in settings.port)
    if safe > memory:
        yield (
            "safe-limit",
            f"all together are {format_size(safe)}, more than the memory of {format_size(memory)}: "
            "less is left behind, in proportion",
        )
