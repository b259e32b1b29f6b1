// Makes a v1model program of others adaptive: bytes are counted for each port, a controller sets the limit
// of each port's queue, and asks by the mailbox what has become of it. The program takes, besides this file:
//
//   in its headers     mailbox_packet_t, emitted before its own Ethernet header
//   in its metadata    adaptive_metadata_t
//   in its parser      ParseMailbox, for what comes from the CPU port
//   in its ingress     AdaptiveIngress, when it is decided where the packet goes
//   in its egress      AdaptiveEgress, before all else
//
// How it tells the controller of a packet to the CPU port is its own matter; a program that has no packet I/O
// takes with_packet_io.p4 in the place of this file. Files that are included before this one change what it
// does:
//
//   memory/shared.p4              one memory for all queues
//   departures/virtual_queue.p4   occupancy from a virtual queue
//
// A program of several queues a port defines SEVERAL_QUEUES before, and sets standard_metadata.priority.
// A program that marks packets (ecn_marking.p4) defines MARK_PACKETS before, and applies the parts of
// AdaptiveIngress itself, as ../v1model/pipeline.p4 does. One that measures flows defines MEASURE_FLOWS
// before, and takes ../flows/adaptive_flows.p4. Ids are those of ../ids.p4; a program gives its own objects others.
#ifndef ADAPTIVE_P4
#define ADAPTIVE_P4

#include "memory/own.p4"
#include "departures/queue.p4"
#include "queue_limit.p4"
#include "mailbox.p4"

// A packet-out to the CPU port is the mailbox's where it has the EtherType. What leaves by any other port
// comes to its queue; copies come into being behind it.
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
