//! The registers, counters, meters and calculations that actions name.

use super::assembler::Assembler;
use super::layout::{unknown, Layout, MAX_BITS};
use crate::error::{InObject, LoadError, Problem};
use crate::json::{self, Number};
use crate::meter::{DirectMeter, Meter, MeterArray, MeterUnit, METER_BYTES};
use crate::numbers::hash::{Algorithm, ALGORITHMS};
use crate::program::{Calculation, Input, Operand, Type};
use crate::state::{Counter, Register};
use crate::types::CounterValue;
use std::collections::HashMap;

/// The most memory that a program's registers, counters and meters may take.
const MAX_STATE_BYTES: u64 = 256 << 20;

/// Stateful objects and where to find them by name.
#[derive(Debug, Default)]
pub(crate) struct Objects {
    pub(crate) registers: Vec<Register>,
    pub(crate) counters: Vec<Counter>,
    pub(crate) meters: Vec<MeterArray>,
    pub(crate) calculations: Vec<Calculation>,
    register_indexes: HashMap<String, u16>,
    counter_indexes: HashMap<String, u16>,
    meter_indexes: HashMap<String, u16>,
    direct_meters: HashMap<String, DirectMeter>,
    calculation_indexes: HashMap<String, u16>,
    state_bytes: u64,
}

impl Objects {
    /// Creates the program's registers, counters and calculations.
    pub(crate) fn new(
        program: &json::Program,
        layout: &Layout,
        code: &mut Assembler,
    ) -> Result<Objects, LoadError> {
        let mut objects = Objects::default();
        for array in &program.register_arrays {
            objects.add_register(array).in_object("register", &array.name)?;
        }
        for array in program.counter_arrays.iter().filter(|array| !array.is_direct) {
            objects.add_counter(array).in_object("counter", &array.name)?;
        }
        for array in &program.meter_arrays {
            objects.add_meter(array, layout).in_object("meter", &array.name)?;
        }
        for calculation in &program.calculations {
            objects
                .add_calculation(calculation, layout, code)
                .in_object("calculation", &calculation.name)?;
        }
        Ok(objects)
    }

    fn add_register(&mut self, array: &json::RegisterArray) -> Result<(), Problem> {
        if !(1..=u64::from(MAX_BITS)).contains(&array.bitwidth) {
            return Err(Problem::unsupported(
                format!("a width of {} bits", array.bitwidth),
                &["1 to 2048 bits"],
            ));
        }
        let bits = array.bitwidth as u32;
        let size = self.take_memory(array.size, 8 * u64::from(bits.div_ceil(64)))?;
        add_name(&mut self.register_indexes, &array.name)?;
        self.registers.push(Register::new(array.name.clone(), bits, size));
        Ok(())
    }

    fn add_counter(&mut self, array: &json::CounterArray) -> Result<(), Problem> {
        let size = array.size.ok_or_else(|| Problem::invalid("has no size"))?;
        let size = self.take_memory(size, std::mem::size_of::<CounterValue>() as u64)?;
        add_name(&mut self.counter_indexes, &array.name)?;
        self.counters
            .push(Counter { name: array.name.clone(), cells: vec![CounterValue::default(); size] });
        Ok(())
    }

