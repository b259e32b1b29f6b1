"""What ports did in about a second."""

from dataclasses import dataclass

from p4abs.columns import Columns, Flags, Floats


@dataclass(frozen=True, slots=True, eq=False)
class Second(Columns):
    """`passed_s` by the controller's clock, all else from the data plane; zeros without a sample.

    Of `length_s` the utilization is known for `known_s`, in `idle_s` of which the link was idle.
    `by_memory`, `by_max_delay` and `by_max_limit` tell whether these held the limit in a decision
    of the second. `by_others`: the port's other queues sent what this one lacks. `is_unreachable`:
    the policy says that no buffer meets a target.
    """

    passed_s: Floats
    length_s: Floats
    known_s: Floats
    idle_s: Floats
    offered_bytes: Floats
    lost_bytes: Floats
    by_memory: Flags
    by_max_delay: Flags
    by_max_limit: Flags
    by_others: Flags
    is_unreachable: Flags
