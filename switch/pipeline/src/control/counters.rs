//! Indirect counters; direct ones are part of their tables' entries.

use std::ops::Range;

use super::{last_of, out_of_bounds, position, Control, Result};
use crate::state::Counter;
use crate::types::{ArrayInfo, CounterValue};

const KIND: &str = "counter";

impl Control<'_> {
    /// The program's indirect counter arrays.
    pub fn counters(&self) -> Vec<ArrayInfo> {
        let info =
            |counter: &Counter| ArrayInfo { name: counter.name.clone(), size: counter.cells.len() };
        self.state.counters.iter().map(info).collect()
    }

    /// All cells.
    pub fn counter_cells(&self, counter: &str) -> Result<&[CounterValue]> {
        Ok(&self.state.counters[self.counter_position(counter)?].cells)
    }

    /// Sets some cells to the same, or none.
    pub fn counter_fill(
        &mut self,
        counter: &str,
        cells: Range<usize>,
        value: CounterValue,
    ) -> Result {
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

    fn counter_position(&self, name: &str) -> Result<usize> {
        position(KIND, &self.state.counters, |counter| &counter.name, name)
    }
}
