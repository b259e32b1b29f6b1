"""Feed-forward: when the number of flows has changed, the limit follows at once.

If loss binds, the windows of all flows fill the link and the queue:

    q + C R = N W(p*)

q is the mean queue, and R the mean of the round-trip times without this queue, weighted by rate. N'
flows instead of N fill q' + C R = N' W(p*). The queue swings as far below the limit as before, so
the limit b changes as the queue does:

    b' = b + (q + C R) (N' / N - 1)

This holds for any congestion control for which N' flows have the same windows at p* as N flows had.
That is not quite so. So the model is trusted only as far as it has held: the `trust` in a change is
how far the limit has really gone after earlier changes, divided by how far the model asked it to
go. The errors decide where the limit stays. If N is wrong by a factor, or does not move, nothing
changes.

* The limit starts from where it was before the change was seen, not from what errors have made of
  it since.
* Only the branch of loss moves, and only while loss binds.
* More flows count only while more is lost: forged flows are many, but they fill no queue. Fewer
  flows count only once the queue is smaller.
* A rise takes 0.8 s, in steps. Behind a limit that rises at once, the slow starts of all flows fill
  the queue together, and then all of them lose together.
* After a rise errors wait: the losses of slow starts are not those of the load.
* On the way down, N' flows need a buffer of at most C R / sqrt(N') to keep the link busy
  (Appenzeller, Keslassy and McKeown 2004). The branch of utilization, which has followed so far,
  goes no lower.
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
"""The number of flows is looked at this often, so a change waits no longer."""

RISE_S = 0.8
"""How long a rise takes."""

WAIT_S, WAIT_ROUND_TRIPS = 1.0, 2.0
"""How long errors wait after a rise: one second, because the first losses of a flow may cost it a
time-out (RFC 6298), and two round trips with the full queue, until what it sends then shows."""

MARK_S = 0.5
"""Limit and queue are noted this often, or once in a drain time if that is longer: once in two
blocks of `flow_count`, but not while blocks lack flows. A move starts from the note before the last
one, because the last one may be of the block in which flows left."""

FOLLOWED_S = 2.5
"""For so long after a change, the limit follows the number of flows as it becomes known better."""

REST_S = 3.0
"""A change so soon after another one belongs to it: the limit between them is no start for a
move."""

LONGEST_ROUND_TRIP_S = 1.0
"""If a round trip with the full queue takes longer, flows may be silent for longer than the data
plane counts them (p4src/flows). Then their number is not believed."""

EMPTY = 1e-3
"""A smaller mean queue counts as this share of the limit."""

JITTER = 0.03
"""Smaller differences of the number are not followed."""

MAX_CHANGE = math.log(16)
"""The most that one change may ask for, up or down."""

LOWEST_POWER = 3.0
"""A limit falls no further than by this power of the ratio of flows. If C R is most of what the
windows fill, a small error of C R is a large error of the limit."""

TELLING_CHANGE = 0.2
"""If the model asked for less than this, how far the limit went does not test the model."""

TRUST_WEIGHT, TRUST_S = 0.5, 10.0
"""Weight of one change in the trust, if the errors have had much longer than TRUST_S to find the
limit; otherwise less."""


@dataclass(frozen=True, slots=True, eq=False)
class FeedForward(Columns):
    """`moves`: the loss branch is to go to `level`, a limit's logarithm. Errors wait for
    `waiting_s`.

    The window that goes on: `window_s` is its length, `active_s` and `long_s` are the times of its
    flows, `least_full` is the smallest share of the limit that stood in the queue.

    Means of the last seconds: `binding` is the share of the time in which loss has bound, `full`
    the share of the limit that stands in the queue, `round_trip_s` is R.

    Notes: `last_level` and `last_full` are the limit's logarithm and `full` at the last note,
    `earlier_level` and `earlier_full` at the note before; `marked_s` has passed since the last.

    The last change was seen `since_change_s` ago. It began at `base_level` and `base_full` with
    `base_flows`. The limit has followed the number of flows to `followed`, for which the model has
    `asked` the level to move by so much.
    """

    count: FlowCount = field(default_factory=FlowCount)
    window_s: Floats = 0.0
    active_s: Floats = 0.0
    long_s: Floats = 0.0
    least_full: Floats = math.inf
    round_trip_s: Floats = math.nan
    full: Floats = 1.0
    last_full: Floats = 1.0
    earlier_full: Floats = 1.0
    base_full: Floats = 1.0
    marked_s: Floats = 0.0
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
        full: Floats,
        limit_level: Floats,
        bytes_per_s: Floats,
        *,
        binds: Flags,
        loses: Flags,
    ) -> "FeedForward":
        """After an interval with these means: numbers of `active` and `long` flows, R, and the
        share of the limit that stood in the queue (`full`); nan: not measured.

        `binds`: the loss target determines the limit. `loses`: loss exceeds its target.
        """
        is_counted = is_known(active)
        weight = minimum(duration_s / MEMORY_S, 1.0)
        known = choose(is_known(self.round_trip_s), self.round_trip_s, round_trip_s)
        mean_s = known + weight * (round_trip_s - known)
        least_full = choose(is_known(full), full, 0.0)
        full = choose(is_known(full), minimum(full, 1.0), 1.0)
        now = replace(
            self,
            window_s=self.window_s + choose(is_counted, duration_s, 0.0),
            active_s=self.active_s + choose(is_counted, active * duration_s, 0.0),
            long_s=self.long_s + choose(is_counted, long * duration_s, 0.0),
            least_full=minimum(self.least_full, least_full),
            round_trip_s=choose(is_known(round_trip_s), mean_s, self.round_trip_s),
            full=self.full + weight * (full - self.full),
            binding=self.binding + weight * (choose(binds, 1.0, 0.0) - self.binding),
            since_change_s=self.since_change_s + duration_s,
            waiting_s=maximum(self.waiting_s - duration_s, 0.0),
            moves=self.moves & False,
        )
        is_whole = now.window_s >= WINDOW_S
        return now.changed(is_whole, FeedForward._with_window, limit_level, bytes_per_s, loses)

    def least_level(self, bytes_per_s: Floats) -> Floats:
        """The logarithm of the limit that keeps the link busy with the present flows."""
        flows = maximum(self.followed, 1.0)
        return log(maximum(self._pipe_bytes(bytes_per_s), 1.0)) - log(flows) / 2

    def _pipe_bytes(self, bytes_per_s: Floats) -> Floats:
        return choose(is_known(self.round_trip_s), bytes_per_s * self.round_trip_s, 0.0)

    def _with_window(self, limit_level: Floats, bytes_per_s: Floats, loses: Flags) -> "FeedForward":
        young_s = maximum(self.active_s - self.long_s, 0.0)
        drain_time_s = exp(limit_level) / bytes_per_s
        count = self.count.after(
            self.window_s,
            self.active_s,
            young_s,
            drain_time_s,
            self.least_full / maximum(self.last_full, EMPTY),
            loses=loses,
        )
        nothing = 0.0 * self.window_s
        now = replace(
            self,
            count=count,
            window_s=nothing,
            active_s=nothing,
            long_s=nothing,
            least_full=nothing + math.inf,
            marked_s=self.marked_s + self.window_s,
        )
        now = now.changed(count.changes, FeedForward._with_change, bytes_per_s)
        now = now.changed(
            now.since_change_s < FOLLOWED_S, FeedForward._following, limit_level, bytes_per_s
        )
        is_due = now.marked_s >= maximum(drain_time_s, MARK_S)
        return now.changed(
            is_due & (now.count.low_blocks == 0), FeedForward._with_mark, limit_level
        )

    def _with_mark(self, limit_level: Floats) -> "FeedForward":
        earlier = choose(is_known(self.last_level), self.last_level, limit_level)
        return replace(
            self,
            last_level=limit_level,
            earlier_level=earlier,
            last_full=self.full,
            earlier_full=self.last_full,
            marked_s=0.0 * self.marked_s,
        )

    def _with_change(self, bytes_per_s: Floats) -> "FeedForward":
        now = self.changed(self.since_change_s > REST_S, FeedForward._from_here, bytes_per_s)
        return replace(now, since_change_s=0.0 * now.since_change_s, followed=now.count.before)

    def _from_here(self, bytes_per_s: Floats) -> "FeedForward":
        binds = self.binding > 0.5
        full_bytes = exp(self.earlier_level) + self._pipe_bytes(bytes_per_s)
        is_base = binds & (full_bytes <= LONGEST_ROUND_TRIP_S * bytes_per_s)
        came = self.earlier_level - self.base_level
        tells = binds & is_known(came) & (abs(self.asked) > TELLING_CHANGE)
        held = between(choose(tells, came, 1.0) / choose(tells, self.asked, 1.0), 0.0, 1.0)
        weight = TRUST_WEIGHT * (1 - exp(-self.since_change_s / TRUST_S))
        return replace(
            self,
            base_level=choose(is_base, self.earlier_level, math.nan),
            base_flows=self.count.before,
            base_full=self.earlier_full,
            asked=0.0 * self.asked,
            trust=choose(tells, self.trust + weight * (held - self.trust), self.trust),
        )

    def _following(self, limit_level: Floats, bytes_per_s: Floats) -> "FeedForward":
        flows = self.count.flows
        is_news = abs(log(flows / self.followed)) > JITTER
        rises = (self.asked > 0) & (self.since_change_s < RISE_S + WINDOW_S)
        # Without R the model asks for too little, so rises are left to the errors.
        is_answered = is_known(self.round_trip_s) | (log(flows / self.base_flows) < JITTER)
        return self.changed(
            (is_news | rises) & is_answered & is_known(self.base_level),
            FeedForward._moved,
            flows,
            limit_level,
            bytes_per_s,
        )

    def _moved(self, flows: Floats, limit_level: Floats, bytes_per_s: Floats) -> "FeedForward":
        ratio = flows / self.base_flows
        base_bytes, pipe_bytes = exp(self.base_level), self._pipe_bytes(bytes_per_s)
        windows_bytes = self.base_full * base_bytes + pipe_bytes
        wanted_bytes = base_bytes + windows_bytes * (ratio - 1)
        lowest_bytes = base_bytes * power(minimum(ratio, 1.0), LOWEST_POWER + 0.0 * ratio)
        asked = log(maximum(wanted_bytes, lowest_bytes)) - self.base_level
        asked = between(asked, -MAX_CHANGE, MAX_CHANGE)
        level = self.base_level + self.trust * asked
        rises = ratio > 1
        share = minimum((self.since_change_s + WINDOW_S) / RISE_S, 1.0)
        on_the_way = log(base_bytes + (exp(level) - base_bytes) * share)
        level = choose(rises, maximum(on_the_way, minimum(limit_level, level)), level)
        return replace(
            self,
            followed=flows,
            asked=asked,
            waiting_s=choose(rises, self._wait_s(level, bytes_per_s), 0.0),
            moves=self.moves | True,
            level=level,
        )

    def _wait_s(self, level: Floats, bytes_per_s: Floats) -> Floats:
        """How much longer errors wait, with a limit of this `level`."""
        round_trip_s = (self._pipe_bytes(bytes_per_s) + exp(level)) / bytes_per_s
        wait_s = WAIT_S + WAIT_ROUND_TRIPS * round_trip_s - self.since_change_s
        return maximum(wait_s, self.waiting_s)
