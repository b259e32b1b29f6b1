// adaptive.p4 for a program without packet I/O: adds the headers packet_out_t and packet_in_t, and controls
// that serve them. A packet-out leaves by the port that it names, or is treated like a frame from a link. All
// packets to the CPU port reach the controller. The program's parser extracts packet_out_t from packets that
// come from the CPU port; its deparser emits packet_in_t first.
#ifndef ADAPTIVE_WITH_PACKET_IO_P4
#define ADAPTIVE_WITH_PACKET_IO_P4

#include "packet_io_headers.p4"
#include "adaptive.p4"

// Replaces AdaptiveIngress.
control AdaptiveIngressWithPacketIo(in packet_out_t sent,
                                    inout mailbox_packet_t mailbox_packet,
                                    inout adaptive_metadata_t meta,
                                    inout standard_metadata_t standard_metadata) {
    AdaptiveIngress() adaptive;

    apply {
        if (sent.isValid()) {
            standard_metadata.packet_length = standard_metadata.packet_length - PACKET_OUT_BYTES;
            if (sent.submit_to_ingress == 0) {
                bool is_request = mailbox_packet.head.isValid();
                // No frame to send: shorter than an Ethernet header, or for the CPU port and no request.
                if (standard_metadata.parser_error != error.NoError
                    || (sent.egress_port == CPU_PORT && !is_request)) {
                    mark_to_drop(standard_metadata);
                } else {
                    standard_metadata.egress_spec = sent.egress_port;
                }
            }
        }
        adaptive.apply(mailbox_packet, meta, standard_metadata);
    }
}

// Replaces AdaptiveEgress.
control AdaptiveEgressWithPacketIo(inout packet_in_t hdr,
                                   in mailbox_packet_t mailbox_packet,
                                   in adaptive_metadata_t meta,
                                   in standard_metadata_t standard_metadata) {
    AdaptiveEgress() adaptive;

    apply {
        adaptive.apply(meta, standard_metadata);
        if (standard_metadata.egress_port == CPU_PORT) {
            hdr.setValid();
            hdr.ingress_port = standard_metadata.ingress_port;
            hdr.target_egress_port = standard_metadata.egress_port;
            hdr.reason = mailbox_packet.head.isValid() ? PACKET_IN_MAILBOX : PACKET_IN_FORWARDED;
        }
    }
}

#endif
