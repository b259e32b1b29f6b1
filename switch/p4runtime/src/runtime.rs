//! The running program by a P4Info of its own, for who takes part in no election: BMv2's runtime API, and
//! packet tests.

use std::sync::Arc;

use engine::SharedSwitch;
use parking_lot::Mutex;
use pipeline::TableEntry;
use prost::Message;

use crate::config::indexed;
use crate::decoding::part;
use crate::entities::{self, Change};
use crate::messages::requests::Update;
use crate::plane::{Loaded, Site};
use crate::program::Compiled;
use crate::requests::read::Reading;
use crate::status::Result;

/// One load of a program. When another is loaded, it is of no more use.
#[derive(Debug)]
pub struct Runtime {
    shared: Arc<SharedSwitch>,
    loaded: Mutex<Loaded>,
}

impl Runtime {
    /// That of the program that runs. Refuses a `p4.config.v1.P4Info` of another one.
    pub fn of(shared: Arc<SharedSwitch>, p4info: &[u8]) -> Result<Runtime> {
        let compiled = shared.control(|control| Compiled::of(control))?;
        let loaded = Mutex::new(Loaded::new(indexed(p4info, &compiled)?));
        Ok(Runtime { shared, loaded })
    }

    /// Applies a `p4.v1.Update`, or changes nothing. As in BMv2 there may be a clone session 0, and
    /// default entries that lead to members and groups.
    pub fn write(&self, update: &[u8]) -> Result {
        let update: Update = part("p4.v1.Update", update)?;
        let (change, entity) = (Change::of(update.kind)?, entities::of(&update)?);
        Site::Running(&self.shared)
            .at_once(&mut self.loaded.lock(), |plane| entities::write(plane, change, entity))?
    }

    /// What a `p4.v1.Entity` asks for: a `p4.v1.ReadResponse`.
    pub fn read(&self, wanted: Vec<u8>) -> Result<Vec<u8>> {
        let mut reading = Reading::new(vec![wanted].into(), None, 0);
        while !reading.is_complete() {
            reading.go_on(&mut Site::Running(&self.shared), &mut self.loaded.lock())?;
        }
        reading.result()?;
        // Messages in a row are one.
        Ok(reading.take_messages().concat())
    }

    /// The `p4.v1.TableEntry` of an entry, if the P4Info has its table.
    pub fn table_entry(&self, table: &str, entry: &TableEntry) -> Option<Vec<u8>> {
        let program = Arc::clone(&self.loaded.lock().program);
        Some(entities::told_entry(&program, table, entry)?.encode_to_vec())
    }
}
