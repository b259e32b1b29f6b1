"""Random frames that reach deep into a program's parser.

A walk through the parser graph lays out the headers that its states extract, and then sets what
each state selects on to what the transition taken wants. Selections on what is not in the frame
are left to chance; so is a part of the frames, which are mutated.
"""

from collections.abc import Mapping
from random import Random
from typing import Any

from p4abs_switch.differential.pools import Pools

_MAX_STATES = 24
_FRAME_BITS = 4096
_MUTATED = 0.15


class PacketGenerator:
    """Frames for one program."""

    def __init__(self, random: Random, document: Any, pools: Pools) -> None:
        self._random = random
        self._pools = pools
        parser = document["parsers"][0]
        self._start = parser["init_state"]
        self._states = {state["name"]: state for state in parser["parse_states"]}
        self._layouts = _Layouts(document)

    def frame(self) -> bytes:
        """The next frame, of at least one byte."""
        walk = _Walk(self._random, self._layouts, self._pools)
        name = self._start
        for _ in range(_MAX_STATES):
            if name is None:
                break
            name = walk.through(self._states[name])
        frame = walk.frame() + self._random.randbytes(self._random.choice((0, 0, 1, 7, 40)))
        return self._mutated(frame) if self._random.random() < _MUTATED else frame or b"\0"

    def _mutated(self, frame: bytes) -> bytes:
        if not frame:
            return b"\0"
        place = self._random.randrange(len(frame))
        change = self._random.randrange(3)
        if change == 0:
            return frame[: place + 1]
        if change == 1:
            return frame[:place] + self._random.randbytes(1) + frame[place + 1 :]
        return frame[:place] + self._random.randbytes(self._random.randrange(1, 5)) + frame[place:]


class _Layouts:
    """Fields of headers: names and widths; the variable one has none."""

    def __init__(self, document: Any) -> None:
        self._types = {item["name"]: item["fields"] for item in document["header_types"]}
        self._of = {item["name"]: item["header_type"] for item in document["headers"]}
        stacks = document["header_stacks"]
        self._of |= {item["name"]: item["header_type"] for item in stacks}
        unions = {item["name"]: item["headers"] for item in document.get("header_union_types", ())}
        for stack in document.get("header_union_stacks", ()):
            for member, header_type in unions[stack["union_type"]]:
                self._of[f"{stack['name']}.{member}"] = header_type

    def fields(self, header: str) -> list[tuple[str, int]]:
        return [
            (name, width if isinstance(width, int) else 0)
            for name, width, *_ in self._types[self._of[header]]
        ]


class _Walk:
    """One frame in the making: all bits up front, what a header extracts is overwritten."""

    def __init__(self, random: Random, layouts: _Layouts, pools: Pools) -> None:
        self._random, self._layouts, self._pools = random, layouts, pools
        self._bits = random.getrandbits(_FRAME_BITS) if random.random() < 0.5 else 0
        self._wanted = 0  # bits that a selection has set
        self._cursor = 0
        self._places: dict[str, tuple[int, int]] = {}

    def through(self, state: Mapping[str, Any]) -> str | None:
        """Extracts what the state extracts, takes one of its transitions, and says where to."""
        for operation in state["parser_ops"]:
            self._perform(operation["op"], operation["parameters"])
        transition = self._random.choice(state["transitions"])
        if transition["type"] == "hexstr":
            self._select(state["transition_key"], transition)
        following = transition["next_state"]
        return None if following is None else str(following)

    def frame(self) -> bytes:
        """What has been extracted, in whole bytes."""
        length_bits = min(-(-self._cursor // 8) * 8, _FRAME_BITS)
        return (self._bits >> (_FRAME_BITS - length_bits)).to_bytes(length_bits // 8, "big")

    def _perform(self, operation: str, parameters: list[Any]) -> None:
        if operation in ("extract", "extract_VL"):
            value = parameters[0]["value"]
            self._extract(".".join(value) if isinstance(value, list) else value)
        elif operation == "advance" and parameters[0]["type"] == "hexstr":
            self._cursor += int(parameters[0]["value"], 16)
        elif operation == "set":
            target = ".".join(parameters[0]["value"])
            place = self._place(parameters[1])
            if place is not None:
                self._places[target] = place

    def _extract(self, header: str) -> None:
        for name, width in self._layouts.fields(header):
            field = f"{header}.{name}"
            if width and self._cursor + width <= _FRAME_BITS:
                self._set(self._cursor, width, self._pools.value(field, width), wanted=False)
                self._places[field] = (self._cursor, width)
            self._cursor = min(self._cursor + width, _FRAME_BITS)

    def _select(self, keys: list[Any], transition: Mapping[str, Any]) -> None:
        """Writes a transition's value where its keys lie. A key takes whole bytes of the value."""
        value = int(transition["value"], 16)
        for key in reversed(keys):
            place = self._place(key)
            if place is None:
                return
            position, width = place
            self._set(position, width, value & ((1 << width) - 1), wanted=True)
            value >>= -(-width // 8) * 8

    def _place(self, operand: Mapping[str, Any]) -> tuple[int, int] | None:
        """Where in the frame an operand lies, if there: first bit and width."""
        kind, value = operand["type"], operand["value"]
        if kind == "lookahead":
            return self._cursor + value[0], value[1]
        if kind in ("field", "stack_field", "union_stack_field"):
            return self._places.get(".".join(value))
        if kind == "expression" and isinstance(value, dict) and "type" in value:
            return self._place(value)
        return None

    def _set(self, position: int, width: int, value: int, *, wanted: bool) -> None:
        if position + width > _FRAME_BITS:
            return
        shift = _FRAME_BITS - position - width
        mask = ((1 << width) - 1) << shift
        if wanted:
            self._wanted |= mask
        else:
            mask &= ~self._wanted
        self._bits = self._bits & ~mask | (value << shift) & mask
