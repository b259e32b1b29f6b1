"""What the settings of a switch and its ports require of the program."""

from itertools import product

from p4abs.access.capabilities import Capabilities
from p4abs.config import PortSettings, SwitchSettings
from p4abs.errors import UserError
from p4abs.targets.traits import MemorySharing
from p4abs.units import format_rate, format_size


def fitted(capabilities: Capabilities, settings: SwitchSettings) -> SwitchSettings:
    """The settings as the program can serve them. Rates are rounded if the settings ask for it. A
    limit that is not given is at most what the program takes. No limit is so low that rounding
    takes it below min-limit, or that a frame of the port's mtu counts for more. The default memory
    is what the switch's queues share.

    Raises UserError where it cannot serve them.
    """
    if unsupported := sharing_unsupported(capabilities, settings):
        raise UserError(unsupported)
    for port, check in product(settings.port, _CHECKS):
        if unsupported := check(capabilities, port):
            raise UserError(f"{port.where}port {port.number}{port.queue_text}: {unsupported}")
    changes: dict[str, object] = {}
    ports = tuple(fitted_port(capabilities, port) for port in settings.port)
    if ports != settings.port:
        changes["port"] = ports
    # Limits cannot stay within less than this.
    needed_bytes = sum(port.min_limit for port in ports)
    if settings.memory is None and needed_bytes <= (capabilities.memory_bytes or 0):
        changes["memory"] = capabilities.memory_bytes
    return settings.model_copy(update=changes) if changes else settings


def fitted_port(capabilities: Capabilities, port: PortSettings) -> PortSettings:
    """See fitted(); for one port. Raises UserError for whatever prevents it."""
    capacity, maximum = port.capacity, capabilities.max_limit_bytes
    changes: dict[str, int] = {}
    if port.round_capacity and capacity is not None:
        rate = capabilities.drain_rate_bps(capacity)
        if rate is not None and rate != capacity:
            changes["capacity"] = capacity = rate
    if maximum is not None and port.max_limit is None:
        highest = port.largest_limit(capacity)
        if highest is None or highest > maximum:
            changes["max_limit"] = maximum
    lowest = _lowest_limit(capabilities, port)
    for name in ("min_limit", "initial_limit", "safe_limit"):
        limit = getattr(port, name)
        if limit is not None and limit < lowest:
            changes[name] = lowest
    return port.model_copy(update=changes) if changes else port


def capacity_unsupported(capabilities: Capabilities, port: PortSettings) -> str:
    """What is wrong with a port that leaves its capacity to the program; empty: nothing."""
    unsupported = capabilities.measurement_unsupported
    if port.capacity is not None or not unsupported:
        return ""
    other = ", or use the program queue" if capabilities.is_for_v1model else ""
    return (
        f"capacity is missing, and cannot be measured: {unsupported}; "
        f"give capacity, such as '10Mbit'{other}"
    )


def rate_unsupported(capabilities: Capabilities, port: PortSettings) -> str:
    """Why the program's queue cannot drain at the port's capacity; empty: it can."""
    rates, capacity = capabilities.drain_rates_bps, port.capacity
    if not rates or capacity is None or capacity in rates:
        return ""
    rate = capabilities.drain_rate_bps(capacity)
    if port.round_capacity and rate is not None:
        return ""
    lower = "" if rate is None else f", or round-capacity = true for {format_rate(rate)}"
    return (
        f"capacity {format_rate(capacity)}: the program has no such rate; "
        f"give one of {', '.join(map(format_rate, rates))}{lower}"
    )


def limit_unsupported(capabilities: Capabilities, port: PortSettings) -> str:
    """Which limit is greater than the switch takes; empty: none."""
    maximum = capabilities.max_limit_bytes
    for name in ("min_limit", "max_limit", "initial_limit", "safe_limit"):
        limit = getattr(port, name)
        if maximum is not None and limit is not None and limit > maximum:
            key = name.replace("_", "-")
            return (
                f"{key} {format_size(limit)}: the switch takes limits of at most "
                f"{format_size(maximum)}"
            )
    return ""


def unit_unsupported(capabilities: Capabilities, port: PortSettings) -> str:
    """Why no limit that the switch takes lies within the port's bounds; empty: one does."""
    lowest, highest = _lowest_limit(capabilities, port), port.largest_limit(port.capacity)
    if highest is None or lowest <= highest:
        return ""
    if lowest == _frame_bytes(capabilities, port):
        return (
            f"the highest limit, {highest}B, must be at least {lowest}B: that is what the switch "
            f"counts for a frame of the port's mtu, {port.mtu}B"
        )
    return (
        f"limits of {port.min_limit}B to {highest}B: must include a multiple of "
        f"{capabilities.limit_unit_bytes} bytes, the unit in which the switch counts"
    )


def _lowest_limit(capabilities: Capabilities, port: PortSettings) -> int:
    """The least multiple of the limits' unit that min-limit and the mtu allow."""
    unit = capabilities.limit_unit_bytes
    min_bytes = max(port.min_limit, _frame_bytes(capabilities, port))
    return -(-min_bytes // unit) * unit


def _frame_bytes(capabilities: Capabilities, port: PortSettings) -> int:
    """What the port's longest frame counts for."""
    return port.mtu + capabilities.frame_overhead_bytes


def ecn_unsupported(capabilities: Capabilities, port: PortSettings) -> str:
    """Why the program cannot mark as the port asks; empty: it can, or need not."""
    if not port.ecn_marking or not capabilities.marking_unsupported:
        return ""
    return f"ecn-marking: {capabilities.marking_unsupported}"


def sharing_unsupported(capabilities: Capabilities, settings: SwitchSettings) -> str:
    """Why the program cannot share memory as the switch is to; empty: it can, or need not."""
    if settings.memory_sharing is MemorySharing.LIMITS or not capabilities.sharing_unsupported:
        return ""
    return f"memory-sharing {settings.memory_sharing}: {capabilities.sharing_unsupported}"


def queue_unsupported(capabilities: Capabilities, port: PortSettings) -> str:
    """Why the queue cannot be controlled; empty: it can, or the port has no other."""
    if port.queue is None:
        return ""
    if port.queue.number >= capabilities.queues:
        has = f"queues 0 to {capabilities.queues - 1}" if capabilities.queues > 1 else "one queue"
        other = ", or use the program shared_queue" if capabilities.is_for_v1model else ""
        return f"the program has {has} a port; leave out [[port.queue]]{other}"
    told = capabilities.ports.get(port.number)
    of_port = capabilities.queues if told is None else told.queues
    if port.queue.number >= of_port:
        has = f"queues 0 to {of_port - 1}" if of_port > 1 else "one queue"
        return f"the switch's port has {has}; leave this queue out, or give the port more queues"
    if capabilities.measurement_unsupported:
        return f"how much a queue gets cannot be measured: {capabilities.measurement_unsupported}"
    if port.queue.dscp and capabilities.selection_unsupported:
        return f"dscp: {capabilities.selection_unsupported}"
    return ""


def has_registers(capabilities: Capabilities, port: PortSettings) -> bool:
    """Whether the program has registers for the port, or for its queue."""
    return not number_unsupported(capabilities, port) and port.address.queue < capabilities.queues


def number_unsupported(capabilities: Capabilities, port: PortSettings) -> str:
    """Why the port cannot be controlled at all; empty: it can."""
    return capabilities.port_unsupported(port.number)


_CHECKS = (
    number_unsupported,
    queue_unsupported,
    capacity_unsupported,
    rate_unsupported,
    limit_unsupported,
    unit_unsupported,
    ecn_unsupported,
)
