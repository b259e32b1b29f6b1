"""What registers of the P4 programs mean to clients. Of others, the source's comment tells it."""

from collections.abc import Mapping

ABOUT: Mapping[str, str] = {
    "admitted_bytes": "Bytes that the queue took in.",
    "dropped_bytes": "Bytes that were dropped at the queue limit.",
    "departed_bytes": "Bytes that have left the queue.",
    "departed_at_us": "When `departed_bytes` was last brought up to date.",
    "queue_limit_bytes": "The queue limit; 0: none has been set. The controller writes it.",
    "drain_rate": "The rate at which the queue empties; 0: none has been set. The controller "
    "writes it.",
    "unsaturated_us": "Unsaturated time: from each departure that leaves the queue empty until the "
    "next one. It is the sum of this register and `unsaturated_wait_us`.",
    "unsaturated_wait_us": "The part of the unsaturated time that egress counts.",
    "unsaturated_bytes": "Bytes that the link has sent in the unsaturated time.",
    "least_backlog_bytes": "Minimum backlog in the window that `measured_window` names.",
    "greatest_backlog_bytes": "Maximum backlog in that window.",
    "measured_window": "Number of the window of minimum and maximum backlog.",
    "backlog_window": "Number of the window to measure. The controller writes another number to "
    "begin a new window.",
    "ecn_marking": "1: packets beyond the limit are marked instead of dropped, if their senders "
    "understand ECN. The controller writes it.",
    "marked_bytes": "Bytes of marked packets.",
    "active_flow_us": "Active time, summed over all flows.",
    "long_flow_us": "The same sum for flows that have been active for half a second or more.",
    "untracked_bytes": "Bytes of flows that are not counted, because other flows occupy their "
    "cells.",
    "timed_bytes": "Bytes of packets whose flow's round-trip time is known.",
    "timed_byte_us": "Round-trip time, summed over `timed_bytes`.",
    "stalled_bytes": "`admitted_bytes` at the time when the queue was last found to stand still. "
    "Earlier bytes that have not departed are stuck.",
    "busy_since_us": "Since when the queue has had packets that move. Unsaturated time is counted "
    "up to then.",
    "last_frame_bytes": "Length of the frame that was admitted last; 0 once it counts as "
    "unsaturated bytes, or stands still.",
    "flow_cells": "For each cell the flow that it was last used for: signature, round-trip time, "
    "age and time.",
    "occupied_bytes": "Bytes in all queues.",
    "released_bytes": "The port's admitted bytes up to this count occupy no memory any more.",
    "standing_since_us": "Since when the port's queue stands still.",
    "departed_fraction": "Fraction of a byte, in units of 2^-20, that has left beyond "
    "`departed_bytes`.",
}
