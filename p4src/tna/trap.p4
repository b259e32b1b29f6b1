// Which packets a controller gets, as ../packet_io/trap.p4 says it, and at which rate. What has been
// trapped has the header of a packet-in from here on, goes nowhere else and meets no queue.
//
// There is no action that copies: a copy is a mirrored frame, which takes an egress of its own.
#ifndef TNA_TRAP_P4
#define TNA_TRAP_P4

#include "headers.p4"
#include "../ids.p4"

#define TRAP_ENTRIES 128

control Trap(inout headers_t hdr, inout metadata_t meta) {
    @id(TRAPPED_PACKETS_COUNTER_ID) @p4runtime_role(ROLE_FORWARDING)
    direct_counter(CounterType.packets_and_bytes) trapped_packets;

    // Packets a second, by class: they share the way to the controllers with the mailbox.
    @id(PACKET_IN_METER_ID) @p4runtime_role(ROLE_BUFFER_CONTROL)
    Meter<packet_in_class_t>(PACKET_IN_CLASS_COUNT, MeterType_t.PACKETS) packet_in_meter;

    @id(REDIRECT_ACTION_ID)
    action redirect(@id(1) packet_in_class_t packet_in_class) {
        hdr.packet_in.setValid();
        meta.trap.packet_in_class = packet_in_class;
        meta.trap.color = packet_in_meter.execute(packet_in_class);
        trapped_packets.count();
    }

    @id(PASS_ACTION_ID)
    action pass() { }

    @id(TRAP_TABLE_ID) @p4runtime_role(ROLE_FORWARDING)
    @entry_restriction("
        ether_type != 0x88b6;
        dst_ip::mask != 0 -> ether_type == 0x0800;
        dst_ipv6::mask != 0 -> ether_type == 0x86dd;
        ttl::mask != 0 -> (ether_type == 0x0800 || ether_type == 0x86dd);
        ip_protocol::mask != 0 -> (ether_type == 0x0800 || ether_type == 0x86dd);
        l4_dst_port::mask != 0 -> (ip_protocol == 6 || ip_protocol == 17);
    ")
    table trap {
        key = {
            hdr.ethernet.ether_type: ternary @id(1) @name("ether_type");
            hdr.ethernet.destination: ternary @id(2) @name("dst_mac") @format(MAC_ADDRESS);
            hdr.ipv4.destination: ternary @id(3) @name("dst_ip") @format(IPV4_ADDRESS);
            hdr.ipv6.destination: ternary @id(4) @name("dst_ipv6") @format(IPV6_ADDRESS);
            meta.trap.ttl: ternary @id(5) @name("ttl");
            meta.trap.ip_protocol: ternary @id(6) @name("ip_protocol");
            meta.trap.destination_port: ternary @id(7) @name("l4_dst_port");
        }
        actions = {
            @proto_id(2) redirect;
            @defaultonly @proto_id(3) pass;
        }
        const default_action = pass();
        counters = trapped_packets;
        size = TRAP_ENTRIES;
    }

    apply {
        trap.apply();
    }
}

#endif
