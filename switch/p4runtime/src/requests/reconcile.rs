//! RECONCILE_AND_COMMIT: the state of one program for the next (P4Runtime 1.5, section 14).
//!
//! What is carried over is what has changed since the old program was loaded, so that what the new
//! program declares differently, such as a default action, is taken from there. What packets have
//! changed meanwhile follows at the instant of the commit: see [`pipeline::Control::take_over`].

use std::collections::{HashMap, HashSet};

use prost::Message;

use crate::entities::{self, Change, Part};
use crate::messages::data::Data;
use crate::messages::runtime::{AnyEntity, Entity};
use crate::plane::{Loaded, Plane, Prepared, Site};
use crate::status::{Code, Error, Result};

/// All that can be read of a program, but for what stands at its first value anyway.
pub(crate) fn state(site: &mut Site<'_>, loaded: &mut Loaded) -> Result<Vec<Entity>> {
    let mut state = Vec::new();
    for wanted in entities::everything() {
        let mut cursor = site.at_once(loaded, |plane| entities::read(plane, &wanted))??;
        let mut more = true;
        while more {
            let mut part = Part::behind(Vec::new());
            more = site.at_once(loaded, |plane| cursor.next(plane, &mut part))??;
            state.extend(part.found.into_iter().filter(|entity| !is_blank(entity)));
        }
    }
    Ok(state)
}

/// Brings `new`, just loaded, to the state `now` of a program that had `before` when it was loaded.
/// Counts of counters and meters that the new program has not are left behind; what else it has no
/// place for is refused.
pub(crate) fn carry_over(
    before: &[Entity],
    now: Vec<Entity>,
    new: &mut Prepared,
    loaded: &mut Loaded,
) -> Result {
    let encoded = |entity: &Entity| AnyEntity { entity: Some(entity.clone()) }.encode_to_vec();
    let before: HashMap<Vec<u8>, &Entity> = before.iter().map(|e| (encoded(e), e)).collect();
    let present: HashSet<Vec<u8>> = now.iter().map(encoded).collect();
    let Loaded { program, digests } = loaded;
    new.at_once(program, digests, |plane| {
        for (_, entity) in before.iter().filter(|(key, _)| !present.contains(*key)) {
            remove(plane, entity);
        }
        for entity in now {
            if !before.contains_key(&encoded(&entity)) && !is_forgotten_count(plane, &entity) {
                restore(plane, entity)?;
            }
        }
        Ok(())
    })
}

/// Whether a cell or a default says nothing: it is so in every program that is just loaded.
fn is_blank(entity: &Entity) -> bool {
    match entity {
        Entity::Register(entry) => match entry.data.as_ref().and_then(|data| data.data.as_ref()) {
            Some(Data::Bitstring(value) | Data::EnumValue(value)) => {
                value.iter().all(|&byte| byte == 0)
            }
            _ => false,
        },
        Entity::Counter(entry) => entry.data.unwrap_or_default() == Default::default(),
        Entity::Meter(entry) => {
            let counts = entry.counter_data.unwrap_or_default();
            let colors = [counts.green, counts.yellow, counts.red];
            let is_zero =
                colors.iter().all(|color| color.unwrap_or_default() == Default::default());
            entry.config.is_none() && is_zero
        }
        _ => false,
    }
}

fn is_forgotten_count(plane: &Plane<'_>, entity: &Entity) -> bool {
    match entity {
        Entity::Counter(entry) => plane.program.counters.find(entry.counter_id).is_err(),
        Entity::Meter(entry) => {
            entry.config.is_none() && plane.program.meters.find(entry.meter_id).is_err()
        }
        _ => false,
    }
}

/// Deletes an entry that the old program had declared, if the new one has it, too.
fn remove(plane: &mut Plane<'_>, entity: &Entity) {
    if let Entity::TableEntry(entry) = entity {
        if !entry.is_const && !entry.is_default_action {
            // The new program need not have it.
            let _ = entities::write(plane, Change::Delete, entity);
        }
    }
}

fn restore(plane: &mut Plane<'_>, mut entity: Entity) -> Result {
    if let Entity::TableEntry(entry) = &mut entity {
        if entry.is_const {
            (entry.is_const, entry.action) = (false, None);
        }
    }
    let is_inserted = entities::is_inserted(&entity);
    let change = if is_inserted { Change::Insert } else { Change::Modify };
    let restored = match entities::write(plane, change, &entity) {
        Err(Error { code: Code::AlreadyExists, .. }) => {
            entities::write(plane, Change::Modify, &entity)
        }
        restored => restored,
    };
    restored.map_err(|error| {
        invalid!(
            "the forwarding state cannot be preserved: {}; VERIFY_AND_COMMIT starts from an empty one",
            error.message
        )
    })
}