    fn add_meter(&mut self, array: &json::MeterArray, layout: &Layout) -> Result<(), Problem> {
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
            let meter = DirectMeter { unit, target: layout.field(target)? };
            return match self.direct_meters.insert(name, meter) {
                None => Ok(()),
                Some(_) => Err(Problem::invalid("declared twice")),
            };
        }
        let size = self.take_memory(array.size, METER_BYTES as u64)?;
        add_name(&mut self.meter_indexes, &name)?;
        self.meters.push(MeterArray { name, unit, cells: vec![Meter::default(); size] });
        Ok(())
    }

    /// Accounts for `size` elements before they are allocated.
    fn take_memory(&mut self, size: u64, element_bytes: u64) -> Result<usize, Problem> {
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

    fn add_calculation(
        &mut self,
        calculation: &json::Calculation,
        layout: &Layout,
        code: &mut Assembler,
    ) -> Result<(), Problem> {
        add_name(&mut self.calculation_indexes, &calculation.name)?;
        self.plan(&calculation.algo, &calculation.input, layout, code)?;
        Ok(())
    }

    /// Adds the calculation of an action selector; returns its index.
    pub(crate) fn add_selector(
        &mut self,
        selector: &json::Selector,
        layout: &Layout,
        code: &mut Assembler,
    ) -> Result<u16, Problem> {
        self.plan(&selector.algo, &selector.input, layout, code)
    }

    fn plan(
        &mut self,
        algorithm: &str,
        input: &[json::TypedValue],
        layout: &Layout,
        code: &mut Assembler,
    ) -> Result<u16, Problem> {
        let algorithm = Algorithm::named(algorithm)
            .ok_or_else(|| Problem::unsupported(format!("algorithm '{algorithm}'"), &ALGORITHMS))?;
        let mut inputs = Vec::new();
        let (payload, fields): (Vec<_>, Vec<_>) =
            input.iter().partition(|input| input.kind == "payload");
        for input in fields {
            add_inputs(input, layout, code, &mut inputs)?;
        }
        let index = u16::try_from(self.calculations.len())
            .map_err(|_| Problem::unsupported("one more calculation", &["up to 65536"]))?;
        // As in BMv2, the payload comes last, wherever it stands.
        self.calculations.push(match payload.is_empty() {
            true => Calculation::new(algorithm, inputs),
            false => Calculation::with_payload(algorithm, inputs),
        });
        Ok(index)
    }

    /// The index of a register array.
    pub(crate) fn register(&self, name: &str) -> Result<u16, Problem> {
        find(&self.register_indexes, "register", name)
    }

    /// The type of a register's elements, and how many there are.
    pub(crate) fn register_shape(&self, index: u16) -> (Type, usize) {
        let register = &self.registers[usize::from(index)];
        (Type::Unsigned(register.bits), register.size)
    }

    /// The index of a counter array.
    pub(crate) fn counter(&self, name: &str) -> Result<u16, Problem> {
        find(&self.counter_indexes, "counter", name)
    }

    /// The index of a meter array.
    pub(crate) fn meter(&self, name: &str) -> Result<u16, Problem> {
        find(&self.meter_indexes, "meter", name)
    }

    /// How many cells a meter array has.
    pub(crate) fn meter_size(&self, index: u16) -> usize {
        self.meters[usize::from(index)].cells.len()
    }

    /// The direct meter of that name.
    pub(crate) fn direct_meter(&self, name: &str) -> Result<DirectMeter, Problem> {
        self.direct_meters.get(name).copied().ok_or_else(|| unknown("direct meter", name))
    }

    /// The index of a calculation.
    pub(crate) fn calculation(&self, name: &str) -> Result<u16, Problem> {
        find(&self.calculation_indexes, "calculation", name)
    }
}

fn add_name(indexes: &mut HashMap<String, u16>, name: &str) -> Result<(), Problem> {
    let index = u16::try_from(indexes.len())
        .map_err(|_| Problem::unsupported("one more of its kind", &["up to 65536"]))?;
    match indexes.insert(name.to_string(), index) {
        None => Ok(()),
        Some(_) => Err(Problem::invalid("declared twice")),
    }
}

fn find(indexes: &HashMap<String, u16>, kind: &str, name: &str) -> Result<u16, Problem> {
    indexes.get(name).copied().ok_or_else(|| unknown(kind, name))
}

/// Adds the fields that one input of a calculation stands for.
fn add_inputs(
    input: &json::TypedValue,
    layout: &Layout,
    code: &mut Assembler,
    inputs: &mut Vec<Input>,
) -> Result<(), Problem> {
    match input.kind.as_str() {
        "field" => {
            let name: json::FieldName = json::read(&input.value, "field")?;
            let value = layout.field(&name)?;
            let valid = layout.guard(&name.0)?;
            inputs.push(Input { value, valid, length: layout.variable_length(value) });
        }
        "header" => {
            let name: String = json::read(&input.value, "header")?;
            let valid = layout.guard(&name)?;
            let fields = layout.header_fields(&name)?;
            inputs.extend(fields.iter().map(|&value| {
                let length = layout.variable_length(value);
                Input { value, valid, length }
            }));
        }
        "hexstr" => {
            let value = constant(input, code)?;
            inputs.push(Input { value, valid: None, length: None });
        }
        other => {
            return Err(Problem::unsupported(
                format!("input type '{other}'"),
                &["field", "header", "hexstr", "payload"],
            ))
        }
    }
    Ok(())
}

/// A constant input says how wide it is.
fn constant(input: &json::TypedValue, code: &mut Assembler) -> Result<Operand, Problem> {
    let text: String = json::read(&input.value, "hexstr")?;
    let number = Number::from_hexstr(&text)?;
    let bits = input
        .bitwidth
        .filter(|bits| (1..=u64::from(MAX_BITS)).contains(bits))
        .ok_or_else(|| Problem::invalid("a constant input needs a bitwidth of 1 to 2048"))?;
    code.constant(&number, Type::Unsigned(bits as u32))
}
