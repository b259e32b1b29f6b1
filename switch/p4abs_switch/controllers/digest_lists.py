"""Digests on their way to the controller: lists, duplicates, acknowledgments (section 9.8)."""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from p4abs_switch.protobuf import p4d, p4r

_NS_PER_S = 1e9
# Where the controller sets no bound, or a higher one.
_LONGEST_LIST = 1024
# Digests that a controller leaves without acknowledgment; the oldest list is forgotten first.
_MOST_UNACKNOWLEDGED = 65_536
# The specification's example looks for expired lists now and then. BMv2's server does so once in a
# timeout, and forgets a list the second time: after one to two timeouts. Controllers exist that
# count on more than one.
_TIMEOUTS_TO_FORGET = 1.5

_Content = bytes


@dataclass(frozen=True, slots=True)
class _SentList:
    """What a list has brought, and the timer after which it is forgotten."""

    contents: tuple[_Content, ...]
    timer: asyncio.TimerHandle


@dataclass(slots=True)
class _Channel:
    """One digest: what waits to be sent, and what was sent but not acknowledged."""

    config: p4r.DigestEntry.Config
    waiting: dict[_Content, None] = field(default_factory=dict)
    timer: asyncio.TimerHandle | None = None
    unacknowledged: dict[int, _SentList] = field(default_factory=dict)
    known: set[_Content] = field(default_factory=set)

    def acknowledge(self, list_id: int) -> None:
        """Forgets what a list has brought."""
        sent = self.unacknowledged.pop(list_id, None)
        if sent is not None:
            sent.timer.cancel()
            self.known.difference_update(sent.contents)

    def sent_as(self, config: p4r.DigestEntry.Config) -> None:
        """From now on; without acknowledgments nothing that was sent is remembered."""
        self.config = config
        if not config.ack_timeout_ns:
            self.acknowledge_all()

    def acknowledge_all(self) -> None:
        """Forgets what all lists have brought."""
        for list_id in list(self.unacknowledged):
            self.acknowledge(list_id)

    def stop_timer(self) -> None:
        """Lets what waits wait for another digest."""
        if self.timer is not None:
            self.timer.cancel()
        self.timer = None

    def close(self) -> None:
        """Nothing is sent or forgotten any more."""
        self.stop_timer()
        self.acknowledge_all()


class DigestLists:
    """Collects digests into lists and hands these to `send`. Belongs to the event loop's thread."""

    def __init__(self, send: Callable[[p4r.DigestList], None]) -> None:
        self._send = send
        self._configs: Mapping[int, p4r.DigestEntry.Config] = {}
        self._channels: dict[int, _Channel] = {}
        self._sent = 0

    def take(self, digest_id: int, content: _Content) -> None:
        """Takes a digest of the program, as its P4Data.

        One that is not enabled, and a duplicate of one that waits or is not acknowledged yet, goes
        no further.
        """
        config = self._configs.get(digest_id)
        if config is None:
            return
        channel = self._channels.setdefault(digest_id, _Channel(config))
        if content in channel.waiting or content in channel.known:
            return
        channel.waiting[content] = None
        longest = min(config.max_list_size or _LONGEST_LIST, _LONGEST_LIST)
        if len(channel.waiting) >= longest or not config.max_timeout_ns:
            self._flush(digest_id, channel)
        elif channel.timer is None:
            channel.timer = asyncio.get_running_loop().call_later(
                config.max_timeout_ns / _NS_PER_S, self._flush, digest_id, channel
            )

    def acknowledge(self, ack: p4r.DigestListAck) -> None:
        """The controller has acted on a list: its digests may be sent again."""
        if ack.digest_id in self._channels:
            self._channels[ack.digest_id].acknowledge(ack.list_id)

    def adopt(self, configs: Mapping[int, p4r.DigestEntry.Config]) -> None:
        """Digests are sent as these say, by their ids; of those that are not there none is.

        What waits as another config said is sent at once: it may say for hours.
        """
        self._configs = configs
        for digest_id, channel in list(self._channels.items()):
            if digest_id in configs:
                if channel.waiting and channel.config != configs[digest_id]:
                    self._flush(digest_id, channel)
                channel.sent_as(configs[digest_id])
            else:
                channel.close()
                del self._channels[digest_id]

    def forget(self) -> None:
        """Starts anew, for another program or another controller."""
        for channel in self._channels.values():
            channel.close()
        self._channels.clear()

    def _flush(self, digest_id: int, channel: _Channel) -> None:
        config = channel.config
        channel.stop_timer()
        self._sent += 1
        self._send(
            p4r.DigestList(
                digest_id=digest_id,
                list_id=self._sent,
                data=[p4d.P4Data.FromString(content) for content in channel.waiting],
                timestamp=time.time_ns(),
            )
        )
        if config.ack_timeout_ns:
            timer = asyncio.get_running_loop().call_later(
                _TIMEOUTS_TO_FORGET * config.ack_timeout_ns / _NS_PER_S,
                channel.acknowledge,
                self._sent,
            )
            channel.unacknowledged[self._sent] = _SentList(tuple(channel.waiting), timer)
            channel.known.update(channel.waiting)
            while len(channel.known) > _MOST_UNACKNOWLEDGED:
                channel.acknowledge(next(iter(channel.unacknowledged)))
        channel.waiting.clear()
