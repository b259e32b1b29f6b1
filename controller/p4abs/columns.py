"""What is known of one port, or of many at once.

A struct's fields are plain numbers for a port alone and arrays for several, an element for each.
The code that computes with them is the same: operators serve both, and so do the functions below.
numpy takes ten times as long for one number, so a port alone, as in a simulation, does without.

Functions of libm are applied to arrays element by element, because numpy's own differ from them in
the last bit, and between processors.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import Field
from typing import Any, ClassVar, Concatenate, ParamSpec, Self

import numpy as np
from numpy.typing import NDArray

Floats = Any
"""float, or an array of them; mypy cannot tell that all numbers of a struct are of one kind."""
Ints = Any
"""int, or an array of them."""
Flags = Any
"""bool, or an array of them."""
Positions = NDArray[np.intp]
"""Of ports in a struct's arrays, none twice."""

P = ParamSpec("P")


def minimum(values: Floats, bound: Floats) -> Floats:
    """The smaller ones; here and below a bound may be one number for all ports."""
    if isinstance(values, np.ndarray):
        return np.minimum(values, bound)
    return bound if bound < values else values


def maximum(values: Floats, bound: Floats) -> Floats:
    if isinstance(values, np.ndarray):
        return np.maximum(values, bound)
    return bound if bound > values else values


def between(values: Floats, lowest: Floats, highest: Floats) -> Floats:
    """The nearest values within bounds."""
    if isinstance(values, np.ndarray):
        return np.minimum(np.maximum(values, lowest), highest)
    return min(max(values, lowest), highest)


def choose(flags: Flags, one: Any, other: Any) -> Any:
    """`one` where a flag is set, else `other`."""
    if isinstance(flags, np.ndarray):
        return np.where(flags, one, other)
    return one if flags else other


def any_of(flags: Flags) -> bool:
    return bool(np.count_nonzero(flags)) if isinstance(flags, np.ndarray) else flags


def without(flags: Flags, others: Flags) -> Flags:
    """The flags that are not set in `others`."""
    return flags > others


def is_known(values: Floats) -> Flags:
    """Whether they are not NaN, which stands for what is not known."""
    return values == values


def rounded(values: Floats) -> Ints:
    """The nearest whole numbers, halves to even ones."""
    if isinstance(values, np.ndarray):
        return np.rint(values).astype(np.int64)
    return round(values)


def log(values: Floats) -> Floats:
    return _each(math.log, values) if isinstance(values, np.ndarray) else math.log(values)


def log1p(values: Floats) -> Floats:
    return _each(math.log1p, values) if isinstance(values, np.ndarray) else math.log1p(values)


def exp(values: Floats) -> Floats:
    return _each(math.exp, values) if isinstance(values, np.ndarray) else math.exp(values)


def hypot(one: Floats, other: Floats) -> Floats:
    return _each(math.hypot, one, other) if isinstance(one, np.ndarray) else math.hypot(one, other)


def power(base: Floats, exponent: Floats) -> Floats:
    return _each(math.pow, base, exponent) if isinstance(base, np.ndarray) else base**exponent


def square(values: Floats) -> Floats:
    if isinstance(values, np.ndarray):
        return _each(math.pow, values, np.full_like(values, 2.0))
    return values**2


def _each(function: Callable[..., float], *arguments: NDArray[Any]) -> NDArray[Any]:
    elements = map(function, *(argument.tolist() for argument in arguments))
    return np.fromiter(elements, np.float64, len(arguments[0]))


