//! What can be seen without gRPC. The rest is tested over the wire, in `switch/tests`.

mod digest_lists;
mod election;
mod outbox;
mod panics;
mod parts;
mod roles;
