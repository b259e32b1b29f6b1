"""The virtual-time simulator: ns-3's TCP and clock, with buffers of four kinds at the ports.

One simulation per process at a time: ns-3 has one clock. A seed and the order of the calls fix
every result. Lengths are Ethernet frames without FCS (14 + IP length), rates are bits of such
frames per second, times are virtual seconds since the start, unless a name says otherwise.

Import it as `p4abs_experiments.ns3`, which explains a missing ns-3. Bad arguments raise
`p4abs.errors.UserError` with one line that names the argument and lists what is valid.
"""

from collections.abc import Mapping, Sequence

CONGESTION_CONTROLS: tuple[str, ...]
"""The names that `congestion_control` takes: newreno, cubic, bbr, dctcp, highspeed, ..."""

MINIMUM_PACKET_BYTES: int
"""The shortest `packet_bytes` of a TCP flow: its headers and one byte."""

NS3_VERSION: str

class Port:
    """A link with a buffer in front, which holds waiting packets only: a packet
    has departed once the link has started to send it. Or one of a link's queues: then rates, stalls
    and outages are the link's."""

    @property
    def name(self) -> str: ...
    @property
    def rate_bps(self) -> int:
        """The present one."""

    def set_rate_bps(self, rate_bps: int) -> None:
        """From the next packet on; the one in transmission is finished. UserError: 0."""

    def set_stalled(self, stalled: bool) -> None:
        """While stalled, the port admits what fits and sends nothing more."""

    def set_down(self, down: bool) -> None:
        """While down, the link sends nothing more, and what arrives is lost before the buffer
        sees it: the sources count it as lost, the port does not count it at all."""

    def snapshot(self) -> tuple[int, int, int, int, int, int, int]:
        """(timestamp_us, admitted_bytes, dropped_bytes, departed_bytes, limit_bytes,
        unsaturated_us, unsaturated_bytes), now.

        Cumulative, in whole microseconds of virtual time. Of a P4 port the byte counts and the
        limit are read from the P4 program's registers. A queue disc that drops what it has
        admitted counts it as dropped and no more as admitted. A link of C bit/s has been idle for
        unsaturated_us / 1e6 - 8 unsaturated_bytes / C seconds, the idle time under way included.
        """

    def idle_s(self) -> float:
        """The time since the beginning in which the queue had nothing to send, neither waiting nor
        in transmission; exact at any rate."""

    def start_backlog_window(self) -> tuple[int, int]:
        """(least, greatest) backlog in bytes since the last call of this or the beginning, as
        arrivals found it and left it; the present backlog belongs to both windows."""

    def marked_bytes(self) -> int:
        """Admitted bytes that the limit has marked instead of dropped (ECN); 0 at a queue-disc
        port, whose marks are its own."""

    def flow_counts(
        self,
    ) -> tuple[int, int, int, int, int] | tuple[None, None, None, None, None]:
        """(active_flow_us, long_flow_us, untracked_bytes, timed_bytes, timed_byte_us) as the P4
        program has counted them; None at other ports."""

    def set_limit_bytes(self, limit: int) -> None:
        """Takes effect at once, also below the present occupancy: then every arrival is dropped
        until the buffer has drained. 0 stands for no limit. UserError at a queue-disc port, whose
        attributes set its limit, and at one that shares its memory."""

    def set_ecn_marking(self, marking: bool) -> None:
        """Whether packets above the limit whose transport understands it (ECN) are marked instead
        of dropped, up to twice the limit. UserError at a queue-disc port, whose UseEcn says so,
        and where the P4 program does not mark."""

    def occupancy_bytes(self) -> int:
        """Admitted and not departed."""

    def start_delay_record(self) -> None:
        """Starts the record of queueing delays, or starts it anew: of every departing packet,
        the time from arrival to the start of transmission."""

    def delay_quantile_s(self, q: float) -> float:
        """Quantile 0 <= q <= 1 of the record, within 0.4 %; nan when it is empty."""

    def delay_mean_s(self) -> float:
        """Mean of the record, exact; nan when it is empty."""

    def mean_occupancy_bytes(self) -> float:
        """Mean over time since start_delay_record (else since the beginning), exact."""

class SharedMemory:
    """A memory that the queues of several ports share."""

