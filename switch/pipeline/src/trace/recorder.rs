//! Tells from instructions and their effects what happened.

use super::event::{TraceEvent, TraceFields};
use super::value::{element, hexadecimal, lookup};
use crate::machine::Tracer;
use crate::program::{
    Address, ChecksumSymbol, ConditionSymbol, FieldSymbol, Instruction, LabelNumber, Mark, Program,
};
use crate::state::State;

/// Records the run of a program on one packet.
#[derive(Debug)]
pub(crate) struct Recorder<'a> {
    program: &'a Program,
    events: &'a mut Vec<TraceEvent>,
    /// The instruction that is under way.
    current: Option<Step>,
    condition: Option<&'a ConditionSymbol>,
    checksum: Option<&'a ChecksumSymbol>,
    /// All slots as they were when the statement under way began.
    before: Option<Vec<u64>>,
    in_parser: bool,
    parser_error: u64,
}

/// An instruction with what its effects may hide.
#[derive(Debug, Clone, Copy)]
struct Step {
    address: Address,
    instruction: Instruction,
    index: u64,
}

impl<'a> Recorder<'a> {
    /// Adds to `events`.
    pub(crate) fn new(program: &'a Program, events: &'a mut Vec<TraceEvent>) -> Recorder<'a> {
        Recorder {
            program,
            events,
            current: None,
            condition: None,
            checksum: None,
            before: None,
            in_parser: false,
            parser_error: program.standard_metadata.error_codes.no_error,
        }
    }

    /// The instruction under way has ended, and control has come to `address`.
    fn end_step(&mut self, step: Step, state: &State, slots: &[u64], address: Address) {
        self.check_parser_error(slots);
        let fallen_through = address == step.address + 1;
        let jumped = !fallen_through || matches!(step.instruction, Instruction::Jump { .. });
        let label = self.program.symbols.jumps.get(&step.address).copied().filter(|_| jumped);
        self.check_condition(address, label);
        self.record_effect(step, state, slots);
        self.pass_marks(address, label, slots);
    }

    fn check_parser_error(&mut self, slots: &[u64]) {
        let code = self.program.standard_metadata.parser_error.read(slots);
        if self.in_parser && code != self.parser_error {
            let name = self.program.symbols.errors.get(&code).cloned();
            let error = name.unwrap_or_else(|| code.to_string());
            self.events.push(TraceEvent::ParserError { error });
        }
        self.parser_error = code;
    }

    fn check_condition(&mut self, address: Address, label: Option<LabelNumber>) {
        let Some(condition) = self.condition else { return };
        let holds = match label {
            Some(label) if label == condition.yes => true,
            Some(label) if label == condition.no => false,
            _ if address >= condition.end => condition.otherwise,
            _ => return,
        };
        self.condition = None;
        self.events.push(TraceEvent::Condition {
            condition: condition.name.clone(),
            source: condition.source.clone(),
            holds,
        });
    }

    fn pass_marks(&mut self, address: Address, label: Option<LabelNumber>, slots: &[u64]) {
        for (_, mark) in self.program.symbols.at(address, label) {
            self.record_assignments(slots);
            self.checksum = None;
            match mark {
                Mark::ParserState(name) => {
                    self.in_parser = true;
                    self.events.push(TraceEvent::ParserState { state: name.clone() });
                }
                Mark::ParserEnd => self.in_parser = false,
                Mark::Pipeline(name) => {
                    self.events.push(TraceEvent::Pipeline { pipeline: name.clone() });
                }
                Mark::Condition(condition) => self.condition = Some(condition),
                Mark::Checksum(checksum) => self.checksum = Some(checksum),
                Mark::Statement(source) => {
                    self.record_statement(source);
                    self.before = Some(slots.to_vec());
                }
            }
        }
    }

    /// One statement of the source may be several of the compiler's.
    fn record_statement(&mut self, source: &str) {
        let event = TraceEvent::Statement { source: source.to_string() };
        let is_result = |event: &&TraceEvent| matches!(event, TraceEvent::Assign { .. });
        if self.events.iter().rev().find(|event| !is_result(event)) != Some(&event) {
            self.events.push(event);
        }
    }

    /// What the statement that ends here has changed.
    fn record_assignments(&mut self, slots: &[u64]) {
        let Some(before) = self.before.take() else { return };
        for header in &self.program.symbols.headers {
            for field in &header.fields {
                let place = field.place.slots();
                if before[place.clone()] != slots[place] {
                    let name = format!("{}.{}", header.name, field.name);
                    self.events
                        .push(TraceEvent::Assign { field: name, value: value(field, slots) });
                }
            }
        }
    }

    fn record_checksum(&mut self, computed: u64, slots: &[u64]) {
        let Some(ChecksumSymbol { field, place, is_verified }) = self.checksum else { return };
        let is_right = || slots[place.slots()].iter().eq([&computed]);
        self.events.push(TraceEvent::Checksum {
            field: field.clone(),
            value: hexadecimal(&[computed], place.kind.bits()),
            holds: is_verified.then(is_right),
        });
    }

    fn record_effect(&mut self, step: Step, state: &State, slots: &[u64]) {
        match step.instruction {
            Instruction::Extract { header, .. } | Instruction::ExtractVariable { header, .. } => {
                let no_error = self.program.standard_metadata.error_codes.no_error;
                if self.parser_error == no_error {
                    self.record_extraction(usize::from(header), slots);
                }
            }
            Instruction::RegisterRead { register, .. }
            | Instruction::WideRegisterRead { register, .. } => {
                let (name, value) = element(&state.registers, register, step.index);
                self.events.push(TraceEvent::RegisterRead {
                    register: name,
                    index: step.index,
                    value,
                });
            }
            Instruction::RegisterWrite { register, .. }
            | Instruction::WideRegisterWrite { register, .. } => {
                let (name, value) = element(&state.registers, register, step.index);
                self.events.push(TraceEvent::RegisterWrite {
                    register: name,
                    index: step.index,
                    value,
                });
            }
            Instruction::Count { counter, .. } => {
                let counter = &state.counters[usize::from(counter)];
                let cell = usize::try_from(step.index).ok().and_then(|i| counter.cells.get(i));
                self.events.push(TraceEvent::Count {
                    counter: counter.name.clone(),
                    index: step.index,
                    packets: cell.map(|cell| cell.packets),
                });
            }
            Instruction::ExecuteMeter { to, meter, .. } => {
                let meter = &state.meters[usize::from(meter)];
                let exists = step.index < meter.cells.len() as u64;
                self.events.push(TraceEvent::Meter {
                    meter: meter.name.clone(),
                    index: step.index,
                    color: exists.then_some(slots[usize::from(to)]),
                });
            }
            Instruction::Calculate { to, .. } => {
                self.record_checksum(slots[usize::from(to)], slots);
            }
            _ => self.record_request(step, slots),
        }
    }

    fn record_request(&mut self, step: Step, slots: &[u64]) {
        self.events.push(match step.instruction {
            Instruction::Log { message } => {
                let line = self.program.log_messages[usize::from(message)].line(slots);
                TraceEvent::Log { message: line.to_string() }
            }
            Instruction::TruncateFrame { .. } => TraceEvent::Truncate { bytes: step.index },
            Instruction::Digest { list } => {
                let list = &self.program.learn_lists[usize::from(list)];
                TraceEvent::Digest { digest: list.name.to_string() }
            }
            _ => return,
        });
    }

    fn record_extraction(&mut self, header: usize, slots: &[u64]) {
        let symbol = &self.program.symbols.headers[header];
        let named = |field: &FieldSymbol| (field.name.clone(), value(field, slots));
        self.events.push(TraceEvent::Extract {
            header: symbol.name.clone(),
            fields: TraceFields(symbol.fields.iter().map(named).collect()),
        });
    }
}

