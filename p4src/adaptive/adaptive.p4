// Makes any v1model program adaptive: it counts bytes for each port, and a controller sets the limit of each
// port's queue and reads the counts through the mailbox. The program includes this file, and needs:
//
//   in its headers     mailbox_packet_t, emitted before its own Ethernet header
//   in its metadata    adaptive_metadata_t
//   in its parser      ParseMailbox, for what comes from the CPU port
//   in its ingress     AdaptiveIngress, after the egress port has been chosen
//   in its egress      AdaptiveEgress, before all else
//
// How packets to the CPU port reach the controller is up to the program. A program without packet I/O includes
// with_packet_io.p4 instead of this file. Each of these files replaces a part, if it is included before this
// one:
//
//   memory/shared.p4              one memory for all queues
//   departures/virtual_queue.p4   occupancy from a virtual queue
//
// A macro that is defined before turns on a feature. SEVERAL_QUEUES: eight queues for each port, chosen by
// standard_metadata.priority. MARK_PACKETS: ECN (ecn_marking.p4); the program then applies the parts of
// AdaptiveIngress itself, as ../v1model/pipeline.p4 does. MEASURE_FLOWS: flows are counted
// (../flows/adaptive_flows.p4). Ids are those of ../ids.p4; a program gives its own objects other ids.
#ifndef ADAPTIVE_P4
#define ADAPTIVE_P4

#include "memory/own.p4"
#include "departures/queue.p4"
#include "queue_limit.p4"
#include "mailbox.p4"

// A packet-out to the CPU port with the mailbox's EtherType is a request to the mailbox. A packet to any other
// port comes to its queue. Multicast and cloned copies are made later and do not come here.
control AdaptiveIngress(inout mailbox_packet_t mailbox_packet,
                        inout adaptive_metadata_t meta,
                        inout standard_metadata_t standard_metadata) {
    Mailbox() mailbox;
    QueueLimit() queue_limit;
    Admit() admit;

    apply {
        if (mailbox_packet.head.isValid() && standard_metadata.egress_spec == CPU_PORT) {
            mailbox.apply(mailbox_packet, standard_metadata);
        } else if (standard_metadata.egress_spec < CPU_PORT && standard_metadata.mcast_grp == 0) {
            admission_t admission;
            queue_limit.apply(meta, standard_metadata, admission);
            admit.apply(meta, standard_metadata, admission);
        }
    }
}

control AdaptiveEgress(in adaptive_metadata_t meta, in standard_metadata_t standard_metadata) {
    RecordDeparture() record_departure;

    apply {
        record_departure.apply(meta, standard_metadata);
    }
}

#endif
