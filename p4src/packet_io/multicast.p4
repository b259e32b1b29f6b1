// Frames for a group of stations: one copy for each port of a multicast group, but for the one that the
// frame came by. Whoever writes the groups keeps them free of loops.
//
// Copies come into being behind the queue limit, which knows no ports of theirs. So they are not in a
// port's admitted bytes: packet_io.p4 counts what bypasses the limit.
#ifndef MULTICAST_P4
#define MULTICAST_P4

#include "../headers.p4"
#include "../ids.p4"
#include "../table_sizes.p4"

control Multicast(in headers_t hdr, inout standard_metadata_t standard_metadata) {
    @id(REPLICATE_ACTION_ID)
    @action_restriction("multicast_group_id != 0;")
    action replicate(@id(1) @refers_to(builtin::multicast_group_table, multicast_group_id)
                     multicast_group_t multicast_group_id) {
        standard_metadata.mcast_grp = multicast_group_id;
    }

    @id(NOT_REPLICATED_ACTION_ID)
    action pass() { }

    @id(ETHERNET_MULTICAST_TABLE_ID) @p4runtime_role(ROLE_FORWARDING)
    table ethernet_multicast {
        key = { hdr.ethernet.destination: exact @id(1) @name("dst_mac") @format(MAC_ADDRESS); }
        actions = { @proto_id(1) replicate; @defaultonly @proto_id(2) pass; }
        const default_action = pass();
        size = MULTICAST_MINIMUM_ENTRIES;
    }

    apply {
        ethernet_multicast.apply();
    }
}

#endif