class Columns:
    """Base of frozen dataclasses without a generated `__eq__`, whose fields are numbers or Columns.

    Arrays are never written to once they are in a struct.
    """

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @classmethod
    def batched(cls, ports: Sequence[Self]) -> Self:
        """The struct of these ports, each of which was alone."""
        rows = zip(*(port._columns() for port in ports), strict=True)
        return cls(*(_batched(row) for row in rows))

    def over(self, count: int) -> Self:
        """With arrays in the place of plain numbers, the same for all of `count` ports."""
        return type(self)(*(_over(column, count) for column in self._columns()))

    def joined(self, others: Self) -> Self:
        """The struct of these ports and then of others."""
        pairs = zip(self._columns(), others._columns(), strict=True)
        return type(self)(*(_all_of(column, other) for column, other in pairs))

    def take(self, ports: Positions) -> Self:
        """The struct of some of its ports."""
        return type(self)(*(_take(column, ports) for column in self._columns()))

    def alone(self, port: int) -> Self:
        """The struct of one of its ports, in plain numbers."""
        return type(self)(*(_alone(column, port) for column in self._columns()))

    def put(self, ports: Positions, others: Self) -> Self:
        """This struct, with what `others` say of some of its ports."""
        pairs = zip(self._columns(), others._columns(), strict=True)
        return type(self)(*(_put(column, ports, other) for column, other in pairs))

    def changed(
        self,
        flags: Flags,
        change: Callable[Concatenate[Self, P], Self],
        *arguments: P.args,
        **keywords: P.kwargs,
    ) -> Self:
        """This struct, changed for the ports where a flag is set."""
        if not isinstance(flags, np.ndarray):
            return change(self, *arguments, **keywords) if flags else self
        ports = np.flatnonzero(flags)
        if not len(ports):
            return self
        if len(ports) == len(flags):
            return change(self, *arguments, **keywords)
        some: Any = [_take(argument, ports) for argument in arguments]
        named: Any = {name: _take(argument, ports) for name, argument in keywords.items()}
        return self.put(ports, change(self.take(ports), *some, **named))

    def __eq__(self, other: object) -> bool:
        """Whether all numbers are the same, unknown ones (NaN) included."""
        return isinstance(other, type(self)) and all(map(_same, self._columns(), other._columns()))

    __hash__ = None  # type: ignore[assignment]

    def _columns(self) -> list[Any]:
        return [getattr(self, name) for name in self.__dataclass_fields__]


class ByPort:
    """Base of classes with attributes over ports, which `_by_port` names.

    Those are arrays, whose last axis is over the ports, lists, Columns, or again ByPort.
    """

    _by_port: ClassVar[tuple[str, ...]]

    def keep(self, ports: Positions) -> None:
        """Only these ports stay, in this order."""
        for name in self._by_port:
            setattr(self, name, _kept_of(getattr(self, name), ports))

    def join(self, others: Self) -> None:
        """Other ports come, after those that are there; of `others` nothing else is taken."""
        for name in self._by_port:
            setattr(self, name, _all_of(getattr(self, name), getattr(others, name)))


def _batched(values: Sequence[Any]) -> Any:
    first = values[0]
    return type(first).batched(values) if isinstance(first, Columns) else np.array(values)


def _over(column: Any, count: int) -> Any:
    if isinstance(column, Columns):
        return column.over(count)
    return column if isinstance(column, np.ndarray) else np.full(count, column)


def _take(column: Any, ports: Positions) -> Any:
    if isinstance(column, Columns):
        return column.take(ports)
    if isinstance(column, tuple):
        return tuple(_take(part, ports) for part in column)
    return column[ports] if isinstance(column, np.ndarray) else column


def _alone(column: Any, port: int) -> Any:
    return column.alone(port) if isinstance(column, Columns) else column[port].item()


def _put(column: Any, ports: Positions, values: Any) -> Any:
    if isinstance(column, Columns):
        return column.put(ports, values)
    copy = column.copy()
    copy[ports] = values
    return copy


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray) and one.dtype.kind != "O":
        return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    return bool(np.all((one == other) | ((one != one) & (other != other))))


def _kept_of(values: Any, ports: Positions) -> Any:
    if isinstance(values, ByPort):
        values.keep(ports)
        return values
    if isinstance(values, Columns):
        return values.take(ports)
    if isinstance(values, list):
        return [values[port] for port in ports.tolist()]
    return values[..., ports]


def _all_of(values: Any, others: Any) -> Any:
    if isinstance(values, ByPort):
        values.join(others)
        return values
    if isinstance(values, Columns):
        return values.joined(others)
    if isinstance(values, list):
        return values + others
    return np.concatenate([values, others], axis=-1)
