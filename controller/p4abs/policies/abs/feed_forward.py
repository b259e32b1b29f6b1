"""Feed-forward: when the number of flows has changed, the limit follows at once.

Where loss binds the windows of all flows fill the link and the queue:

    b + C R = N W(p*)

with R the mean of the round-trip times without the queue, weighted by rate. So N' flows in the
place of N ask for

    b' = (b + C R) N' / N - C R

whatever the flows' congestion control makes of p*, as long as that is the same for N' flows as for
N. It is not quite, so the model is trusted no further than it has held: how far the limit has gone
after a change, over how far the model asked it to go, is the `trust` in the next one. The errors
decide where the limit stays; N that is wrong by a factor, or does not move, changes nothing.

* From where: the limit before the change was seen, not what the errors have made of it since.
* Which branch: only the one of loss, while that binds.
* After a rise errors wait: the losses of slow starts are not those of the load.
* On the way down the buffer that N' flows need to keep the link busy is at most C R / sqrt(N')
  (Appenzeller, Keslassy and McKeown 2004); the branch of utilization, which has followed so far, is
  left no lower.
"""

import math
from dataclasses import dataclass, field, replace

from p4abs.columns import (
    Columns,
    Flags,
    Floats,
    between,
    choose,
    exp,
    is_known,
    log,
    maximum,
    minimum,
    power,
)
from p4abs.policies.abs.flow_count import MEMORY_S, FlowCount

WINDOW_S = 0.125
"""The number of flows is looked at so often; a change waits no longer for it."""

WAIT_S = 1.0
"""Errors wait for so long after a rise: the first losses of a flow may cost it a time-out of one
second (RFC 6298)."""

FOLLOWED_S = 2.5
"""For so long after a change the limit follows what becomes known of the number of flows."""

REST_S = 3.0
"""A change so soon after another one belongs to it: a limit between them is none to start from."""

LONGEST_DRAIN_S = 0.8
"""Where a full queue takes longer to drain, flows may be silent for longer than they are counted
(one second, p4src/flows), and their number is not believed."""

JITTER = 0.03
"""Smaller differences of the number are not followed."""

MAX_CHANGE = math.log(16)
"""Most that one change may ask for, either way."""

LOWEST_POWER = 3.0
"""A limit falls no further than this power of the ratio of the flows: where C R is most of what the
windows fill, a small error of it is a large one of the limit."""

TELLING_CHANGE = 0.2
"""What was asked for by less than this tells nothing of the model."""

TRUST_WEIGHT, TRUST_S = 0.5, 10.0
"""Weight of one change in the trust, once the errors have had so much time to find the limit."""


