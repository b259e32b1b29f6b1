// Every queue has memory of its own: its limit is all that holds it.
#ifndef MEMORY_P4
#define MEMORY_P4

#include "../types.p4"

control ShareMemory(in port_index_t port,
                    in byte_count_t frame_bytes,
                    inout byte_count_t limit,
                    out bool is_full) {
    apply { is_full = false; }
}

#endif
