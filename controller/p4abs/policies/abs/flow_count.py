"""The number of long flows, and when it changes.

The data plane counts flows by their time (p4src/flows): each packet adds the time since its flow's
packet before. So the number at one moment is noisy, and a pause of all flows looks like their end
until they go on.

* More flows show in young flows, which appear only when flows begin, and in their losses. This is
  seen at once. Young flows without losses may be forged and do not count.
* Fewer flows show in three blocks in a row that lack them. A pause that is shorter than two blocks
  leaves no three behind, because what ends the pause counts for all of it. The queue has to shrink
  as well: flows that seem to have left but still fill it have not left.
* If all flows leave, the number stays what it was, for the next flows.

Short flows do not count, whether there are as many as usual, more or fewer. Old flows that were
silent for so long that they look new do not count either: they are young, but not more.
"""

import math
from dataclasses import dataclass, replace

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
    without,
)

MIN_BLOCK_S = 0.25
"""Two blocks are longer than BBR is silent to measure the minimum round-trip time (0.2 s, and until
the queue has drained)."""

LOW_BLOCKS = 3
"""So many blocks in a row that lack flows mean fewer flows."""

SETTLING_S = 0.75
"""After flows have begun, there are young ones for so long: half a second for each (p4src/flows),
and some send their second packet later than others."""

MIN_CHANGE = math.log(1.25)
"""Smaller changes are left to the errors."""

RISE_DEVIATIONS, LOW_DEVIATIONS = 6.0, 3.0
"""So many mean deviations are noise: young flows of a rise exceed the usual ones by more than the
first, a block that lacks flows differs from the number by more than the second."""

MEMORY_S = 5.0
"""Time constant of the number of flows, of its noise, and of the young flows that are usual."""

LARGEST_WEIGHT = 0.2
"""The most that one block weighs in the noise."""

FEWEST_FLOWS = 0.5
"""Stands for no flows, because 0 has no logarithm."""


