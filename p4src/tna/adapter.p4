// What the shared controls take from v1model, in TNA's terms: nothing else in tna/ knows v1model,
// and nothing outside of tna/ knows TNA.
#ifndef TNA_ADAPTER_P4
#define TNA_ADAPTER_P4

#include "../types.p4"

// In the place of ../table_sizes.p4: both tables of routes fit the ternary memory of one stage, which
// has 24 blocks of 512 entries of 44 bits. With the sizes of the other targets they alone would take
// six of Tofino 1's twelve stages, one after the other, before the virtual queue knows its port.
#define TABLE_SIZES_P4
#define ETHERNET_FORWARD_MINIMUM_ENTRIES 4096
#define IPV4_ROUTE_MINIMUM_ENTRIES       4096
#define IPV6_ROUTE_MINIMUM_ENTRIES       2048

#include "../adaptive/packet_io_headers.p4"

// The mailbox's headers and the metadata differ, so the shared ones are taken under other names;
// tna/headers.p4 has those in use.
#define headers_t v1model_headers_t
#define metadata_t v1model_metadata_t
#define mailbox_t v1model_mailbox_t
#define mailbox_record_t v1model_mailbox_record_t
#define controller_header(NAME) v1model_controller_header(NAME)
#include "../headers.p4"
#undef headers_t
#undef metadata_t
#undef mailbox_t
#undef mailbox_record_t
#undef controller_header

// What forwarding.p4 knows as v1model's errors: Tofino has no field of type error.
enum bit<1> parse_result_t {
    NoError = 0,
    Error   = 1
}
#define error parse_result_t

// The part of v1model's metadata that forwarding.p4 uses; tna/pipeline.p4 carries it over.
struct standard_metadata_t {
    port_t         ingress_port;
    port_t         egress_spec;
    parse_result_t parser_error;
    bit<1>         checksum_error;
}

#define direct_counter(KIND) DirectCounter<bit<64>>(CounterType_t.PACKETS_AND_BYTES)
#define counter(SIZE, KIND) Counter<bit<64>, bit<32>>(SIZE, CounterType_t.PACKETS_AND_BYTES)

// Refused packets are those with meta.forwarded false; tna/pipeline.p4 drops them.
#define mark_to_drop(STANDARD_METADATA)

#endif