class Flow:
    """One source. Packets are data packets, retransmissions included, as they reach the ports;
    goodput is what the receiving application has got."""

    def set_paused(self, paused: bool) -> None:
        """While paused, the source has nothing new to send; TCP sends again what was lost. After a
        pause longer than a retransmission timeout it begins with its initial window (RFC 5681)."""

    def goodput_bytes(self) -> int: ...
    def sent_packets(self) -> int:
        """Packets that the sender has put on its access link."""

    def offered_packets(self) -> int:
        """Arrivals at ports; a packet that passes two ports counts twice."""

    def lost_packets(self) -> int:
        """Drops, at all ports."""

    def marked_packets(self) -> int:
        """Packets that a port has marked (ECN)."""

    def offered_bytes(self) -> int: ...
    def lost_bytes(self) -> int: ...
    def completion_s(self) -> float | None:
        """From start_s until all size_bytes were received; None: not yet, or endless."""

    def congestion_window_bytes(self) -> int:
        """The sender's, now; 0 when it has none (CBR, not started, stopped)."""

class FlowSet:
    """Sources that start TCP connections, one after the other or many at a time. The counts are
    sums over all of its connections, as `Flow` counts them."""

    def set_paused(self, paused: bool) -> None:
        """While paused, no connection is started; those that were go on."""

    def started(self) -> int:
        """Connections started."""

    def completed(self) -> int:
        """Connections whose last byte was received."""

    def goodput_bytes(self) -> int: ...
    def sent_packets(self) -> int: ...
    def offered_packets(self) -> int: ...
    def lost_packets(self) -> int: ...
    def marked_packets(self) -> int: ...
    def offered_bytes(self) -> int: ...
    def lost_bytes(self) -> int: ...
    def mean_completion_s(self) -> float:
        """Of the completed connections, from the first SYN to the last byte; nan without any."""

    def completion_quantile_s(self, q: float) -> float:
        """Quantile of the same, within 0.4 %; nan without any."""

    def restart_record(self) -> None:
        """Forgets the completion times so far, and counts started and completed from 0."""

