//! A Read: what its requests find, in parts that packets wait for one after the other (P4Runtime 1.5,
//! sections 9 and 13).

use std::collections::HashMap;

use prost::Message;

use crate::access::Access;
use crate::entities::{self, Budget, Cursor};
use crate::messages::requests::ReadResponse;
use crate::messages::runtime::{AnyEntity, Entity};
use crate::plane::{Loaded, Plane, Site};
use crate::status::{invalid, of_batch, Code, Error};

/// Far below gRPC's default limit of 4 MiB.
const MESSAGE_BYTES: usize = 1 << 20;
/// What one Read may bring back, whatever it asks for.
const MOST_ENTITIES: usize = 1 << 20;

/// A Read under way. Nothing must be written until it has fetched all.
#[derive(Debug)]
pub struct Reading {
    /// What was asked for, once each, and what came of it.
    cursors: Vec<Option<Box<dyn Cursor>>>,
    results: Vec<Result<(), Error>>,
    /// Which of these each request has.
    result_of: Vec<usize>,
    access: Option<Access>,
    present: usize,
    found: Vec<Entity>,
    entities: usize,
}

impl Reading {
    /// Begins to read. `access`: of the role that is told no more than it may see.
    pub(crate) fn new(
        site: &mut Site<'_>,
        loaded: &mut Loaded,
        wanted: &[AnyEntity],
        access: Option<Access>,
    ) -> Result<Reading, Error> {
        let mut reading = Reading {
            cursors: Vec::new(),
            results: Vec::new(),
            result_of: Vec::new(),
            access,
            present: 0,
            found: Vec::new(),
            entities: 0,
        };
        site.at_once(loaded, |plane| {
            let mut known: HashMap<Vec<u8>, usize> = HashMap::new();
            for request in wanted {
                let next = reading.results.len();
                let position = *known.entry(request.encode_to_vec()).or_insert(next);
                if position == next {
                    reading.begin(plane, request.entity.as_ref());
                }
                reading.result_of.push(position);
            }
            reading.fetch(plane);
        })?;
        Ok(reading)
    }

    /// Whether all has been fetched.
    pub fn is_complete(&self) -> bool {
        self.present >= self.cursors.len()
    }

    /// Fetches a part. Packets wait meanwhile.
    pub(crate) fn go_on(&mut self, site: &mut Site<'_>, loaded: &mut Loaded) -> Result<(), Error> {
        site.at_once(loaded, |plane| self.fetch(plane))
    }

    /// The entities that have been fetched, as messages of bounded size.
    pub(crate) fn take_messages(&mut self) -> Vec<Vec<u8>> {
        let (mut messages, mut entities, mut bytes) = (Vec::new(), Vec::new(), 0);
        for entity in self.found.drain(..) {
            let entity = AnyEntity { entity: Some(entity) };
            bytes += entity.encoded_len() + 8;
            entities.push(entity);
            if bytes >= MESSAGE_BYTES {
                messages.push(ReadResponse { entities: std::mem::take(&mut entities) });
                bytes = 0;
            }
        }
        if !entities.is_empty() {
            messages.push(ReadResponse { entities });
        }
        messages.iter().map(Message::encode_to_vec).collect()
    }

    /// Whether there is enough for a message, or all there is.
    pub(crate) fn has_message(&self) -> bool {
        self.is_complete() || self.found.len() >= 1 << 14
    }

    /// What came of the requests, once all has been fetched.
    pub fn status(&self) -> Result<Option<(String, Vec<u8>)>, Error> {
        let result = |&position: &usize| self.results[position].clone();
        let results: Vec<_> = self.result_of.iter().map(result).collect();
        of_batch("Read", &results)
    }

    fn begin(&mut self, plane: &mut Plane<'_>, wanted: Option<&Entity>) {
        let wanted = wanted.ok_or_else(|| invalid("the request has no entity"));
        let (cursor, result) = match wanted.and_then(|wanted| entities::read(plane, wanted)) {
            Ok(cursor) => (Some(cursor), Ok(())),
            Err(error) => (None, Err(error)),
        };
        self.cursors.push(cursor);
        self.results.push(result);
    }

    fn fetch(&mut self, plane: &mut Plane<'_>) {
        let mut budget = Budget::new();
        while let Some(cursor) = self.cursors.get_mut(self.present) {
            if budget.is_used_up() {
                return;
            }
            let before = self.found.len();
            let more = match cursor {
                Some(cursor) => cursor.next(plane, &mut budget, &mut self.found),
                None => Ok(false),
            };
            if let Some(access) = &self.access {
                let mut position = 0;
                self.found.retain(|entity| {
                    position += 1;
                    position <= before || access.covers(entity)
                });
            }
            self.entities += self.found.len().saturating_sub(before);
            match more {
                Ok(true) if self.entities <= MOST_ENTITIES => continue,
                Ok(true) => self.end_too_long(),
                Ok(false) => self.present += 1,
                Err(error) => {
                    self.results[self.present] = Err(error);
                    self.present += 1;
                }
            }
        }
    }

    /// Ends a Read of more than can be brought back.
    fn end_too_long(&mut self) {
        let message = format!(
            "a Read brings back at most {MOST_ENTITIES} entities; ask for one object after the other"
        );
        let error = Error::new(Code::ResourceExhausted, message);
        for position in self.present..self.results.len() {
            if self.results[position].is_ok() {
                self.results[position] = Err(error.clone());
            }
        }
        self.present = self.cursors.len();
    }
}