@dataclass(frozen=True, slots=True, eq=False)
class FlowCount(Columns):
    """There are `flows` now (nan: not known). `changes`: the last window has shown a change; there
    were `before` flows before it.

    The last window: `window_s` is its length, `window_flow_s` and `window_young_s` are the times of
    all its flows and of the young ones. `block_s`, `block_flow_s` and `block_young_s` are the same
    for the block that goes on, `block_queue` is the smallest queue of this block and of the low
    ones before it, as a share of the usual one.

    Before that block, `low_blocks` in a row lacked flows; the last block showed `last_seen` flows.
    `young` young flows are usual. `noise` is the mean deviation of a block's logarithm,
    `young_noise` that of the young flows as a share of all. Flows that have begun stay young for
    `settling_s`; `steady_s` has passed since the last change.
    """

    flows: Floats = math.nan
    before: Floats = math.nan
    changes: Flags = False
    window_s: Floats = 0.0
    window_flow_s: Floats = 0.0
    window_young_s: Floats = 0.0
    block_s: Floats = 0.0
    block_flow_s: Floats = 0.0
    block_young_s: Floats = 0.0
    block_queue: Floats = math.inf
    low_blocks: Floats = 0.0
    last_seen: Floats = math.nan
    young: Floats = 0.0
    noise: Floats = 0.0
    young_noise: Floats = 0.0
    settling_s: Floats = 0.0
    steady_s: Floats = 0.0

    def after(
        self,
        window_s: Floats,
        flow_s: Floats,
        young_s: Floats,
        drain_time_s: Floats,
        queue: Floats,
        *,
        loses: Flags,
    ) -> "FlowCount":
        """After a window. `flow_s` and `young_s` are the times of all flows and of young ones,
        `drain_time_s` is that of the limit, `queue` the smallest queue as a share of the usual one.
        `loses`: loss exceeds its target."""
        now = replace(
            self,
            changes=self.changes & False,
            block_s=self.block_s + window_s,
            block_flow_s=self.block_flow_s + flow_s,
            block_young_s=self.block_young_s + young_s,
            block_queue=minimum(self.block_queue, queue),
            settling_s=maximum(self.settling_s - window_s, 0.0),
        )
        now = now.changed(
            is_known(self.flows), FlowCount._compared, window_s, flow_s, young_s, loses
        )
        now = replace(now, window_s=window_s, window_flow_s=flow_s, window_young_s=young_s)
        is_whole = now.block_s >= maximum(drain_time_s / 2, MIN_BLOCK_S)
        return now.changed(is_whole, FlowCount._with_block)

    def _compared(
        self, window_s: Floats, flow_s: Floats, young_s: Floats, loses: Flags
    ) -> "FlowCount":
        """Compares the last two windows with what is usual."""
        length_s = window_s + self.window_s
        excess = (young_s + self.window_young_s) / length_s - self.young
        settles = self.settling_s > 0
        before = choose(settles, self.before, self.flows)
        more = minimum(excess, (flow_s + self.window_flow_s) / length_s - self.young - before)
        least = maximum(RISE_DEVIATIONS * self.young_noise, math.expm1(MIN_CHANGE)) * before
        rises = (more > least) & (loses | settles)
        begins = without(rises, settles)
        weight = choose(settles | begins, 0.0, minimum(window_s / MEMORY_S, 1.0))
        deviation = abs(excess) / before
        # Half of the way: a flow's second packet also counts for the time before it.
        seen = choose(settles, (self.flows + before + more) / 2, before + more)
        return replace(
            self,
            flows=choose(rises, maximum(seen, self.flows), self.flows),
            before=before,
            changes=begins,
            settling_s=choose(begins, SETTLING_S, self.settling_s),
            young=self.young + weight * excess,
            young_noise=self.young_noise + weight * (deviation - self.young_noise),
        )

    def _with_block(self) -> "FlowCount":
        all_flows, young = self.block_flow_s / self.block_s, self.block_young_s / self.block_s
        most = all_flows - minimum(self.young, young)
        fewest = all_flows - maximum(self.young, young)
        before = choose(is_known(self.flows), self.flows, maximum(most, FEWEST_FLOWS))
        flows = choose(most < FEWEST_FLOWS, before, between(before, fewest, most))
        flows = maximum(flows, FEWEST_FLOWS)
        nothing = 0.0 * flows
        deviation = log(flows / before)
        settles = self.settling_s > 0
        lacks = -deviation > maximum(LOW_DEVIATIONS * self.noise, MIN_CHANGE)
        # When flows leave, the queue shrinks by at least their share. Half of that is enough, in
        # any of the blocks: it needs time to drain, and those that stay soon fill it again.
        has_drained = self.block_queue <= (before + flows) / (2 * before)
        may_drain = self.low_blocks < LOW_BLOCKS - 1
        is_low = without(lacks & (has_drained | may_drain), settles)
        low_blocks = choose(is_low, self.low_blocks + 1, nothing)
        falls = low_blocks >= LOW_BLOCKS
        # A mean over the change's own number and all blocks since, as far as they are remembered.
        steady_s = choose(settles | falls, nothing, self.steady_s + self.block_s)
        is_first = steady_s <= self.block_s
        weight = self.block_s / minimum(steady_s + self.block_s, maximum(self.block_s, MEMORY_S))
        weight = choose(settles, nothing, weight)
        bounded = between(deviation, -MIN_CHANGE, MIN_CHANGE)
        follows = before * exp(weight * choose(is_first, deviation, bounded))
        size = minimum(abs(deviation), MIN_CHANGE)
        weight_of_noise = choose(is_first, nothing, minimum(weight, LARGEST_WEIGHT))
        return replace(
            self,
            flows=choose(falls, (flows + self.last_seen) / 2, choose(is_low, before, follows)),
            before=choose(falls, before, self.before),
            changes=self.changes | falls,
            low_blocks=choose(falls, nothing, low_blocks),
            last_seen=flows,
            noise=self.noise + weight_of_noise * (size - self.noise),
            steady_s=steady_s,
            block_s=nothing,
            block_flow_s=nothing,
            block_young_s=nothing,
            block_queue=choose(low_blocks > 0, self.block_queue, math.inf),
        )
