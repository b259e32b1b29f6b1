//! A part that ends, for whatever reason, is told of in one line.

use std::future::{ready, Future};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Arc;

use engine::{SharedSwitch, Switch};
use p4runtime::{Code, Error};
use tokio::runtime::Builder;

use crate::device::Device;
use crate::parts;
use crate::port_table::{LaterPorts, Live};

fn run<T>(future: impl Future<Output = T>) -> T {
    Builder::new_current_thread().enable_time().build().unwrap().block_on(future)
}

#[test]
fn a_part_that_returns_fails_or_panics_is_named() {
    let watched = |part| run(parts::watched("the clock", part));
    assert_eq!(watched(ready(Ok(()))), "the clock has ended");
    let failed = Error::new(Code::Unavailable, "the packet thread has panicked");
    assert_eq!(watched(ready(Err(failed))), "the packet thread has panicked");
    let panics = async { panic!("told\nto die") };
    assert_eq!(run(parts::watched("the clock", panics)), "the clock has failed: told to die");
}

#[test]
fn the_parts_end_when_the_switch_has_failed() {
    let switch = Switch::new(Vec::new(), Some(510)).unwrap();
    let engine = Arc::new(SharedSwitch::new(switch).unwrap());
    let later = LaterPorts { queues: 8, through_qdisc: false, captures: None };
    let device = Device::new(1, Arc::clone(&engine), Live::default(), later, Arc::new(|_| ()));
    let failing = async {
        tokio::task::yield_now().await;
        let dying = AssertUnwindSafe(|| engine.replication(|_| panic!("told to die")));
        assert!(catch_unwind(dying).is_err());
        std::future::pending::<()>().await;
    };
    let reason = run(async {
        tokio::select! {
            reason = parts::run(&device, &None) => reason,
            () = failing => String::new(),
        }
    });
    assert!(reason.contains("told to die"), "{reason}");
}
