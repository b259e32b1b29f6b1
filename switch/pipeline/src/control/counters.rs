//! Indirect counters; direct ones are part of their tables' entries.

use std::ops::Range;

use super::{last_of, out_of_bounds, unknown, Control};
use crate::error::ControlError;
use crate::state::Counter;
use crate::types::{CounterInfo, CounterValue};

const KIND: &str = "counter";

impl Control<'_> {
    /// The program's indirect counter arrays.
    pub fn counters(&self) -> Vec<CounterInfo> {
        let info = |counter: &Counter| CounterInfo {
            name: counter.name.clone(),
            size: counter.cells.len(),
        };
        self.state.counters.iter().map(info).collect()
    }

    /// Reads a cell.
    pub fn counter_read(&self, counter: &str, index: usize) -> Result<CounterValue, ControlError> {
        let cells = &self.state.counters[self.counter_position(counter)?].cells;
        cells.get(index).copied().ok_or_else(|| out_of_bounds(KIND, counter, index, cells.len()))
    }

    /// All cells.
    pub fn counter_cells(&self, counter: &str) -> Result<&[CounterValue], ControlError> {
        Ok(&self.state.counters[self.counter_position(counter)?].cells)
    }

    /// Sets a cell.
    pub fn counter_write(
        &mut self,
        counter: &str,
        index: usize,
        value: CounterValue,
    ) -> Result<(), ControlError> {
        self.counter_fill(counter, index..index.saturating_add(1), value)
    }

    /// Sets some cells to the same, or none.
    pub fn counter_fill(
        &mut self,
        counter: &str,
        cells: Range<usize>,
        value: CounterValue,
    ) -> Result<(), ControlError> {
        let position = self.counter_position(counter)?;
        let array = &mut self.state.counters[position].cells;
        let size = array.len();
        match array.get_mut(cells.clone()) {
            Some(cells) => {
                cells.fill(value);
                Ok(())
            }
            None => Err(out_of_bounds(KIND, counter, last_of(&cells), size)),
        }
    }

    fn counter_position(&self, name: &str) -> Result<usize, ControlError> {
        let counters = &self.state.counters;
        counters
            .iter()
            .position(|counter| counter.name == name)
            .ok_or_else(|| unknown(KIND, name, counters.iter().map(|counter| &counter.name)))
    }
}
