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
    "unsaturated_us": "The part of the unsaturated time that ingress counts. Unsaturated time runs "
    "from each departure that leaves the queue empty until the next departure.",
    "unsaturated_wait_us": "The part of the unsaturated time that egress counts. The sum of both "
    "registers is the unsaturated time.",
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
    "untracked_bytes": "Bytes of flows that are not counted, because other flows occupy their "
    "cells.",
    "timed_bytes": "Bytes of packets whose flow's round-trip time is known.",
    "timed_byte_us": "Round-trip time, summed over `timed_bytes`.",
    "stalled_bytes": "The value that `admitted_bytes` had when the queue last stood still, for "
    "instance because the link was down. Bytes before it that have not departed are stuck.",
    "busy_since_us": "Time since which the queue has packets and sends. Unsaturated time is "
    "counted up to this time.",
    "last_frame_bytes": "Length of the last admitted frame; 0 if the frame is counted in "
    "`unsaturated_bytes`, or does not move.",
    "flow_cells": "A cell for each flow: signature, round-trip time, age and time of the flow that "
    "used the cell last.",
    "occupied_bytes": "Bytes in all queues together.",
    "released_bytes": "How many of the queue's `admitted_bytes` occupy no memory any more.",
    "standing_since_us": "Time since which the queue has packets and sends none.",
    "last_queue": "Number of the queue that sent the port's last frame.",
    "overtaken_at_us": "Time of the first frame of another queue of the port after the last frame "
    "of this queue.",
    "departed_fraction": "Fraction of a byte, in units of 2^-20, that has left beyond "
    "`departed_bytes`.",
}
