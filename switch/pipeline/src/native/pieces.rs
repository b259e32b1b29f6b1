//! Which instructions become one function.

use super::kinds::is_translatable;
use crate::program::{Address, Instruction, Program};
use std::collections::{BTreeMap, BTreeSet};

/// Longer programs have no machine code.
const PROGRAM_MAX: usize = 1 << 15;

/// Longer functions take too long to be made.
const PIECE_MAX: usize = 1 << 12;

/// Functions that do less than so many instructions' work are not worth their call.
const WEIGHT_MIN: usize = 3;

/// Instructions that lead to each other, without any other between them.
#[derive(Debug)]
pub(super) struct Piece {
    /// In order.
    pub(super) addresses: Vec<Address>,
    /// Those of them where control comes from elsewhere, in order.
    pub(super) entries: Vec<Address>,
}

/// The pieces of a program.
pub(super) fn find(program: &Program) -> Vec<Piece> {
    let code = &program.code;
    if code.len() > PROGRAM_MAX {
        return Vec::new();
    }
    let mut pieces = connected(program);
    pieces.retain(|addresses| {
        let weight = addresses.iter().map(|&address| weight(code[address as usize])).sum::<usize>();
        weight >= WEIGHT_MIN && addresses.len() <= PIECE_MAX
    });
    let inside: BTreeSet<Address> = pieces.iter().flatten().copied().collect();
    let outside = (0..code.len() as Address).filter(|address| !inside.contains(address));
    let mut entries: BTreeSet<Address> = outside.flat_map(|address| ways(code, address)).collect();
    entries.extend(&program.entries);
    let of = |addresses: Vec<Address>| Piece {
        entries: addresses.iter().copied().filter(|address| entries.contains(address)).collect(),
        addresses,
    };
    pieces.into_iter().map(of).filter(|piece| !piece.entries.is_empty()).collect()
}

/// The connected components of what can be translated.
fn connected(program: &Program) -> Vec<Vec<Address>> {
    let code = &program.code;
    let is_inside: Vec<bool> =
        code.iter().map(|&instruction| is_translatable(program, instruction)).collect();
    let mut sets = Sets::new(code.len());
    for address in (0..code.len() as Address).filter(|&address| is_inside[address as usize]) {
        for next in ways(code, address) {
            if is_inside[next as usize] {
                sets.join(address, next);
            }
        }
    }
    let mut components: BTreeMap<Address, Vec<Address>> = BTreeMap::new();
    for address in (0..code.len() as Address).filter(|&address| is_inside[address as usize]) {
        components.entry(sets.of(address)).or_default().push(address);
    }
    components.into_values().collect()
}

/// How much work an instruction is for the interpreter, which does not count jumps.
fn weight(instruction: Instruction) -> usize {
    match instruction {
        Instruction::End | Instruction::Jump { .. } => 0,
        Instruction::Extract { .. } | Instruction::Calculate { .. } => 4,
        _ => 1,
    }
}

/// Where control can go from an instruction by itself; a table's jumps are [`Program::entries`].
fn ways(code: &[Instruction], address: Address) -> Vec<Address> {
    let mut ways: Vec<Address> = targets(code, address).collect();
    match code[address as usize] {
        Instruction::End
        | Instruction::Jump { .. }
        | Instruction::JumpTable { .. }
        | Instruction::ApplyTable { .. } => (),
        _ => ways.push(address + 1),
    }
    ways.retain(|&way| (way as usize) < code.len());
    ways
}

/// Where an instruction jumps to.
pub(super) fn targets(code: &[Instruction], address: Address) -> impl Iterator<Item = Address> {
    let instruction = code[address as usize];
    let table = match instruction {
        Instruction::JumpTable { jumps, .. } => address + 1..address + 2 + jumps,
        _ => 0..0,
    };
    table.chain(instruction.target())
}

/// Disjoint sets of addresses.
struct Sets {
    parents: Vec<Address>,
}

impl Sets {
    fn new(count: usize) -> Sets {
        Sets { parents: (0..count as Address).collect() }
    }

    /// The lowest address of a set.
    fn of(&mut self, address: Address) -> Address {
        let mut at = address as usize;
        while self.parents[at] as usize != at {
            self.parents[at] = self.parents[self.parents[at] as usize];
            at = self.parents[at] as usize;
        }
        at as Address
    }

    fn join(&mut self, one: Address, other: Address) {
        let (one, other) = (self.of(one), self.of(other));
        self.parents[one.max(other) as usize] = one.min(other);
    }
}
