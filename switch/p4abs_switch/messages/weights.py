"""Members of groups: weights, sizes and watched ports (P4Runtime 1.5, sections 9.2.2 and 9.2.3)."""

from collections.abc import Sequence

from finsy.proto import p4r

from p4abs_switch.messages import ports
from p4abs_switch.program.objects import ActionProfile
from p4abs_switch.status import invalid

LARGEST_GROUP = 1 << 16
"""The highest sum of a group's weights, that of the engine."""


def check_members(profile: ActionProfile, weights: Sequence[int]) -> None:
    """Raises RequestError INVALID_ARGUMENT for a weight that the selector does not allow."""
    what = f"action selector {profile.name}"
    for weight in weights:
        if profile.weights_disallowed and weight:
            raise invalid(f"{what} sets weights by itself; leave them 0, not {weight}")
        if not profile.weights_disallowed and weight <= 0:
            raise invalid(f"{what}: a member has weight {weight}; valid: at least 1")
        if profile.counts_members and 0 < profile.max_member_weight < weight:
            raise invalid(
                f"{what}: a member has weight {weight}; valid: 1 to {profile.max_member_weight}"
            )


def check_size(profile: ActionProfile, weights: Sequence[int]) -> None:
    """Raises RequestError INVALID_ARGUMENT for more than a group of this selector can hold."""
    size = group_size(profile, weights)
    if 0 < profile.max_group_size < size:
        raise invalid(
            f"action selector {profile.name}: a group has size {size};"
            f" valid: up to {profile.max_group_size}"
        )


def group_size(profile: ActionProfile, weights: Sequence[int]) -> int:
    """What counts against a group's maximum: its members, or the sum of their weights."""
    return len(weights) if profile.counts_members else sum(to_engine(profile, weights))


def to_engine(profile: ActionProfile, weights: Sequence[int]) -> list[int]:
    """The engine's weights: where they are disallowed, all members are alike."""
    return [1 if profile.weights_disallowed else weight for weight in weights]


def from_engine(profile: ActionProfile, weight: int) -> int:
    """The weight that the controller has given."""
    return 0 if profile.weights_disallowed else weight


def watch_port(
    profile: ActionProfile,
    what: str,
    message: p4r.ActionProfileAction | p4r.ActionProfileGroup.Member,
    given: str | None,
) -> int | None:
    """The port on which a member depends, if any; `watch` is its older field."""
    number = message.watch if given == "watch" else message.watch_port
    port = ports.decode(number, f"{what} watches", profile.ports)
    return port if message.watch_port or port else None


def set_watch_port(
    profile: ActionProfile,
    message: p4r.ActionProfileAction | p4r.ActionProfileGroup.Member,
    port: int | None,
) -> None:
    """Tells the port on which a member depends, if any."""
    if port is not None:
        message.watch_port = ports.encode(port, profile.ports)
