// Lengths of the traffic manager's queues, noted by the ghost thread: it runs once for each report of
// a queue whose depth_report_enable is set (docs/explanation/tofino.md).
#ifndef TNA_QUEUE_GHOST_P4
#define TNA_QUEUE_GHOST_P4

#include "../headers.p4"

// In pairs of cells, as they are reported. Writer: the ghost thread.
Register<bit<32>, port_t>(PORT_COUNT, 0) queue_cell_pairs;

control Ghost(in ghost_intrinsic_metadata_t report) {
    RegisterAction<bit<32>, port_t, bit<32>>(queue_cell_pairs) note = {
        void apply(inout bit<32> value) {
            value = (bytes_t)report.qlength;
        }
    };

    @id(0x01020001)
    action of_port(port_t port) { note.execute(port); }

    @id(0x01020000)
    action of_none() { }

    // Which port a queue is of, by its number in its pipe: 128 times that of its port group and more.
    // Of a port's queues one alone, that which its packets take.
    @id(0x02020001)
    table port_of_queue {
        key = { report.pipe_id: exact @name("pipe"); report.qid: exact @name("queue"); }
        actions = { of_port; @defaultonly of_none; }
        const default_action = of_none();
        size = PORT_COUNT;
    }

    apply {
        port_of_queue.apply();
    }
}

#endif
