"""What registers of the P4 programs mean to clients. Of others, the source's comment tells it."""

from collections.abc import Mapping

ABOUT: Mapping[str, str] = {
    "admitted_bytes": "Bytes that the queue limit has admitted.",
    "dropped_bytes": "Bytes that were dropped at the queue limit.",
    "departed_bytes": "Bytes that have left the queue.",
    "departed_at_us": "Time of the last update of `departed_bytes`.",
    "queue_limit_bytes": "The queue limit; 0: none has been set. The controller writes it.",
    "drain_rate": "The rate at which the queue empties; 0: none has been set. The controller "
    "writes it.",
    "unsaturated_us": "Unsaturated time, as far as ingress counts it. Unsaturated time begins "
    "when a departure leaves the queue empty, and ends with the next departure.",
    "unsaturated_wait_us": "The rest of the unsaturated time, which egress counts. Add both "
    "registers.",
    "unsaturated_bytes": "Bytes that the link has sent in the unsaturated time.",
    "least_backlog_bytes": "Minimum backlog in the window with the number `measured_window`.",
    "greatest_backlog_bytes": "Maximum backlog in that window.",
    "measured_window": "Number of the window of minimum and maximum backlog.",
    "backlog_window": "Number of the window to measure. The controller writes another number to "
    "begin a new window.",
    "ecn_marking": "1: packets beyond the limit are marked instead of dropped, if their senders "
    "understand ECN. The controller writes it.",
    "marked_bytes": "Bytes of marked packets.",
    "active_flow_us": "Active time, summed over all flows.",
    "long_flow_us": "The same sum for flows that have been active for half a second or more.",
    "untracked_bytes": "Bytes of flows that the two sums leave out. Such a flow found its cell in "
    "`flow_cells` taken by another flow.",
    "timed_bytes": "Bytes of packets whose flow's round-trip time is known.",
    "timed_byte_us": "Round-trip time, summed over `timed_bytes`.",
    "stalled_bytes": "The value that `admitted_bytes` had when the queue last stopped moving, for "
    "instance because the link went down. Bytes that were admitted before and have not departed "
    "are stuck.",
    "busy_since_us": "Time at which ingress last found the queue empty or stuck. "
    "`unsaturated_us` is counted up to this time.",
    "last_frame_bytes": "Length of the last admitted frame. It is 0 once `unsaturated_bytes` "
    "includes the frame, and while the queue does not move.",
    "flow_cells": "The hash of a flow selects its cell. A cell holds the signature, age and "
    "round-trip time of its last flow, and when that flow last sent.",
    "occupied_bytes": "Bytes in all queues together.",
    "released_bytes": "How many of the queue's `admitted_bytes` have left the shared memory.",
    "standing_since_us": "Time at which ingress last found the queue stuck: it had packets and "
    "sent none.",
    "last_queue": "Number of the queue that sent the port's last frame.",
    "overtaken_at_us": "Time at which the port began the first frame of another queue after the "
    "last frame of this queue.",
    "departed_fraction": "The fraction of a byte that has left in addition to `departed_bytes`, in "
    "units of 2^-20.",
}