/// What a field is.
fn value(field: &FieldSymbol, slots: &[u64]) -> String {
    let bits = match field.length {
        Some(length) => slots[usize::from(length)] as u32,
        None => field.place.kind.bits(),
    };
    hexadecimal(&slots[field.place.slots()], bits)
}

impl Tracer for Recorder<'_> {
    fn step(&mut self, program: &Program, state: &mut State, slots: &[u64], address: Address) {
        match self.current.take() {
            Some(step) => self.end_step(step, state, slots, address),
            None => self.pass_marks(address, None, slots),
        }
        let instruction = program.code[address as usize];
        if matches!(instruction, Instruction::End) {
            self.record_assignments(slots);
        }
        let index = match instruction {
            Instruction::RegisterRead { index, .. }
            | Instruction::RegisterWrite { index, .. }
            | Instruction::WideRegisterRead { index, .. }
            | Instruction::WideRegisterWrite { index, .. }
            | Instruction::Count { index, .. }
            | Instruction::ExecuteMeter { index, .. }
            | Instruction::TruncateFrame { length_bytes: index } => slots[usize::from(index)],
            Instruction::ApplyTable { table } => {
                self.events.push(lookup(program, state, table, slots));
                0
            }
            _ => 0,
        };
        self.current = Some(Step { address, instruction, index });
    }
}
