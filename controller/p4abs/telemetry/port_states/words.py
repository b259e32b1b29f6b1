"""Why a port is in its state, in words."""

from p4abs.config import PortSettings
from p4abs.states import PortState


def reason(
    state: PortState,
    port: PortSettings,
    *,
    loss: float,
    utilization: float,
    unreachable: str,
    held_by: str,
) -> str:
    """By how much a target is missed, and what else is known; empty: nothing.

    `loss` and `utilization` are those of the last window, NaN where not known; `unreachable` is
    what the policy says, `held_by` who holds the memory that ports share.
    """
    if state is PortState.NOT_MEASURED:
        if utilization != utilization and port.capacity is None:
            return "capacity not yet measured: the limit stays as it is"
        return "too little is known yet"
    if state is PortState.NOT_CONGESTED:
        return f"the link is busy for {utilization:.0%} of the time"
    if state is PortState.UNREACHABLE and unreachable:
        return unreachable
    if state in (PortState.ON_TARGET, *_MISSED):
        measured = f"loss {loss:.2%}, target {_percent(port.loss)}"
        if utilization < port.utilization or state is PortState.ON_TARGET:
            measured += f"; utilization {utilization:.1%}, target {_percent(port.utilization)}"
        is_held = held_by and state is PortState.HELD_BY_MEMORY
        return f"{held_by}; {measured}" if is_held else measured
    return ""


_MISSED = (
    PortState.LOSS_ABOVE_TARGET,
    PortState.UTILIZATION_BELOW_TARGET,
    PortState.HELD_BY_MEMORY,
    PortState.HELD_BY_MAX_DELAY,
    PortState.HELD_BY_MAX_LIMIT,
    PortState.UNREACHABLE,
)


def _percent(share: float) -> str:
    return f"{100 * share:.4g}%"
