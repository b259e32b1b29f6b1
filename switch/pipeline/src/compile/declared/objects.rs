//! The registers, counters and meters that actions name.

use super::indexed::Indexed;
use super::layout::Layout;
use crate::compile::limits::MAX_BITS;
use crate::error::{InObject, LoadError, Problem, Result};
use crate::json;
use crate::meter::{DirectMeter, Meter, MeterArray, MeterUnit, METER_BYTES};
use crate::program::Type;
use crate::state::{Counter, Register};
use crate::types::CounterValue;

/// The most memory that a program's registers, counters and meters may take.
const MAX_STATE_BYTES: u64 = 256 << 20;

/// Stateful objects by name.
#[derive(Debug)]
pub(crate) struct Objects {
    pub(crate) registers: Indexed<String, Register>,
    pub(crate) counters: Indexed<String, Counter>,
    pub(crate) meters: Indexed<String, MeterArray>,
    direct_meters: Indexed<String, DirectMeter>,
    state_bytes: u64,
}

impl Objects {
    /// Creates the program's registers, counters and meters.
    pub(super) fn new(program: &json::Program, layout: &Layout) -> Result<Objects, LoadError> {
        let mut objects = Objects {
            registers: Indexed::new("register"),
            counters: Indexed::new("counter"),
            meters: Indexed::new("meter"),
            direct_meters: Indexed::new("direct meter"),
            state_bytes: 0,
        };
        for array in &program.register_arrays {
            objects.add_register(array).in_object("register", &array.name)?;
        }
        for array in program.counter_arrays.iter().filter(|array| !array.is_direct) {
            objects.add_counter(array).in_object("counter", &array.name)?;
        }
        for array in &program.meter_arrays {
            objects.add_meter(array, layout).in_object("meter", &array.name)?;
        }
        Ok(objects)
    }

    fn add_register(&mut self, array: &json::RegisterArray) -> Result<u16> {
        if !(1..=u64::from(MAX_BITS)).contains(&array.bitwidth) {
            return Err(Problem::unsupported(
                format!("a width of {} bits", array.bitwidth),
                &["1 to 2048 bits"],
            ));
        }
        let bits = array.bitwidth as u32;
        let size = self.take_memory(array.size, 8 * u64::from(bits.div_ceil(64)))?;
        self.registers.add(array.name.clone(), Register { name: array.name.clone(), bits, size })
    }

    fn add_counter(&mut self, array: &json::CounterArray) -> Result<u16> {
        let size = array.size.ok_or_else(|| Problem::invalid("has no size"))?;
        let size = self.take_memory(size, std::mem::size_of::<CounterValue>() as u64)?;
        let cells = vec![CounterValue::default(); size];
        self.counters.add(array.name.clone(), Counter { name: array.name.clone(), cells })
    }

    fn add_meter(&mut self, array: &json::MeterArray, layout: &Layout) -> Result<u16> {
        let unit = match array.unit.as_str() {
            "bytes" => MeterUnit::Bytes,
            "packets" => MeterUnit::Packets,
            other => {
                let construct = format!("meter type '{other}'");
                return Err(Problem::unsupported(construct, &["bytes", "packets"]));
            }
        };
        if array.rate_count != 2 {
            return Err(Problem::unsupported(format!("{} rates", array.rate_count), &["2"]));
        }
        let name = array.name.clone();
        if array.is_direct {
            let target = array.result_target.as_ref();
            let target = target.ok_or_else(|| Problem::invalid("has no result_target"))?;
            let meter = DirectMeter { unit, target: layout.word(layout.field(target)?) };
            return self.direct_meters.add(name, meter);
        }
        let size = self.take_memory(array.size, METER_BYTES as u64)?;
        let cells = vec![Meter::default(); size];
        self.meters.add(name.clone(), MeterArray { name, unit, cells })
    }

    /// Accounts for `size` elements before they are allocated.
    fn take_memory(&mut self, size: u64, element_bytes: u64) -> Result<usize> {
        self.state_bytes = size
            .checked_mul(element_bytes)
            .and_then(|bytes| bytes.checked_add(self.state_bytes))
            .filter(|&bytes| bytes <= MAX_STATE_BYTES)
            .ok_or_else(|| {
                Problem::unsupported(
                    format!("a size of {size} elements"),
                    &["registers, counters and meters of 256 MiB in all"],
                )
            })?;
        Ok(size as usize)
    }

    /// The type of a register's elements, and how many there are.
    pub(crate) fn register_shape(&self, register: u16) -> (Type, usize) {
        let register = self.registers.at(register);
        (Type::Unsigned(register.bits), register.size)
    }

    /// How many cells a meter array has.
    pub(crate) fn meter_size(&self, meter: u16) -> usize {
        self.meters.at(meter).cells.len()
    }

    /// The direct meter of that name.
    pub(crate) fn direct_meter(&self, name: &str) -> Result<DirectMeter> {
        Ok(*self.direct_meters.at(self.direct_meters.find(name)?))
    }
}
