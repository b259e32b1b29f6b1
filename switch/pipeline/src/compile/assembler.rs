//! Collects instructions, labels, constants and temporaries.

use super::limits::MAX_SLOTS;
use crate::error::{Problem, Result};
use crate::json::Number;
use crate::numbers::bits;
use crate::program::{Address, ConditionSymbol, Instruction, Mark, Operand, Slot, Symbols, Type};
use std::collections::{HashMap, HashSet};
use std::mem::take;

/// The longest program; far more than p4c makes of a real one.
const MAX_INSTRUCTIONS: usize = 1 << 20;

fn too_long() -> Problem {
    Problem::unsupported("so long a program", &["up to 1048576 instructions"])
}

/// A place in the code, which may not exist yet. Jumps carry its number until the code is
/// complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Label(Address);

impl Label {
    /// What a jump to this label carries as its target.
    pub(crate) fn target(self) -> Address {
        self.0
    }
}

/// Code under construction, and the slots it uses besides the variables.
#[derive(Debug)]
pub(crate) struct Assembler {
    code: Vec<Instruction>,
    /// Statements lowered so far; some have no instructions.
    statements: usize,
    /// The addresses of the labels that have been placed.
    labels: Vec<Option<Address>>,
    /// Instructions before this one must stay: a label follows them.
    settled: usize,
    symbols: Symbols,
    /// Initial values: variables first, then constants and temporaries as they come.
    slots: Vec<u64>,
    constants: HashMap<Vec<u64>, Slot>,
    /// By number of limbs.
    temporaries: HashMap<usize, Temporaries>,
}

/// Temporaries of one size; the first `used` of them hold values of the current statement.
#[derive(Debug, Default)]
struct Temporaries {
    slots: Vec<Slot>,
    used: usize,
}

/// Complete code with resolved jumps.
#[derive(Debug)]
pub(crate) struct Assembly {
    pub(crate) code: Vec<Instruction>,
    pub(crate) slots: Vec<u64>,
    /// Those of them that nothing writes.
    pub(crate) constants: HashSet<Slot>,
    pub(crate) symbols: Symbols,
    labels: Vec<Option<Address>>,
}

impl Assembly {
    /// Where a label ended up.
    pub(crate) fn address(&self, label: Label) -> Address {
        resolve(&self.labels, label.0)
    }
}

fn resolve(labels: &[Option<Address>], label: Address) -> Address {
    labels[label as usize].expect("every label is placed before the code is complete")
}

impl Assembler {
    /// Starts a program whose variables occupy the first slots.
    pub(crate) fn new(variable_slots: usize) -> Assembler {
        Assembler {
            code: Vec::new(),
            statements: 0,
            labels: Vec::new(),
            settled: 0,
            symbols: Symbols::default(),
            slots: vec![0; variable_slots],
            constants: HashMap::new(),
            temporaries: HashMap::new(),
        }
    }

    pub(crate) fn emit(&mut self, instruction: Instruction) -> Result {
        if self.code.len() == MAX_INSTRUCTIONS {
            return Err(too_long());
        }
        self.code.push(instruction);
        Ok(())
    }

    /// Accounts for statements that are going to be lowered.
    pub(crate) fn begin_statements(&mut self, count: usize) -> Result {
        self.statements = self.statements.saturating_add(count);
        match self.statements {
            0..=MAX_INSTRUCTIONS => Ok(()),
            _ => Err(too_long()),
        }
    }

    pub(crate) fn new_label(&mut self) -> Label {
        self.labels.push(None);
        self.symbols.labels.push(0);
        Label(self.labels.len() as Address - 1)
    }

    /// Puts the label before the next instruction.
    pub(crate) fn place(&mut self, label: Label) {
        self.labels[label.0 as usize] = Some(self.code.len() as Address);
        self.settled = self.code.len();
        self.symbols.labels[label.0 as usize] = self.symbols.marks.len();
    }

    /// Names what begins with the next instruction.
    pub(crate) fn mark(&mut self, mark: Mark) {
        self.symbols.marks.push((self.code.len() as Address, mark));
    }

    /// Names the condition whose code begins here.
    pub(crate) fn begin_condition(&mut self, name: &str, source: Option<String>) {
        let symbol = ConditionSymbol { name: name.to_string(), source, ..Default::default() };
        self.mark(Mark::Condition(symbol));
    }

