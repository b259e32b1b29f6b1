// The v1model pipeline, the same for all builds; the including file has chosen memory, departures
// and a PROGRAM_NAME. A client finds name and version in P4Info; the version changes with what clients
// see: registers, mailbox headers, tables and actions.
#include "../parser.p4"
#include "../checksum.p4"
#include "../forwarding.p4"
#ifdef SEVERAL_QUEUES
#include "../queue_selection.p4"
#endif
#ifdef MEASURE_FLOWS
#include "../flows/flows_by_headers.p4"
#else
#include "../flows/unmeasured.p4"
#endif
#include "../adaptive/queue_limit.p4"
#include "../mark_frame.p4"
#include "../adaptive/mailbox.p4"
#include "../packet_io/multicast.p4"
#include "../packet_io/packet_io.p4"
#include "../packet_io/trap.p4"

control AbsIngress(inout headers_t hdr,
                   inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) {
    Trap() trap;
    Multicast() multicast;
    Forwarding() forwarding;
    SendFrame() send_frame;
#ifdef SEVERAL_QUEUES
    QueueSelection() queue_selection;
#endif
    SendToController() send_to_controller;
    MeasureFlows() measure_flows;
    QueueLimit() queue_limit;
    MarkFrame() mark_frame;
    Admit() admit;
    Mailbox() mailbox;

    apply {
        if (hdr.mailbox.head.isValid()) {
            mailbox.apply(hdr.mailbox, standard_metadata);
            meta.packet_in_reason = PACKET_IN_MAILBOX;
            meta.target_egress_port = CPU_PORT;
        } else {
            if (hdr.packet_out.isValid()) {
                standard_metadata.packet_length =
                    standard_metadata.packet_length - PACKET_OUT_BYTES;
            }
            // Where there is an IP header, nothing but ports and flags behind it can be missing.
            if (standard_metadata.parser_error == error.PacketTooShort
                && (hdr.ipv4.isValid() || hdr.ipv6.isValid())) {
                standard_metadata.parser_error = error.NoError;
            }
            bool is_intact = standard_metadata.parser_error == error.NoError
                && standard_metadata.checksum_error == 0;
            if (hdr.packet_out.isValid() && hdr.packet_out.submit_to_ingress == 0) {
                send_frame.apply(hdr, meta, standard_metadata);
            } else {
                if (is_intact) {
                    trap.apply(hdr, meta);
                }
                if (meta.packet_in_reason != PACKET_IN_REDIRECTED) {
                    if (is_intact && hdr.ethernet.destination[40:40] == 1) {
                        multicast.apply(hdr, standard_metadata);
                    }
                    if (standard_metadata.mcast_grp == 0) {
                        forwarding.apply(hdr, meta, standard_metadata);
                    }
                }
                if (meta.packet_in_reason != PACKET_IN_FORWARDED) {
                    send_to_controller.apply(meta, standard_metadata);
                }
            }
            if (meta.forwarded) {
#ifdef SEVERAL_QUEUES
                queue_selection.apply(hdr, standard_metadata);
#endif
                if (hdr.ipv4.isValid() || hdr.ipv6.isValid()) {
                    measure_flows.apply(hdr, meta, standard_metadata);
                }
                admission_t admission;
                queue_limit.apply(meta.adaptive, standard_metadata, admission);
                if (admission.beyond_limit) {
                    mark_frame.apply(hdr, admission);
                }
                admit.apply(meta.adaptive, standard_metadata, admission);
            }
        }
    }
}

control AbsEgress(inout headers_t hdr,
                  inout metadata_t meta,
                  inout standard_metadata_t standard_metadata) {
    RecordDeparture() record_departure;
    Depart() depart;
    AwaitAnswer() await_answer;

    apply {
        record_departure.apply(meta.adaptive, standard_metadata);
        depart.apply(hdr, meta, standard_metadata);
        await_answer.apply(meta.flow, meta.tcp_flags, meta.adaptive, standard_metadata);
    }
}

@pkginfo(name=PROGRAM_NAME, version="3.2.0")
V1Switch(AbsParser(), AbsVerifyChecksum(), AbsIngress(), AbsEgress(),
         AbsComputeChecksum(), AbsDeparser()) main;