@dataclass(frozen=True, slots=True, eq=False)
class FeedForward(Columns):
    """`moves` tells that the loss branch is to go to `level`, a limit's logarithm.

    `window_s`, `active_s` and `long_s` are the length of the window under way and the time of its
    flows; `binding` is the share of the last seconds in which loss has bound. `last_level` and
    `earlier_level` are the limit's logarithm when the last blocks of the count began. The last
    change was seen `since_change_s` ago and began at `base_level` with `base_flows`; `followed`
    flows are answered by now, for which the model has `asked` the level to move. Errors wait for
    `waiting_s`. `round_trip_s` is R.
    """

    count: FlowCount = field(default_factory=FlowCount)
    window_s: Floats = 0.0
    active_s: Floats = 0.0
    long_s: Floats = 0.0
    round_trip_s: Floats = math.nan
    binding: Floats = 0.0
    last_level: Floats = math.nan
    earlier_level: Floats = math.nan
    since_change_s: Floats = 0.0
    base_level: Floats = math.nan
    base_flows: Floats = math.nan
    followed: Floats = math.nan
    asked: Floats = 0.0
    trust: Floats = 1.0
    waiting_s: Floats = 0.0
    moves: Flags = False
    level: Floats = math.nan

    @property
    def waits(self) -> Flags:
        return self.waiting_s > 0

    def after(
        self,
        duration_s: Floats,
        active: Floats,
        long: Floats,
        round_trip_s: Floats,
        limit_level: Floats,
        bytes_per_s: Floats,
        *,
        binds: Flags,
    ) -> "FeedForward":
        """After an interval with so many active and long flows and this R, each nan where it is not
        measured; `binds`: loss does."""
        is_counted = is_known(active)
        weight = minimum(duration_s / MEMORY_S, 1.0)
        known = choose(is_known(self.round_trip_s), self.round_trip_s, round_trip_s)
        mean_s = known + weight * (round_trip_s - known)
        now = replace(
            self,
            window_s=self.window_s + choose(is_counted, duration_s, 0.0),
            active_s=self.active_s + choose(is_counted, active * duration_s, 0.0),
            long_s=self.long_s + choose(is_counted, long * duration_s, 0.0),
            round_trip_s=choose(is_known(round_trip_s), mean_s, self.round_trip_s),
            binding=self.binding + weight * (choose(binds, 1.0, 0.0) - self.binding),
            since_change_s=self.since_change_s + duration_s,
            waiting_s=maximum(self.waiting_s - duration_s, 0.0),
            moves=self.moves & False,
        )
        is_whole = now.window_s >= WINDOW_S
        return now.changed(is_whole, FeedForward._with_window, limit_level, bytes_per_s)

    def least_level(self, bytes_per_s: Floats) -> Floats:
        """The logarithm of what keeps the link busy, for the flows that there are now."""
        flows = maximum(self.followed, 1.0)
        return log(maximum(self._pipe_bytes(bytes_per_s), 1.0)) - log(flows) / 2

    def _pipe_bytes(self, bytes_per_s: Floats) -> Floats:
        return choose(is_known(self.round_trip_s), bytes_per_s * self.round_trip_s, 0.0)

    def _with_window(self, limit_level: Floats, bytes_per_s: Floats) -> "FeedForward":
        young_s = maximum(self.active_s - self.long_s, 0.0)
        drain_time_s = exp(limit_level) / bytes_per_s
        count = self.count.after(self.window_s, self.active_s, young_s, drain_time_s)
        nothing = 0.0 * self.window_s
        now = replace(self, count=count, window_s=nothing, active_s=nothing, long_s=nothing)
        now = now.changed(count.changes, FeedForward._with_change, bytes_per_s)
        now = now.changed(now.since_change_s < FOLLOWED_S, FeedForward._following, bytes_per_s)
        return now.changed(count.block_s == 0, FeedForward._with_block, limit_level)

    def _with_block(self, limit_level: Floats) -> "FeedForward":
        earlier = choose(is_known(self.last_level), self.last_level, limit_level)
        return replace(self, last_level=limit_level, earlier_level=earlier)

    def _with_change(self, bytes_per_s: Floats) -> "FeedForward":
        now = self.changed(self.since_change_s > REST_S, FeedForward._from_here, bytes_per_s)
        return replace(now, since_change_s=0.0 * now.since_change_s, followed=now.count.before)

    def _from_here(self, bytes_per_s: Floats) -> "FeedForward":
        binds = self.binding > 0.5
        is_base = binds & (exp(self.earlier_level) <= LONGEST_DRAIN_S * bytes_per_s)
        came = self.earlier_level - self.base_level
        tells = binds & is_known(came) & (abs(self.asked) > TELLING_CHANGE)
        held = between(choose(tells, came, 1.0) / choose(tells, self.asked, 1.0), 0.0, 1.0)
        weight = TRUST_WEIGHT * (1 - exp(-self.since_change_s / TRUST_S))
        return replace(
            self,
            base_level=choose(is_base, self.earlier_level, math.nan),
            base_flows=self.count.before,
            asked=0.0 * self.asked,
            trust=choose(tells, self.trust + weight * (held - self.trust), self.trust),
        )

    def _following(self, bytes_per_s: Floats) -> "FeedForward":
        flows = self.count.flows
        is_news = abs(log(flows / self.followed)) > JITTER
        return self.changed(
            is_news & is_known(self.base_level), FeedForward._moved, flows, bytes_per_s
        )

    def _moved(self, flows: Floats, bytes_per_s: Floats) -> "FeedForward":
        ratio = flows / self.base_flows
        base_bytes, pipe_bytes = exp(self.base_level), self._pipe_bytes(bytes_per_s)
        wanted_bytes = (base_bytes + pipe_bytes) * ratio - pipe_bytes
        lowest_bytes = base_bytes * power(minimum(ratio, 1.0), LOWEST_POWER + 0.0 * ratio)
        asked = log(maximum(wanted_bytes, lowest_bytes)) - self.base_level
        asked = between(asked, -MAX_CHANGE, MAX_CHANGE)
        waiting_s = choose(ratio > 1, maximum(WAIT_S - self.since_change_s, self.waiting_s), 0.0)
        return replace(
            self,
            followed=flows,
            asked=asked,
            waiting_s=waiting_s,
            moves=self.moves | True,
            level=self.base_level + self.trust * asked,
        )
