"""The base of tests in which the real queue loses packets that the limit had admitted."""

from __future__ import annotations

from absptf.capabilities import SENDER, SLOW_SMALL
from absptf.frames import MAX_BYTES
from absptf.mailbox_packets import Snapshot
from absptf.switch_test import SwitchTest

BURST_FRAMES = 20  # far more than the small memory holds


class OverflowTest(SwitchTest):
    def setUp(self) -> None:
        super().setUp()
        if not self.capabilities.small_memory:
            self.skipTest(f"{self.capabilities.target} offers no small queue memory here")

    def overflow(self) -> Snapshot:
        """Sends a burst of which the real queue loses the end; the limit admits all of it."""
        # Made before, so that they come faster than the slow link sends.
        for frame in [self.frame(MAX_BYTES, SLOW_SMALL, number=n) for n in range(BURST_FRAMES)]:
            self.send(SENDER, frame)
        seen = self.wait_until_offered(SLOW_SMALL, BURST_FRAMES * MAX_BYTES)
        self.assertEqual(seen.dropped_bytes, 0)
        return seen

    def snapshots_until_it_stands(self) -> list[Snapshot]:
        """Up to the first one in which time passes as on an unused link, though bytes are left."""
        snapshots = [self.switch.exchange(SLOW_SMALL)]
        while len(snapshots) < 2 or not _stands(*snapshots[-2:]):
            snapshots.append(self.switch.exchange(SLOW_SMALL))
            if len(snapshots) > 100_000:
                self.fail(f"still busy: {snapshots[-1]}")
        return snapshots


def _stands(before: Snapshot, after: Snapshot) -> bool:
    elapsed_us = after.timestamp_us - before.timestamp_us
    is_unused = after.unsaturated_us - before.unsaturated_us == elapsed_us > 0
    return is_unused and before.departed_bytes == after.departed_bytes != after.admitted_bytes
