//! All tests from outside, as one program: it is linked once.

mod abs_program;
mod backlog_extremes;
mod balance;
mod changing_ports;
mod control_queues;
#[path = "../../pipeline/tests/support/every_file.rs"]
mod every_file;
mod observation;
mod rates;
mod replication;
mod support;
mod unsaturated_time;