    /// The code of the condition that began last ends here, by falling through if its outcome is
    /// `otherwise`.
    pub(crate) fn end_condition(&mut self, yes: Label, no: Label, otherwise: bool) {
        if let Some((_, Mark::Condition(symbol))) = self.symbols.marks.last_mut() {
            let end = self.code.len() as Address;
            *symbol = ConditionSymbol { yes: yes.0, no: no.0, otherwise, end, ..take(symbol) };
        }
    }

    pub(crate) fn jump(&mut self, label: Label) -> Result {
        self.emit(Instruction::Jump { target: label.target() })
    }

    /// New slots that nothing else uses.
    pub(crate) fn reserve(&mut self, limbs: usize) -> Result<Slot> {
        self.append(&vec![0; limbs])
    }

    fn append(&mut self, values: &[u64]) -> Result<Slot> {
        let slot = self.slots.len();
        if slot + values.len() >= MAX_SLOTS {
            return Err(Problem::unsupported(
                "a program with so many values",
                &["up to 65535 slots of 64 bits"],
            ));
        }
        self.slots.extend_from_slice(values);
        Ok(slot as Slot)
    }

    /// A constant as a value of the given type.
    pub(crate) fn constant(&mut self, number: &Number, kind: Type) -> Result<Operand> {
        let mut limbs = number.modulo(kind.bits());
        if kind.is_signed() {
            bits::sign_extend(&mut limbs, kind.bits());
        }
        self.limbs_constant(&limbs, kind)
    }

    /// A constant given by its limbs.
    pub(crate) fn limbs_constant(&mut self, limbs: &[u64], kind: Type) -> Result<Operand> {
        let mut limbs = limbs.to_vec();
        limbs.resize(kind.limbs(), 0);
        let slot = match self.constants.get(&limbs) {
            Some(&slot) => slot,
            None => {
                let slot = self.append(&limbs)?;
                self.constants.insert(limbs, slot);
                slot
            }
        };
        Ok(Operand { slot, kind })
    }

    /// A small constant, as an unsigned value of 64 bits.
    pub(crate) fn small_constant(&mut self, value: u64) -> Result<Slot> {
        let constant = self.constant(&Number::from_u64(value), Type::Unsigned(64))?;
        Ok(constant.slot)
    }

    /// A temporary, valid until the end of the statement.
    pub(crate) fn temporary(&mut self, kind: Type) -> Result<Operand> {
        let limbs = kind.limbs();
        let pool = self.temporaries.entry(limbs).or_default();
        pool.used += 1;
        if let Some(&slot) = pool.slots.get(pool.used - 1) {
            return Ok(Operand { slot, kind });
        }
        let slot = self.reserve(limbs)?;
        self.temporaries.entry(limbs).or_default().slots.push(slot);
        Ok(Operand { slot, kind })
    }

    /// Ends a statement: its temporaries can be used again.
    pub(crate) fn end_statement(&mut self) {
        for pool in self.temporaries.values_mut() {
            pool.used = 0;
        }
    }

    /// Copies a value of one limb. If the last instruction has just computed it into a temporary,
    /// that instruction writes to its final place instead.
    pub(crate) fn copy(&mut self, to: Slot, from: Slot) -> Result {
        let is_temporary =
            self.temporaries.get(&1).is_some_and(|pool| pool.slots[..pool.used].contains(&from));
        if is_temporary && self.code.len() > self.settled {
            if let Some(result) = self.code.last_mut().and_then(Instruction::result_mut) {
                if *result == from {
                    *result = to;
                    return Ok(());
                }
            }
        }
        match to == from {
            true => Ok(()),
            false => self.emit(Instruction::Copy { to, from }),
        }
    }

    /// Resolves all jumps.
    pub(crate) fn finish(mut self) -> Assembly {
        for (address, instruction) in self.code.iter_mut().enumerate() {
            if let Some(target) = instruction.target_mut() {
                self.symbols.jumps.insert(address as Address, *target);
                *target = resolve(&self.labels, *target);
            }
        }
        let of_constant = |(limbs, &slot): (&Vec<u64>, &Slot)| slot..slot + limbs.len() as Slot;
        Assembly {
            code: self.code,
            slots: self.slots,
            constants: self.constants.iter().flat_map(of_constant).collect(),
            symbols: self.symbols,
            labels: self.labels,
        }
    }
}
