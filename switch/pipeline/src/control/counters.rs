//! Indirect counters; direct ones are part of their tables' entries.

use super::{out_of_bounds, unknown, Control};
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

    /// How many cells a counter array has.
    pub fn counter_size(&self, counter: &str) -> Result<usize, ControlError> {
        Ok(self.state.counters[self.counter_position(counter)?].cells.len())
    }

    /// Reads a cell.
    pub fn counter_read(&self, counter: &str, index: usize) -> Result<CounterValue, ControlError> {
        let cells = &self.state.counters[self.counter_position(counter)?].cells;
        cells.get(index).copied().ok_or_else(|| out_of_bounds(KIND, counter, index, cells.len()))
    }

    /// Sets a cell.
    pub fn counter_write(
        &mut self,
        counter: &str,
        index: usize,
        value: CounterValue,
    ) -> Result<(), ControlError> {
        let position = self.counter_position(counter)?;
        let cells = &mut self.state.counters[position].cells;
        let size = cells.len();
        match cells.get_mut(index) {
            Some(cell) => {
                *cell = value;
                Ok(())
            }
            None => Err(out_of_bounds(KIND, counter, index, size)),
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
