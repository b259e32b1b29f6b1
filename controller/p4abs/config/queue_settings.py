"""`[[port.queue]]`: a queue of a port that is under control."""

from typing import Annotated, Any

from pydantic import BeforeValidator

from p4abs.config.values import Table, Values, Whole, from_to
from p4abs.errors import shown
from p4abs.queues import MAX_QUEUES

_CODE_POINTS = 64  # RFC 2474


def _code_points(value: Any) -> Any:
    is_list = isinstance(value, list | tuple)
    if not is_list or not all(type(each) is int and 0 <= each < _CODE_POINTS for each in value):
        raise ValueError(
            f"{shown(value)}: must be a list of whole numbers from 0 to {_CODE_POINTS - 1}, "
            "such as [46]"
        )
    if twice := [each for each in value if value.count(each) > 1]:
        raise ValueError(f"{shown(value)}: {twice[0]} is named twice; name each code point once")
    return value


_Number = Annotated[
    Whole,
    from_to(0, MAX_QUEUES - 1, f"must be 0 to {MAX_QUEUES - 1}, the queues of a port"),
    Values(f"a whole number, 0 to {MAX_QUEUES - 1}"),
]
_CodePoints = Annotated[
    tuple[int, ...],
    BeforeValidator(_code_points),
    Values(f"a list of whole numbers, 0 to {_CODE_POINTS - 1}"),
]


class QueueSettings(Table):
    """`[[port.queue]]`: which queue of the port, and what takes it.

    All keys of a port that its queues may differ in stand here, too; they override the port's.
    """

    number: _Number
    """The queue of the port. Under strict priority the highest number is served first."""
    dscp: _CodePoints = ()
    """The DSCP code points whose packets take this queue. The controller writes them to the table
    `queue_selection`. Default: none."""
