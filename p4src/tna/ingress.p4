// A packet and a mailbox request (see ../adaptive/mailbox.p4) take the same way through the virtual queue: a
// request is a frame of no bytes. Each pass serves one port, and puts its record where the request
// stood, behind those that wait. As long as some do, the packet comes in again.
#ifndef TNA_INGRESS_P4
#define TNA_INGRESS_P4

#include "headers.p4"
#include "martians.p4"
#include "../forwarding.p4"
#include "packet_io.p4"
#include "trap.p4"
#include "frame_bytes.p4"
#include "wire_bytes.p4"
#include "virtual_queue.p4"
#include "wraps.p4"
#include "backlog_extremes.p4"
#ifdef MEASURE_FLOWS
#include "flows.p4"
#else
#include "flows_unmeasured.p4"
#endif

@pa_auto_init_metadata
control AbsIngress(inout headers_t hdr,
                   inout metadata_t meta,
                   in ingress_intrinsic_metadata_t intrinsic,
                   in ingress_intrinsic_metadata_from_parser_t from_parser,
                   inout ingress_intrinsic_metadata_for_deparser_t for_deparser,
                   inout ingress_intrinsic_metadata_for_tm_t for_tm) {
    Forwarding() forwarding;
    Trap() trap;
    SendFrame() send_frame;
    SendToController() send_to_controller;
    FrameBytes() frame;
    WireBytes() wire;
    TimeWords() time_words;
    VirtualQueue() virtual_queue;
    BacklogWindow() backlog_window;
    BacklogExtremes() backlog_extremes;
    MeasureFlow() measure_flow;
    CountFlow() count_flow;
    Wraps(PORT_COUNT) wraps_of_admitted;
    Wraps(PORT_COUNT) wraps_of_dropped;

    // The most that may stand in the queue. 0: no limit has been set. Writer: controller.
    Register<bytes_t, port_t>(PORT_COUNT, 0) queue_limit_bytes;

    RegisterAction<bytes_t, port_t, bytes_t>(queue_limit_bytes) read_limit = {
        void apply(inout bytes_t value, out bytes_t limit) {
            limit = value;
        }
    };

    RegisterAction<bytes_t, port_t, bytes_t>(queue_limit_bytes) write_limit = {
        void apply(inout bytes_t value, out bytes_t limit) {
            value = hdr.request.queue_limit_bytes;
            limit = value;
        }
    };

    apply {
        standard_metadata_t standard_metadata;
        claimed_bytes_t claimed_bytes = 0;
        bytes_t limit;
        bytes_t least;
        bytes_t greatest;
        sequence_t window;
        bytes_t admitted_high;
        bytes_t dropped_high;
        bool starts_window = meta.is_request
            && hdr.request.operation & MAILBOX_START_BACKLOG_WINDOW != 0;

        standard_metadata.ingress_port = intrinsic.ingress_port;
        standard_metadata.parser_error = error.NoError;
        standard_metadata.checksum_error = (bit<1>)meta.checksum_error;
        standard_metadata.egress_spec = 0;
        for_tm.bypass_egress = 1;
        time_words.apply(from_parser.global_tstamp, meta.time);

        if (meta.is_request) {
            standard_metadata.egress_spec = (port_t)hdr.request.port;
            if (hdr.request.port < PORT_COUNT) {
                meta.forwarded = true;
            }
        } else {
            frame.apply(hdr, claimed_bytes);
            measure_flow.apply(hdr, from_parser.global_tstamp, meta.flow);
            if (hdr.packet_out.isValid() && hdr.packet_out.submit_to_ingress == 0) {
                send_frame.apply(hdr, meta, standard_metadata);
            } else {
                if (!meta.checksum_error && hdr.ethernet.ether_type != ETHER_TYPE_MAILBOX) {
                    trap.apply(hdr, meta);
                }
                // Of what has been trapped, too: to wait for that would take stages. It has no effect.
                forwarding.apply(hdr, meta, standard_metadata);
            }
        }

        if (meta.forwarded && !hdr.packet_in.isValid()) {
            port_t port = standard_metadata.egress_spec;
            if (!meta.is_request) {
                wire.apply(port, claimed_bytes, meta.frame_bytes);
            }
            count_flow.apply(port, meta.frame_bytes, meta.flow, meta.flow_counts);
            if (meta.is_request && hdr.request.operation & MAILBOX_WRITE_QUEUE_LIMIT != 0) {
                limit = write_limit.execute(port);
            } else {
                limit = read_limit.execute(port);
            }
            backlog_window.apply(port, starts_window, hdr.mailbox.sequence, window);
            virtual_queue.apply(port, meta.is_request, meta.frame_bytes,
                                meta.time, limit, meta.words, meta.passage);
            wraps_of_admitted.apply(port, meta.passage.admitted_bytes, admitted_high);
            wraps_of_dropped.apply(port, meta.passage.dropped_bytes, dropped_high);
            backlog_extremes.apply(port, meta.passage.found, meta.passage.left,
                                   starts_window, least, greatest);
            if (meta.is_request) {
                hdr.record.setValid();
                hdr.record.port = hdr.request.port;
                hdr.record.timestamp_ns = from_parser.global_tstamp;
                hdr.record.admitted_bytes_high = admitted_high;
                hdr.record.admitted_bytes_low = meta.passage.admitted_bytes;
                hdr.record.dropped_bytes_high = dropped_high;
                hdr.record.dropped_bytes_low = meta.passage.dropped_bytes;
                hdr.record.backlog_bytes = meta.passage.left;
                hdr.record.queue_limit_bytes = limit;
                hdr.record.least_backlog_bytes = least;
                hdr.record.greatest_backlog_bytes = greatest;
                hdr.record.backlog_window = window;
#ifdef MEASURE_FLOWS
                hdr.record.active_ticks_high = meta.flow_counts.active_ticks_high;
                hdr.record.active_ticks_low = meta.flow_counts.active_ticks_low;
                hdr.record.long_ticks_high = meta.flow_counts.long_ticks_high;
                hdr.record.long_ticks_low = meta.flow_counts.long_ticks_low;
                hdr.record.untracked_bytes_high = meta.flow_counts.untracked_bytes_high;
                hdr.record.untracked_bytes_low = meta.flow_counts.untracked_bytes_low;
#endif
                if (hdr.request.requests_left == 0) {
                    hdr.packet_in.setValid();
                    hdr.packet_in.ingress_port = CPU_PORT;
                    hdr.packet_in.target_egress_port = CPU_PORT;
                    hdr.packet_in.reason = PACKET_IN_MAILBOX;
                    for_tm.ucast_egress_port = CONTROLLER_PORT;
                } else {
                    for_tm.ucast_egress_port = RECIRCULATION_PORT;
                }
                hdr.request.setInvalid();
            } else {
                for_tm.ucast_egress_port = port;
                if (meta.passage.dropped) {
                    for_deparser.drop_ctl = 1;
                }
            }
        } else {
            for_tm.ucast_egress_port = CONTROLLER_PORT;
            send_to_controller.apply(hdr, meta, intrinsic.ingress_port, for_deparser.drop_ctl);
        }
    }
}

#endif
