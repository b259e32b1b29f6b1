//! Requests by their messages, as a program that is loaded but not in a switch yet answers them.

mod arrays;
mod batches;
mod bounds;
mod bytes;
mod device;
mod digests;
mod numbers;
mod packets;
mod reads;
mod replication;
mod status;
mod translation;
mod updates;
mod value_sets;

#[allow(unreachable_pub)]
#[path = "../../../pipeline/tests/support/random.rs"]
mod random;
