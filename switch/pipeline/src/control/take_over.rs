//! What packets have written, for the next program: registers, counts and meters of the same names.

use super::Control;
use crate::meter::Meter;
use crate::state::State;
use crate::table::{KeyField, Table};

impl Control<'_> {
    /// Takes over what packets have written in another program: cells of registers, counters and
    /// meters of the same names, and counts of entries with the same keys. What differs in shape stays.
    pub fn take_over(&mut self, old: &Control<'_>) {
        let (new, old) = (&mut *self.state, &*old.state);
        new.registers.take_over(&old.registers);
        for counter in &mut new.counters {
            if let Some(known) = old.counters.iter().find(|known| known.name == counter.name) {
                let cells = counter.cells.iter_mut().zip(&known.cells);
                cells.for_each(|(cell, known)| *cell = *known);
            }
        }
        take_over_meters(new, old);
        for table in &mut new.tables {
            if let Some(known) = old.tables.iter().find(|known| known.name == table.name) {
                take_over_counts(table, known);
            }
        }
    }
}

fn take_over_meters(new: &mut State, old: &State) {
    for meter in &mut new.meters {
        if let Some(known) = old.meters.iter().find(|known| known.name == meter.name) {
            meter.cells.iter_mut().zip(&known.cells).for_each(|(cell, known)| go_on(cell, known));
        }
    }
}

/// Lets a meter go on where another one of the same configuration stands.
fn go_on(meter: &mut Meter, old: &Meter) {
    if meter.config() == old.config() {
        meter.clone_from(old);
    }
}

fn take_over_counts(new: &mut Table, old: &Table) {
    let shape = |field: &KeyField| (field.kind, field.bits());
    let is_alike = new.fields.iter().map(shape).eq(old.fields.iter().map(shape));
    if !is_alike || !(new.direct_counter || new.direct_meter.is_some()) {
        return;
    }
    if new.direct_counter && old.direct_counter {
        new.default_counter = old.default_counter;
    }
    let (counts, meters) = (new.direct_counter && old.direct_counter, old.direct_meter.is_some());
    for entry in old.entries() {
        let Some(same) = new.entry_mut(&entry.key) else { continue };
        if counts {
            same.counter = entry.counter;
        }
        if meters {
            go_on(&mut same.meter, &entry.meter);
        }
    }
}
