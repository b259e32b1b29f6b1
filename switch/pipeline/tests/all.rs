//! All tests of programs, as one program: it is linked once.

mod arithmetic;
mod below_zero;
mod checksums;
mod digests;
mod direct_meters;
mod elements;
#[path = "support/every_file.rs"]
mod every_file;
mod expressions;
mod hashes;
mod headers;
mod invalid_keys;
mod logs;
mod loops;
mod matches;
mod meters;
mod no_bits;
mod older;
mod origins;
mod parsing;
mod products;
mod profiles;
mod refusals;
mod replication;
mod stacks;
mod state;
mod support;
mod traces;
mod unions;
mod value_sets;
mod varbits;
mod virtual_queue;
mod ways_to_run;
