// A next hop's port and neighbour, one of several by the flow's hash.
#ifndef TNA_ROUTER_NEXT_HOP_P4
#define TNA_ROUTER_NEXT_HOP_P4

#include "headers.p4"
#include "table_sizes.p4"

control NextHop(inout metadata_t meta, inout port_t port) {
    Hash<flow_hash_t>(HashAlgorithm_t.IDENTITY) flow;
    ActionProfile(NEXT_HOP_MEMBERS) members;
    ActionSelector(members, flow, SelectorMode_t.FAIR, NEXT_HOPS_OF_GROUP, NEXT_HOP_GROUPS) groups;

    action send(port_t member_port, neighbour_t member_neighbour) {
        port = member_port;
        meta.neighbour = member_neighbour;
        meta.forwarded = true;
    }

    action discard() { }

    // The queue begins with the port: one stage later, and Tofino 1 has none for the queue's last.
    @stage(2)
    table next_hop {
        key = { meta.next_hop: exact; meta.flow_hash: selector; }
        actions = { send; @defaultonly discard; }
        const default_action = discard();
        size = NEXT_HOPS;
        implementation = groups;
    }

    apply {
        next_hop.apply();
    }
}

#endif
