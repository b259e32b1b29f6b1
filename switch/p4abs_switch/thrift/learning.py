"""Digests as BMv2 sends them: samples of each learn list, in buffers that clients acknowledge.

A sample that waits, or that has been sent and not been acknowledged, is not sent again.
"""

import asyncio
import struct
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from p4abs_switch import bytestring
from p4abs_switch.bmv2.document import LearnList
from p4abs_switch.thrift.protocol.service import Refusal
from p4abs_switch.thrift.refusals import LearnCode
from p4abs_switch.thrift.target import Target

# Topic, device, context, list, buffer and number of samples (msg_hdr_t of BMv2's learning.h).
_HEADER = struct.Struct("<4sQiiQI")
_TOPIC = b"LEA|"
_CONTEXT = 0

_SAMPLES = 16
_TIMEOUT_S = 1.0
# Of a client that acknowledges nothing; the oldest buffers are forgotten first.
_MAX_UNACKNOWLEDGED = 65_536


@dataclass(slots=True)
class _Channel:
    """One list: what waits, and what was sent but not acknowledged."""

    most_samples: int = _SAMPLES
    timeout_s: float = _TIMEOUT_S
    buffer: int = 0
    waiting: list[bytes] = field(default_factory=list)
    known: set[bytes] = field(default_factory=set)
    sent: dict[int, dict[int, bytes]] = field(default_factory=dict)
    timer: asyncio.TimerHandle | None = None

    def stop_timer(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
        self.timer = None

    def acknowledge(self, buffer: int, samples: Iterable[int] | None) -> None:
        """Of a buffer that was sent: these samples, or all, may be sent again."""
        of_buffer = self.sent.get(buffer, {})
        for sample in list(of_buffer) if samples is None else samples:
            if sample in of_buffer:
                self.known.discard(of_buffer.pop(sample))
        if not of_buffer:
            self.sent.pop(buffer, None)


class Learning:
    """Collects digests into messages for `publish`. Belongs to the event loop's thread."""

    def __init__(self, target: Target, publish: Callable[[bytes], None]) -> None:
        self._target = target
        self._publish = publish
        self._channels: dict[int, _Channel] = {}
        self._loads = target.loads

    def take(self, digests: Iterable[tuple[str, Sequence[bytes]]]) -> None:
        """Takes digests of the program: names, and fields one after the other.

        Those of another program, which has sent them just before this one, go no further.
        """
        lists = {each.name: each for each in self._target.loaded.learn_lists}
        for name, values in digests:
            found = lists.get(name)
            if found is not None and len(found.widths_bits) == len(values):
                self._add(found.number, _sample(found, values))

    def acknowledge(self, number: int, buffer: int, samples: Sequence[int] | None = None) -> None:
        """A client has acted on a buffer, or on some samples. Raises Refusal."""
        self._channel(number).acknowledge(buffer, samples)

    def set_timeout(self, number: int, timeout_ms: int) -> None:
        """Bounds how long samples wait for others; 0: not at all. Raises Refusal."""
        if timeout_ms < 0:
            raise Refusal(LearnCode.ERROR, f"timeout {timeout_ms} ms; valid: from 0")
        self._channel(number).timeout_s = timeout_ms / 1000

    def set_most_samples(self, number: int, samples: int) -> None:
        """Bounds how many samples a message has. Raises Refusal."""
        if samples < 1:
            raise Refusal(LearnCode.ERROR, f"{samples} samples; valid: from 1")
        channel = self._channel(number)
        channel.most_samples = min(samples, _MAX_UNACKNOWLEDGED)
        if len(channel.waiting) >= samples:
            self._flush(number, channel)

    def close(self) -> None:
        """Sends nothing any more."""
        for channel in self._channels.values():
            channel.stop_timer()
        self._channels.clear()

    def _channel(self, number: int) -> _Channel:
        self._start_anew_after_a_swap()
        numbers = [each.number for each in self._target.loaded.learn_lists]
        if number not in numbers:
            valid = ", ".join(map(str, numbers)) or "none"
            raise Refusal(LearnCode.INVALID_LIST_ID, f"no learn list {number}; valid: {valid}")
        return self._channels.setdefault(number, _Channel())

    def _start_anew_after_a_swap(self) -> None:
        if self._loads != self._target.loads:
            self.close()
            self._loads = self._target.loads

    def _add(self, number: int, sample: bytes) -> None:
        channel = self._channel(number)
        if sample in channel.known:
            return
        channel.known.add(sample)
        channel.waiting.append(sample)
        if len(channel.waiting) >= channel.most_samples:
            self._flush(number, channel)
        elif channel.timer is None and channel.timeout_s:
            loop = asyncio.get_running_loop()
            channel.timer = loop.call_later(channel.timeout_s, self._time_out, number, channel)

    def _time_out(self, number: int, channel: _Channel) -> None:
        self._start_anew_after_a_swap()
        if self._channels.get(number) is channel:
            self._flush(number, channel)

    def _flush(self, number: int, channel: _Channel) -> None:
        channel.stop_timer()
        samples, buffer = channel.waiting, channel.buffer
        channel.waiting, channel.buffer = [], buffer + 1
        channel.sent[buffer] = dict(enumerate(samples))
        while len(channel.known) > _MAX_UNACKNOWLEDGED:
            channel.acknowledge(next(iter(channel.sent)), None)
        device = self._target.outside.device_id
        header = _HEADER.pack(_TOPIC, device, _CONTEXT, number, buffer, len(samples))
        self._publish(header + b"".join(samples))


def _sample(learned: LearnList, values: Sequence[bytes]) -> bytes:
    """The fields side by side, each in whole bytes."""
    pairs = zip(values, learned.widths_bits, strict=True)
    return b"".join(bytestring.filled(value, width_bits) for value, width_bits in pairs)
