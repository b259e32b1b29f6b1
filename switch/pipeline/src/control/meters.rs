//! Indirect meters, and the direct ones of tables' entries.

use std::ops::Range;

use super::conversion::key_from;
use super::tables::refused;
use super::{invalid, last_of, out_of_bounds, position, Control, Result};
use crate::meter::{Meter, MeterArray};
use crate::table::Refusal;
use crate::types::{ArrayInfo, ColorCounts, Match, MeterConfig};

const KIND: &str = "meter";

impl Control<'_> {
    /// The program's indirect meter arrays.
    pub fn meters(&self) -> Vec<ArrayInfo> {
        let info =
            |meter: &MeterArray| ArrayInfo { name: meter.name.clone(), size: meter.cells.len() };
        self.state.meters.iter().map(info).collect()
    }

    /// The cells from an index on: their configurations, and what they have found.
    pub fn meter_cells(
        &self,
        meter: &str,
        first: usize,
    ) -> Result<impl Iterator<Item = (Option<MeterConfig>, ColorCounts)> + '_> {
        let cells = &self.state.meters[self.meter_position(meter)?].cells;
        Ok(cells.iter().skip(first).map(|cell| (cell.config(), cell.counts())))
    }

    /// Sets what some cells have found to the same, or none.
    pub fn meter_fill_counts(
        &mut self,
        meter: &str,
        cells: Range<usize>,
        counts: ColorCounts,
    ) -> Result {
        let cells = self.some_meters(meter, cells)?;
        cells.iter_mut().for_each(|cell| cell.set_counts(counts));
        Ok(())
    }

    /// Configures some cells alike, or takes their configurations away; or none. They start with full
    /// buckets; their counts go on.
    pub fn meter_fill(
        &mut self,
        meter: &str,
        cells: Range<usize>,
        config: Option<MeterConfig>,
    ) -> Result {
        check(config).map_err(|reason| invalid(KIND, meter, reason))?;
        let cells = self.some_meters(meter, cells)?;
        cells.iter_mut().for_each(|cell| cell.configure(config));
        Ok(())
    }

    /// Configures the direct meter of an entry, or takes its configuration away. It starts with
    /// full buckets; its counts go on.
    pub fn table_meter_write(
        &mut self,
        table: &str,
        key: &[Match],
        priority: i32,
        config: Option<MeterConfig>,
    ) -> Result {
        check(config).map_err(|reason| invalid("table", table, reason))?;
        self.change_meter(table, key, priority, |meter| meter.configure(config))
    }

    /// Sets what the direct meter of an entry has found.
    pub fn table_meter_set_counts(
        &mut self,
        table: &str,
        key: &[Match],
        priority: i32,
        counts: ColorCounts,
    ) -> Result {
        self.change_meter(table, key, priority, |meter| meter.set_counts(counts))
    }

    /// Changes the direct meter of an entry.
    fn change_meter(
        &mut self,
        table: &str,
        key: &[Match],
        priority: i32,
        change: impl FnOnce(&mut Meter),
    ) -> Result {
        let position = self.metering_table(table)?;
        let table = &mut self.state.tables[position];
        let key = key_from(table, key, priority)?;
        match table.entry_mut(&key) {
            Some(entry) => {
                change(&mut entry.meter);
                Ok(())
            }
            None => Err(refused(table, Refusal::NotFound)),
        }
    }

    /// The position of a table with a direct meter.
    fn metering_table(&self, name: &str) -> Result<usize> {
        let position = self.table_position(name)?;
        match self.state.tables[position].direct_meter {
            Some(_) => Ok(position),
            None => Err(invalid("table", name, "it has no direct meter")),
        }
    }

    fn some_meters(&mut self, meter: &str, cells: Range<usize>) -> Result<&mut [Meter]> {
        let position = self.meter_position(meter)?;
        let array = &mut self.state.meters[position].cells;
        let (size, last) = (array.len(), last_of(&cells));
        array.get_mut(cells).ok_or_else(|| out_of_bounds(KIND, meter, last, size))
    }

    fn meter_position(&self, name: &str) -> Result<usize> {
        position(KIND, &self.state.meters, |meter| &meter.name, name)
    }
}

/// Whether a configuration makes sense.
fn check(config: Option<MeterConfig>) -> Result<(), String> {
    match config {
        Some(MeterConfig { cir, pir, .. }) if cir > pir => {
            Err(format!("cir {cir} is above pir {pir}; valid: at most pir"))
        }
        Some(MeterConfig { cir, cburst, pir, pburst, eburst })
            if eburst > 0 && (pir, pburst) != (cir, cburst) =>
        {
            Err(format!("with eburst {eburst}, pir and pburst must equal cir and cburst"))
        }
        _ => Ok(()),
    }
}
