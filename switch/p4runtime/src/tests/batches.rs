//! Batches of random updates (P4Runtime 1.5, section 12.2), and what a program that is loaded meanwhile
//! does to long ones.

use std::collections::BTreeSet;

use prost::Message;

use super::device::{
    id, running, update, Device, CONTINUE_ON_ERROR, DATAPLANE_ATOMIC, ROLLBACK_ON_ERROR,
};
use super::random::Random;
use super::updates::Updates;
use crate::access::Access;
use crate::entities::{self, Change};
use crate::messages::data::{Data, P4Data};
use crate::messages::runtime::{AnyEntity, Entity, RegisterEntry};
use crate::request::{ReadRequest, Sender, WriteRequest};
use crate::status::{Code, Error};

const PROGRAMS: [&str; 7] = [
    "tests/programs/kinds",
    "tests/programs/resources",
    "pipeline/tests/programs/state",
    "pipeline/tests/programs/meters",
    "pipeline/tests/programs/profiles",
    "pipeline/tests/programs/matches",
    "pipeline/tests/programs/direct_meters",
];

/// What a batch that changes nothing has come to: its first failure, and ABORTED for all others.
fn check_aborted(results: &[Result<(), Error>]) {
    let failed = |result: &Result<(), Error>| {
        result.as_ref().is_err_and(|error| error.code != Code::Aborted)
    };
    let position = results.iter().position(failed).expect("one has failed");
    let all = results.len();
    let message = format!("rolled back, because update {} of {all} failed", position + 1);
    let aborted = Err(Error::new(Code::Aborted, message));
    for (other, result) in results.iter().enumerate() {
        assert!(other == position || *result == aborted, "{result:?}");
    }
}

#[test]
fn a_batch_with_a_failing_update_rolls_back_to_exactly_what_was_read_before() {
    for (seed, program) in PROGRAMS.into_iter().enumerate() {
        let mut random = Random::new(7 + seed as u64);
        let mut device = Device::of(program);
        let mut updates = Updates::of(&mut device);
        let mut rolled_back = 0;
        for round in 0..150 {
            let before = device.state();
            let batch: Vec<_> =
                (0..1 + random.below(20)).map(|_| updates.next(&mut random, &before)).collect();
            let atomicity = *random.choose(&[ROLLBACK_ON_ERROR, DATAPLANE_ATOMIC]);
            let results = device.batch(batch.clone(), atomicity);
            let after = device.state();
            if results.iter().any(Result::is_err) {
                rolled_back += 1;
                check_aborted(&results);
                assert_eq!(after, before, "{program}, round {round}: {batch:#?}\n{results:#?}");
            }
            // So that there is something to lose.
            let more = (0..3).map(|_| updates.next(&mut random, &after)).collect();
            device.batch(more, CONTINUE_ON_ERROR);
        }
        assert!((30..150).contains(&rolled_back), "{program}: {rolled_back}");
    }
}

#[test]
fn an_update_that_fails_has_changed_nothing() {
    let mut done = BTreeSet::new();
    for (seed, program) in PROGRAMS.into_iter().enumerate() {
        let mut random = Random::new(70 + seed as u64);
        let mut device = Device::of(program);
        let mut updates = Updates::of(&mut device);
        let mut before = device.state();
        for _ in 0..600 {
            let (change, entity) = updates.next(&mut random, &before);
            let result = device.write(change, entity.clone());
            let after = device.state();
            match &result {
                Ok(()) => _ = done.insert(format!("{change:?} {}", entities::object(&entity).0)),
                Err(error) => {
                    assert_eq!(after, before, "{program}: {change:?} {entity:#?}\n{error:?}");
                }
            }
            before = after;
        }
    }
    // Of 6 kinds that are inserted, modified and deleted, and of 6 that are only modified.
    assert_eq!(done.len(), 5 * 3 + 6, "{done:#?}");
}

#[test]
fn what_is_read_is_written_again_and_reads_alike() {
    for (seed, program) in PROGRAMS.into_iter().enumerate() {
        let mut random = Random::new(700 + seed as u64);
        let mut device = Device::of(program);
        let mut updates = Updates::of(&mut device);
        for _ in 0..300 {
            let (change, entity) = updates.next(&mut random, &[]);
            let _ = device.write(change, entity);
        }
        let state = device.state();
        let mut other = Device::of(program);
        Updates::restore(&mut other, &state);
        assert_eq!(other.state(), state, "{program}");
    }
}

/// An update of id 0 is refused; a read of id 0 stands for all. Nothing must be fetched for it.
#[test]
fn an_update_that_names_no_object_is_refused_before_all_objects_are_read() {
    let mut device = Device::of("pipeline/tests/programs/state");
    for entity in entities::everything() {
        let kind = entities::object(&entity).0;
        if kind != "table_entry" {
            assert!(device.present(&entity).is_err(), "{kind}");
        }
    }
}

fn sender() -> Sender {
    Sender { device_id: 1, role: String::new(), election_id: None }
}

/// All cells of a register of the program; no value: for reads.
fn register(value: Option<u8>) -> Entity {
    let data = value.map(|value| P4Data { data: Some(Data::Bitstring(vec![value])) });
    Entity::Register(RegisterEntry { register_id: id(2, 0), index: None, data })
}

#[test]
fn a_write_in_parts_ends_when_the_program_is_loaded_anew() {
    let p4runtime = running(PROGRAMS[2]);
    let updates = vec![update(Change::Modify, register(Some(1))); 20_000].into();
    let request = WriteRequest { sender: sender(), atomicity: CONTINUE_ON_ERROR, updates };
    let mut writing = p4runtime.write(request, Access::default()).unwrap();
    assert!(!writing.is_complete());
    p4runtime.start_again().unwrap();
    assert_eq!(p4runtime.write_on(&mut writing).unwrap_err().code, Code::Aborted);
}

#[test]
fn a_read_in_parts_ends_when_the_program_is_loaded_anew() {
    let p4runtime = running(PROGRAMS[2]);
    let wanted = AnyEntity { entity: Some(register(None)) }.encode_to_vec();
    let request = ReadRequest { sender: sender(), entities: vec![wanted; 20_000].into() };
    let mut reading = p4runtime.read(request, None).unwrap();
    assert!(!reading.is_complete());
    p4runtime.start_again().unwrap();
    assert_eq!(p4runtime.read_on(&mut reading).unwrap_err().code, Code::Aborted);
}
