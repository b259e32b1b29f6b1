// The v1model pipeline, the same for all builds; the including file has chosen memory, departures
// and a PROGRAM_NAME. A client finds name and version in P4Info; the version changes with what clients
// see: registers, mailbox headers, tables and actions.
#include "../parser.p4"
#include "../checksum.p4"
#include "../forwarding.p4"
#include "../flows/flow_time.p4"
#include "../queue_limit.p4"
#include "../mailbox.p4"

control AbsIngress(inout headers_t hdr,
                   inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) {
    Forwarding() forwarding;
    MeasureFlows() measure_flows;
    QueueLimit() queue_limit;
    Mailbox() mailbox;

    apply {
        if (standard_metadata.ingress_port == CPU_PORT) {
            mailbox.apply(hdr, meta, standard_metadata);
        } else {
            // Where there is an IP header, nothing but ports and flags behind it can be missing.
            if (standard_metadata.parser_error == error.PacketTooShort
                && (hdr.ipv4.isValid() || hdr.ipv6.isValid())) {
                standard_metadata.parser_error = error.NoError;
            }
            forwarding.apply(hdr, meta, standard_metadata);
            if (meta.forwarded) {
                if (hdr.ipv4.isValid() || hdr.ipv6.isValid()) {
                    measure_flows.apply(hdr, meta, standard_metadata);
                }
                queue_limit.apply(hdr, meta, standard_metadata);
            }
        }
    }
}

control AbsEgress(inout headers_t hdr,
                  inout metadata_t meta,
                  inout standard_metadata_t standard_metadata) {
    RecordDeparture() record_departure;
    TellDeparture() tell_departure;

    apply {
        record_departure.apply(meta, standard_metadata);
        if (meta.tcp_flags & TCP_SYN != 0) {
            time_us_t departure_us;
            tell_departure.apply(standard_metadata, departure_us);
            await_answer(meta.flow, departure_us);
        }
    }
}

@pkginfo(name=PROGRAM_NAME, version="2.3.0")
V1Switch(AbsParser(), AbsVerifyChecksum(), AbsIngress(), AbsEgress(),
         AbsComputeChecksum(), AbsDeparser()) main;
