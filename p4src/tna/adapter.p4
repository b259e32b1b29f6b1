// What the shared controls take from v1model, in TNA's terms: nothing else in tna/ knows v1model,
// and nothing outside of tna/ knows TNA.
#ifndef TNA_ADAPTER_P4
#define TNA_ADAPTER_P4

#include "../types.p4"

// The reply to the controller and the metadata differ, so the shared headers are taken under other
// names; tna/headers.p4 has the ones in use.
#define packet_in_t v1model_packet_in_t
#define headers_t v1model_headers_t
#define metadata_t v1model_metadata_t
#include "../headers.p4"
#undef packet_in_t
#undef headers_t
#undef metadata_t

// The part of v1model's metadata that forwarding.p4 uses; tna/pipeline.p4 carries it over.
struct standard_metadata_t {
    port_t ingress_port;
    port_t egress_spec;
    error  parser_error;
    bit<1> checksum_error;
}

#define counter(SIZE, KIND) Counter<bit<64>, bit<32>>(SIZE, CounterType_t.PACKETS_AND_BYTES)

// Refused packets are those with meta.forwarded false; tna/pipeline.p4 drops them.
#define mark_to_drop(STANDARD_METADATA)

#endif
