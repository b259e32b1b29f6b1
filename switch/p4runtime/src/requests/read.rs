//! A Read: what its requests find, in parts that packets wait for one after the other (P4Runtime 1.5,
//! sections 9 and 13).

use std::collections::HashMap;

use prost::Message;

use crate::access::Access;
use crate::decoding::{self, Parts};
use crate::entities::{self, Cursor, Part};
use crate::messages::requests::ReadResponse;
use crate::messages::runtime::{AnyEntity, Entity, Index, RegisterEntry};
use crate::plane::{Loaded, Plane, Site};
use crate::status::{BatchStatus, Code, Error, Result, Results};

/// Far below gRPC's default limit of 4 MiB.
const MESSAGE_BYTES: usize = 1 << 20;
/// Enough for messages to be made of them.
const MESSAGE_ENTITIES: usize = 1 << 14;
/// What one Read may bring back if it asks for more than one thing.
const MAX_ENTITIES: usize = 1 << 20;
/// What it costs of a budget to look at a request, with 1 for each of its bytes.
const REQUEST_COST: usize = 8;

/// A Read under way. Nothing must be written until it has fetched all.
#[derive(Debug)]
pub struct Reading {
    /// What is asked for: messages `Entity`.
    wanted: Parts,
    access: Option<Access>,
    /// Of which load of a program it reads the state.
    pub(crate) loads: u64,
    /// What came of each so far; what is fetched now is the next.
    results: Results,
    /// The first that asked for the same, by what it means.
    known: HashMap<Meaning, usize>,
    /// Of what is fetched now, if that has begun.
    cursor: Option<Box<dyn Cursor>>,
    found: Vec<Entity>,
    entities: usize,
}

/// What a request means; the same for all that mean the same.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Meaning {
    /// A cell of a register: long Reads ask for many.
    Cell(u32, i64),
    /// The message.
    Other(Vec<u8>),
}

impl Meaning {
    fn of(wanted: &Entity) -> Meaning {
        match wanted {
            Entity::Register(RegisterEntry {
                register_id, index: Some(Index { index }), ..
            }) => Meaning::Cell(*register_id, *index),
            _ => Meaning::Other(AnyEntity { entity: Some(wanted.clone()) }.encode_to_vec()),
        }
    }
}

impl Reading {
    /// `access`: of the role that is told no more than it may see.
    pub(crate) fn new(wanted: Parts, access: Option<Access>, loads: u64) -> Reading {
        Reading {
            results: Results::of(wanted.len()),
            access,
            loads,
            known: HashMap::with_capacity(wanted.len().min(MESSAGE_ENTITIES)),
            cursor: None,
            found: Vec::new(),
            entities: 0,
            wanted,
        }
    }

    /// Whether all has been fetched.
    pub fn is_complete(&self) -> bool {
        self.results.len() == self.wanted.len()
    }

    /// Fetches a part. Packets wait meanwhile.
    pub(crate) fn go_on(&mut self, site: &mut Site<'_>, loaded: &mut Loaded) -> Result {
        site.at_once(loaded, |plane| self.fetch(plane))
    }

    /// The entities that have been fetched, as messages of bounded size.
    pub(crate) fn take_messages(&mut self) -> Vec<Vec<u8>> {
        let (mut messages, mut message) = (Vec::new(), Vec::new());
        // Messages in a row are one.
        let mut next = ReadResponse::default();
        for entity in self.found.drain(..) {
            next.entities.push(AnyEntity { entity: Some(entity) });
            next.encode_raw(&mut message);
            next.entities.clear();
            if message.len() >= MESSAGE_BYTES {
                messages.push(std::mem::take(&mut message));
            }
        }
        if !message.is_empty() {
            messages.push(message);
        }
        messages
    }

    /// Whether there is enough for a message, or all there is.
    pub(crate) fn has_message(&self) -> bool {
        self.is_complete() || self.found.len() >= MESSAGE_ENTITIES
    }

    /// What came of the requests, once all has been fetched.
    pub fn status(&self) -> BatchStatus {
        self.results.status("Read")
    }

    /// What came of the only request, once all has been fetched.
    pub(crate) fn result(&self) -> Result {
        self.results.get(0)
    }

    fn fetch(&mut self, plane: &mut Plane<'_>) {
        let mut part = Part::behind(std::mem::take(&mut self.found));
        while !self.is_complete() && !part.is_full() {
            let before = part.found.len();
            let more = self.fetch_more(plane, &mut part);
            if let Some(access) = &self.access {
                let new = part.found.split_off(before);
                part.found.extend(new.into_iter().filter(|entity| access.covers(entity)));
            }
            self.entities += part.found.len().saturating_sub(before);
            match more {
                _ if self.entities > MAX_ENTITIES && self.results.len() > 0 => self.end_too_long(),
                Ok(true) => {}
                Ok(false) => self.end(Ok(())),
                Err(error) => {
                    part.spend_entries(1);
                    self.end(Err(error));
                }
            }
        }
        self.found = part.found;
    }

    /// Goes on with the present request. Tells whether there may be more.
    fn fetch_more(&mut self, plane: &mut Plane<'_>, part: &mut Part) -> Result<bool> {
        let cursor = match &mut self.cursor {
            Some(cursor) => cursor,
            None => {
                let bytes = &self.wanted[self.results.len()];
                part.spend_cells(REQUEST_COST + bytes.len());
                let wanted: AnyEntity = decoding::part("p4.v1.Entity", bytes)?;
                let wanted = wanted.entity.map(entities::wildcards);
                let wanted = wanted.ok_or_else(|| invalid!("the request has no entity"))?;
                match self.known_result(&wanted) {
                    Some(result) => return result.map(|()| false),
                    None => self.cursor.insert(entities::read(plane, &wanted)?),
                }
            }
        };
        cursor.next(plane, part)
    }

    /// What came of an earlier request that means the same; it has brought back all there is.
    fn known_result(&mut self, wanted: &Entity) -> Option<Result> {
        let next = self.results.len();
        match *self.known.entry(Meaning::of(wanted)).or_insert(next) {
            first if first == next => None,
            first => Some(self.results.get(first)),
        }
    }

    /// Ends the present request.
    fn end(&mut self, result: Result) {
        self.results.push(result);
        self.cursor = None;
    }

    /// Ends a Read of more than can be brought back.
    fn end_too_long(&mut self) {
        let message = format!(
            "a Read brings back at most {MAX_ENTITIES} entities; ask for one object after the other"
        );
        let error = Error::new(Code::ResourceExhausted, message);
        while !self.is_complete() {
            self.end(Err(error.clone()));
        }
    }
}
