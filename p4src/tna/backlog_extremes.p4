// The least and the greatest backlog since the controller last asked for a new window; see
// ../backlog_extremes.p4. The request that starts a window takes the old one's extremes with it.
#ifndef TNA_BACKLOG_EXTREMES_P4
#define TNA_BACKLOG_EXTREMES_P4

#include "headers.p4"

// The number of the window; on its own, so that it takes none of the last stage's stateful ALUs.
control BacklogWindow(in port_t port,
                      in bool starts_window,
                      in sequence_t sequence,
                      out sequence_t window) {
    Register<sequence_t, port_t>(PORT_COUNT, 0) backlog_window;

    RegisterAction<sequence_t, port_t, sequence_t>(backlog_window) tell_window = {
        void apply(inout sequence_t value, out sequence_t before) {
            before = value;
        }
    };

    RegisterAction<sequence_t, port_t, sequence_t>(backlog_window) start_window = {
        void apply(inout sequence_t value, out sequence_t before) {
            before = value;
            value = sequence;
        }
    };

    apply {
        if (starts_window) {
            window = start_window.execute(port);
        } else {
            window = tell_window.execute(port);
        }
    }
}

control BacklogExtremes(in port_t port,
                        in bytes_t found_bytes,
                        in bytes_t left_bytes,
                        in bool starts_window,
                        out bytes_t least_bytes,
                        out bytes_t greatest_bytes) {
    Register<bytes_t, port_t>(PORT_COUNT, 0) least_backlog_bytes;
    Register<bytes_t, port_t>(PORT_COUNT, 0) greatest_backlog_bytes;

    RegisterAction<bytes_t, port_t, bytes_t>(least_backlog_bytes) lower = {
        void apply(inout bytes_t value, out bytes_t least) {
            value = min(value, found_bytes);
            least = value;
        }
    };

    RegisterAction<bytes_t, port_t, bytes_t>(least_backlog_bytes) restart_least = {
        void apply(inout bytes_t value, out bytes_t least) {
            least = value;
            value = found_bytes;
        }
    };

    RegisterAction<bytes_t, port_t, bytes_t>(greatest_backlog_bytes) raise = {
        void apply(inout bytes_t value, out bytes_t greatest) {
            value = max(value, left_bytes);
            greatest = value;
        }
    };

    RegisterAction<bytes_t, port_t, bytes_t>(greatest_backlog_bytes) restart_greatest = {
        void apply(inout bytes_t value, out bytes_t greatest) {
            greatest = value;
            value = left_bytes;
        }
    };

    apply {
        if (starts_window) {
            least_bytes = restart_least.execute(port);
            greatest_bytes = restart_greatest.execute(port);
        } else {
            least_bytes = lower.execute(port);
            greatest_bytes = raise.execute(port);
        }
    }
}

#endif