class Simulation:
    """A network and its clock. Ports first, then traffic, then `run_until`.

        sender --- rtt/2 + jitter --> [buffer] link --> [buffer] link --> receiver
           ^                           ports of the path                     |
           +--------------- [buffer] link <---------------- rtt/2 -----------+
                             reverse_ports, if any

    The fixed delay, there and back, without queueing and without serialisation at the ports, is
    the flow's `rtt_s`; a `delay_s` is one way. Of it, half lies before the first port and half
    before the first reverse port; between ports and behind the last one there is none.

    `jitter_s`: every packet's access delay grows by an own uniform draw from [0, jitter_s], but
    a flow's packets stay in order. It breaks the phase effects of deterministic simulations;
    negative (the default) means one packet's serialisation time at the first port.
    """

    def __init__(self, seed: int, delayed_ack_segments: int = 1) -> None:
        """UserError while another Simulation exists in this process.

        delayed_ack_segments: segments per acknowledgement; 1 switches delayed ones off.
        """

    def close(self) -> None:
        """Ends the simulation; ports and flows can then no longer be used. Also called by the
        context manager and when the object goes."""

    def __enter__(self) -> Simulation: ...
    def __exit__(self, *exception: object) -> None: ...

    # --- ports -------------------------------------------------------------------------------

    def add_p4_port(self, name: str, rate_bps: int, program_json: bytes, limit_bytes: int) -> Port:
        """Admission by the compiled P4 program `queue` (p4src/build/queue.json) in the project's
        embedded engine: every packet passes its parser, ingress and egress as a real frame."""

    def add_plain_port(self, name: str, rate_bps: int, limit_bytes: int) -> Port:
        """The same rule in C++: a packet is admitted if it fits below the limit (tail drop)."""

    def add_p4_queues(
        self,
        names: Sequence[str],
        rate_bps: int,
        program_json: bytes,
        weights: Sequence[int] = (),
    ) -> list[Port]:
        """The queues of one link, numbered from 0, each a Port: a path leads through one of them.
        The highest number is first in line; with `weights` of at least 1 they take turns in bytes
        (deficit round robin). They have no limits yet. One program, `shared_queue`, serves all, by
        DSCP. UserError: more than 8 queues."""

    def add_plain_queues(
        self, names: Sequence[str], rate_bps: int, weights: Sequence[int] = ()
    ) -> list[Port]:
        """The same with the rule in C++."""

    def add_shared_memory(self, size_bytes: int, by_congested_queues: bool = False) -> SharedMemory:
        """Dynamic thresholds (Choudhury and Hahne, 1998): a queue may be alpha times as long as the
        memory that is free; by_congested_queues: that, divided by the number of congested queues,
        each counted by its length over what it may be (ABM, Addanki et al., SIGCOMM 2022)."""

    def add_shared_memory_port(
        self, name: str, rate_bps: int, memory: SharedMemory, alpha: float
    ) -> Port:
        """Tail drop at the limit that the memory sets, which the snapshots show; it cannot be set
        otherwise."""

    def add_queue_disc_port(
        self, name: str, rate_bps: int, type_id: str, attributes: Mapping[str, str]
    ) -> Port:
        """Admission by a queue disc of ns-3, for instance "FifoQueueDisc", "RedQueueDisc",
        "PieQueueDisc", "CoDelQueueDisc"; attributes as ns-3 names and writes them, for instance
        {"MaxSize": "300000B", "ARED": "true"}; "UseEcn" for marks, where a disc has it. RED's
        LinkBandwidth is set from the port unless given. Bytes are of frames, as everywhere."""

    # --- traffic -----------------------------------------------------------------------------

    def add_tcp_flow(
        self,
        ports: Sequence[Port],
        *,
        rtt_s: float,
        packet_bytes: int,
        congestion_control: str = "reno",
        start_s: float = 0.0,
        stop_s: float = ...,
        size_bytes: int = 0,
        window_bytes: int = ...,
        initial_window_segments: int = 10,
        ecn: bool = False,
        jitter_s: float = -1.0,
        reverse_ports: Sequence[Port] = (),
    ) -> Flow:
        """One TCP connection that always has data to send, or size_bytes in all.

        packet_bytes: frame of a full segment. The sender falls silent at stop_s (default: never).
        window_bytes: the receiver's window; the default is no hindrance. ecn: asks for explicit
        congestion notification (RFC 3168) and understands marks; dctcp always does.
        """

    def add_cbr_flow(
        self,
        ports: Sequence[Port],
        *,
        delay_s: float,
        packet_bytes: int,
        rate_bps: float,
        start_s: float = 0.0,
        stop_s: float = ...,
        on_s: float = ...,
        off_s: float = 0.0,
        jitter_s: float = 0.0,
    ) -> Flow:
        """UDP packets at a constant rate_bps. With a finite on_s (mean, default: infinite) phases
        of sending and of silence alternate, exponential with means on_s and off_s."""

    def add_web_user(
        self,
        ports: Sequence[Port],
        *,
        rtt_s: float,
        packet_bytes: int,
        congestion_control: str = "reno",
        start_s: float = 0.0,
        pages: tuple[int, int] = (10, 2000),
        page_gap_s: float = 1.0,
        objects: tuple[int, int] = (1, 5),
        object_gap_s: float = 0.01,
        object_bytes: float = 10_000.0,
        pareto_shape: float = 1.2,
        window_bytes: int = ...,
        initial_window_segments: int = 10,
        ecn: bool = False,
        jitter_s: float = -1.0,
        reverse_ports: Sequence[Port] = (),
    ) -> FlowSet:
        """Pages of objects, one TCP connection per object (ABS paper, section 4.4).

        pages, objects: least and largest number, uniform. page_gap_s, object_gap_s: mean of the
        exponential gap after a completed page or object. object_bytes: mean of the Pareto sizes.
        """

    def add_poisson_flows(
        self,
        ports: Sequence[Port],
        *,
        rtt_s: tuple[float, float],
        packet_bytes: int,
        flows_per_s: float,
        size_bytes: float,
        pareto_shape: float = 0.0,
        congestion_control: str = "reno",
        start_s: float = 0.0,
        stop_s: float = ...,
        window_bytes: int = ...,
        initial_window_segments: int = 10,
        ecn: bool = False,
        jitter_s: float = -1.0,
        reverse_ports: Sequence[Port] = (),
    ) -> FlowSet:
        """TCP connections that start as a Poisson process; the round-trip time of each is uniform
        in rtt_s. size_bytes: of each, or with a pareto_shape > 1 the mean of Pareto sizes."""

    # --- time --------------------------------------------------------------------------------

    def now_s(self) -> float: ...
    def run_until(self, time_s: float) -> None:
        """Runs all events before time_s, and those of that instant which were scheduled by now.
        Releases the GIL. UserError: time_s has passed."""

    def event_count(self) -> int:
        """Events executed so far."""
