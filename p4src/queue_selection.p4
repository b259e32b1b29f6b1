// Which of its port's queues a packet takes: what the entry for its port and DSCP (RFC 2474) says, or else
// queue 0. A packet that is not IP has DSCP 0, as most have that are.
#ifndef QUEUE_SELECTION_P4
#define QUEUE_SELECTION_P4

#include "headers.p4"
#include "ids.p4"
#include "table_sizes.p4"

typedef bit<6> dscp_t;  // RFC 2474, the highest bits of a traffic class

control QueueSelection(in headers_t hdr, inout standard_metadata_t standard_metadata) {
    dscp_t dscp = 0;

    @id(SET_QUEUE_ACTION_ID)
    action set_queue(@id(1) queue_t queue) {
        standard_metadata.priority = queue;
    }

    @id(KEEP_QUEUE_ACTION_ID)
    action keep_queue() { }

    @id(QUEUE_SELECTION_TABLE_ID) @p4runtime_role(ROLE_BUFFER_CONTROL)
    table queue_selection {
        key = {
            standard_metadata.egress_spec: exact @id(1) @name("egress_port");
            dscp: exact @id(2) @name("dscp");
        }
        actions = { @proto_id(1) set_queue; @defaultonly @proto_id(2) keep_queue; }
        const default_action = keep_queue();
        size = QUEUE_SELECTION_MINIMUM_ENTRIES;
    }

    apply {
        if (hdr.ipv4.isValid()) {
            dscp = hdr.ipv4.traffic_class[7:2];
        } else if (hdr.ipv6.isValid()) {
            dscp = hdr.ipv6.traffic_class[7:2];
        }
        queue_selection.apply();
    }
}

#endif
