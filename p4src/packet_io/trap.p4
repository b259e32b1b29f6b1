// Which packets a controller gets: ARP, LLDP, BGP, what has expired. The controllers say so by entries.
// A packet that is redirected goes nowhere else; one that is copied also goes where it would without.
//
// The packets of each class have a rate of their own, so that a storm of one kind leaves the others and
// the mailbox alone. What exceeds it is not sent to the controller, and counted.
#ifndef TRAP_P4
#define TRAP_P4

#include "../headers.p4"
#include "../ids.p4"
#include "../table_sizes.p4"

control Trap(in headers_t hdr, inout metadata_t meta) {
    @id(TRAPPED_PACKETS_COUNTER_ID) @p4runtime_role(ROLE_FORWARDING)
    direct_counter(CounterType.packets_and_bytes) trapped_packets;

    @id(EXCESS_PACKET_INS_COUNTER_ID)
    counter(PACKET_IN_CLASS_COUNT, CounterType.packets_and_bytes) excess_packet_ins;

    // Packets a second, by class: they share the way to the controllers with the mailbox.
    @id(PACKET_IN_METER_ID) @p4runtime_role(ROLE_BUFFER_CONTROL)
    meter(PACKET_IN_CLASS_COUNT, MeterType.packets) packet_in_meter;

    bit<8> ttl = 0;
    bit<8> ip_protocol = 0;

    @id(COPY_ACTION_ID)
    action copy(@id(1) packet_in_class_t packet_in_class) {
        meta.packet_in_reason = PACKET_IN_COPIED;
        meta.packet_in_class = packet_in_class;
        trapped_packets.count();
    }

    @id(REDIRECT_ACTION_ID)
    action redirect(@id(1) packet_in_class_t packet_in_class) {
        meta.packet_in_reason = PACKET_IN_REDIRECTED;
        meta.packet_in_class = packet_in_class;
        trapped_packets.count();
    }

    @id(PASS_ACTION_ID)
    action pass() { }

    // The mailbox's own type is no one's to trap: its frames from links must not look like replies.
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
            ttl: ternary @id(5) @name("ttl");
            ip_protocol: ternary @id(6) @name("ip_protocol");
            meta.transport_ports[15:0]: ternary @id(7) @name("l4_dst_port");
        }
        actions = {
            @proto_id(1) copy;
            @proto_id(2) redirect;
            @defaultonly @proto_id(3) pass;
        }
        const default_action = pass();
        counters = trapped_packets;
        size = TRAP_MINIMUM_ENTRIES;
    }

    apply {
        if (hdr.ipv4.isValid()) {
            ttl = hdr.ipv4.ttl;
            ip_protocol = hdr.ipv4.protocol;
        } else if (hdr.ipv6.isValid()) {
            ttl = hdr.ipv6.hop_limit;
            ip_protocol = hdr.ipv6.next_header;
        }
        if (hdr.ethernet.ether_type != ETHER_TYPE_MAILBOX && trap.apply().hit) {
            bit<2> color;  // as v1model codes it: 0 green, 1 yellow, 2 red
            packet_in_meter.execute_meter((bit<32>)meta.packet_in_class, color);
            if (color == 2) {
                meta.is_excess = true;
                excess_packet_ins.count((bit<32>)meta.packet_in_class);
            }
        }
    }
}

#endif
