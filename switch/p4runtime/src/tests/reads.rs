//! Reads of several requests: of the same once.

use super::device::Device;
use crate::messages::runtime::{CounterEntry, Entity, RegisterEntry};
use crate::status::Code;

const STATE: &str = "pipeline/tests/programs/state";

fn registers() -> Entity {
    Entity::Register(RegisterEntry::default())
}

#[test]
fn the_same_request_many_times_is_answered_once() {
    let mut device = Device::of(STATE);
    let once = device.read(registers()).unwrap();
    let (found, results) = device.read_all(&vec![registers(); 200]);
    assert_eq!(found, once);
    assert_eq!(results, vec![Ok(()); 200]);
}

#[test]
fn a_failing_request_many_times_fails_each_time() {
    let mut device = Device::of(STATE);
    let wrong = Entity::Register(RegisterEntry { register_id: 1, ..RegisterEntry::default() });
    let wanted = [vec![registers()], vec![wrong; 20]].concat();
    let (found, results) = device.read_all(&wanted);
    assert_eq!(found, device.read(registers()).unwrap());
    let codes = results.iter().map(|result| result.as_ref().err().map(|error| error.code));
    let expected = [vec![None], vec![Some(Code::InvalidArgument); 20]].concat();
    assert_eq!(codes.collect::<Vec<_>>(), expected);
}

#[test]
fn requests_of_several_kinds_are_answered_in_their_order() {
    let mut device = Device::of(STATE);
    let counters = Entity::Counter(CounterEntry::default());
    let tables = Entity::TableEntry(Box::default());
    let (found, results) = device.read_all(&[counters.clone(), tables, registers()]);
    assert_eq!(results, [Ok(()), Ok(()), Ok(())]);
    let expected = [device.read(counters).unwrap(), device.read(registers()).unwrap()].concat();
    assert_eq!(found, expected);
}
