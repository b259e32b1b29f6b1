//! Executes instructions.

mod headers;
mod wide;

use crate::numbers::bits::sign_extend_limb;
use crate::packet::Packet;
use crate::program::{
    get, set, Address, Instruction, Native, Program, LOOP_LIMIT, PARSER_LOOP_LIMIT,
};
use crate::state::State;
use headers::ParserError;

/// Watches a program run.
pub(crate) trait Tracer {
    /// Called before every instruction.
    fn step(&mut self, program: &Program, state: &mut State, slots: &[u64], address: Address);
}

/// Watches nothing, at no cost.
#[derive(Debug)]
pub(crate) struct NoTracer;

impl Tracer for NoTracer {
    #[inline(always)]
    fn step(&mut self, _: &Program, _: &mut State, _: &[u64], _: Address) {}
}

/// Runs a program's machine code and what stands between it, which is mostly tables: a loop of few
/// instructions, which needs few registers. From the first other instruction on, it is [`run`].
#[inline]
pub(crate) fn run_native(
    program: &Program,
    native: &Native,
    state: &mut State,
    packet: &mut Packet,
    start: Address,
) {
    let Packet { slots, used, frame, .. } = &mut *packet;
    let mut next = start;
    while let Some(instruction) = native.code.get(next as usize) {
        match *instruction {
            Instruction::Native { function, entry } => {
                let packet = frame.for_native(slots, used, state.registers.cells_mut());
                next = native.functions.run(function, entry, packet) as Address;
            }
            Instruction::ApplyTable { table } => {
                let bytes = frame.received_bytes;
                next = state.apply_table(table, slots, bytes, &program.calculations);
            }
            Instruction::End => return,
            _ => return run(program, &native.code, state, packet, next, &mut NoTracer),
        }
    }
}

/// Runs `code`, that of a program or what is left of it beside its machine code, on a packet, from
/// `start` until it ends. Every program ends: where control can go back,
/// [`Instruction::ParserLoop`] or [`Instruction::Loop`] counts.
// One arm an instruction: in parts, it would be slower and no easier to read.
#[allow(clippy::too_many_lines)]
pub(crate) fn run(
    program: &Program,
    code: &[Instruction],
    state: &mut State,
    packet: &mut Packet,
    start: Address,
    tracer: &mut impl Tracer,
) {
    // Jumps replace the iterator: as the choice between two numbers, a jump would not be a branch
    // that the processor predicts.
    let at = |address: Address| code[address as usize..].iter();
    let mut next = at(start);
    let mut parser_loops = 0;
    let mut loops = 0;
    let Packet { slots, used, frame, requests, .. } = packet;
    let slots = &mut **slots;
    let headers = program.headers.as_slice();
    loop {
        tracer.step(program, state, slots, (code.len() - next.len()) as Address);
        let Some(instruction) = next.next() else { return };
        match *instruction {
            Instruction::End => return,

            Instruction::Copy { to, from } => set(slots, to, get(slots, from)),
            Instruction::ElementRead { to, limbs, index } => {
                let element = limbs.slot(get(slots, index));
                set(slots, to, element.map_or(0, |element| get(slots, element)));
            }
            Instruction::ElementWrite { limbs, index, from } => {
                if let Some(element) = limbs.slot(get(slots, index)) {
                    set(slots, element, get(slots, from));
                    touch(used, usize::from(element) + 1);
                }
            }
            Instruction::Add { to, left, right, bits } => {
                let sum = get(slots, left).wrapping_add(get(slots, right));
                set(slots, to, sum & narrow_mask(bits));
            }
            Instruction::Subtract { to, left, right, bits } => {
                let difference = get(slots, left).wrapping_sub(get(slots, right));
                set(slots, to, difference & narrow_mask(bits));
            }
            Instruction::Multiply { to, left, right, bits } => {
                let product = get(slots, left).wrapping_mul(get(slots, right));
                set(slots, to, product & narrow_mask(bits));
            }
            Instruction::ShiftLeft { to, left, right, bits } => {
                let shifted = shift_left(get(slots, left), get(slots, right));
                set(slots, to, shifted & narrow_mask(bits));
            }
            Instruction::ShiftRight { to, left, right } => {
                let amount = get(slots, right);
                let shifted = if amount < 64 { get(slots, left) >> amount } else { 0 };
                set(slots, to, shifted);
            }
            Instruction::ShiftRightSigned { to, left, right } => {
                let amount = get(slots, right).min(63);
                set(slots, to, (get(slots, left) as i64 >> amount) as u64);
            }
            Instruction::And { to, left, right } => {
                set(slots, to, get(slots, left) & get(slots, right));
            }
            Instruction::Or { to, left, right } => {
                set(slots, to, get(slots, left) | get(slots, right));
            }
            Instruction::Xor { to, left, right } => {
                set(slots, to, get(slots, left) ^ get(slots, right));
            }
            Instruction::Complement { to, from, bits } => {
                set(slots, to, !get(slots, from) & narrow_mask(bits));
            }
            Instruction::Truncate { to, from, bits } => {
                set(slots, to, get(slots, from) & narrow_mask(bits));
            }
            Instruction::SignExtend { to, from, bits } => {
                set(slots, to, sign_extend_limb(get(slots, from), bits.into()));
            }

            Instruction::Not { to, from } => set(slots, to, get(slots, from) ^ 1),
            Instruction::Equal { to, left, right } => {
                set(slots, to, u64::from(get(slots, left) == get(slots, right)));
            }
            Instruction::NotEqual { to, left, right } => {
                set(slots, to, u64::from(get(slots, left) != get(slots, right)));
            }
            Instruction::Less { to, left, right } => {
                set(slots, to, u64::from(get(slots, left) < get(slots, right)));
            }
            Instruction::LessOrEqual { to, left, right } => {
                set(slots, to, u64::from(get(slots, left) <= get(slots, right)));
            }
            Instruction::LessSigned { to, left, right } => {
                let less = (get(slots, left) as i64) < get(slots, right) as i64;
                set(slots, to, u64::from(less));
            }
            Instruction::LessOrEqualSigned { to, left, right } => {
                let less_or_equal = get(slots, left) as i64 <= get(slots, right) as i64;
                set(slots, to, u64::from(less_or_equal));
            }

            Instruction::Wide { operation, to, left, right, limbs } => {
                wide::run(slots, operation, to, left, right, limbs.into());
            }
            Instruction::WideTruncate { to, from, limbs, bits } => {
                wide::truncate(slots, to, from, limbs.into(), bits.into());
            }
            Instruction::WideSignExtend { to, from, limbs, bits } => {
                wide::sign_extend(slots, to, from, limbs.into(), bits.into());
            }
            Instruction::Extend { to, from, from_limbs, to_limbs, signed } => {
                wide::extend(slots, to, from, from_limbs.into(), to_limbs.into(), signed);
            }
            Instruction::Saturate(saturation) => wide::saturate(slots, saturation),

            Instruction::Jump { target } => next = at(target),
            Instruction::JumpIfZero { condition, target } => {
                if get(slots, condition) == 0 {
                    next = at(target);
                }
            }
            Instruction::JumpIfNotZero { condition, target } => {
                if get(slots, condition) != 0 {
                    next = at(target);
                }
            }
            Instruction::JumpIfEqual { left, right, target } => {
                if get(slots, left) == get(slots, right) {
                    next = at(target);
                }
            }
            Instruction::JumpIfNotEqual { left, right, target } => {
                if get(slots, left) != get(slots, right) {
                    next = at(target);
                }
            }
            Instruction::JumpIfLess { left, right, target } => {
                if get(slots, left) < get(slots, right) {
                    next = at(target);
                }
            }
            Instruction::JumpIfLessOrEqual { left, right, target } => {
                if get(slots, left) <= get(slots, right) {
                    next = at(target);
                }
            }

            Instruction::JumpIfInValueSet { value_set, key, target } => {
                let set = &state.value_sets[usize::from(value_set)];
                let start = usize::from(key);
                if set.contains(&slots[start..start + set.limbs()]) {
                    next = at(target);
                }
            }
            Instruction::JumpTable { index, jumps } => {
                next = next.as_slice()[get(slots, index).min(jumps.into()) as usize..].iter();
            }
            Instruction::Loop { proceed } => {
                loops += 1;
                if loops <= LOOP_LIMIT {
                    next = at(proceed);
                }
            }

            Instruction::Extract { header, failed } => {
                let header = &headers[usize::from(header)];
                if headers::extract(header, frame, slots) {
                    touch(used, header.slots.end);
                } else {
                    fail(program, slots, |codes| codes.packet_too_short);
                    next = at(failed);
                }
            }
            Instruction::ExtractVariable { header, length, failed } => {
                let header = &headers[usize::from(header)];
                match headers::extract_variable(header, frame, slots, length) {
                    Ok(()) => touch(used, header.slots.end),
                    Err(error) => {
                        fail(program, slots, error);
                        next = at(failed);
                    }
                }
            }
            Instruction::Advance { by, failed } => {
                if let Err(error) = headers::advance(frame, get(slots, by)) {
                    fail(program, slots, error);
                    next = at(failed);
                }
            }
            Instruction::LookAhead { to, offset_bits, bits, failed } => {
                match headers::look_ahead(frame, offset_bits.into(), bits.into()) {
                    Some(value) => set(slots, to, value),
                    None => {
                        fail(program, slots, |codes| codes.packet_too_short);
                        next = at(failed);
                    }
                }
            }
            Instruction::ParserLoop { failed } => {
                parser_loops += 1;
                if parser_loops > PARSER_LOOP_LIMIT {
                    let address = (code.len() - next.len() - 1) as Address;
                    let message = || program.endless_parser(address);
                    state.notices.tell("parser loop", address.into(), message);
                    fail(program, slots, |codes| codes.parser_timeout);
                    next = at(failed);
                }
            }

            Instruction::AddHeader { header } => {
                let header = &headers[usize::from(header)];
                headers::add(header, frame, slots);
                touch(used, header.slots.end);
            }
            Instruction::RemoveHeader { header } => {
                headers::remove(&headers[usize::from(header)], frame, slots);
            }
            Instruction::AssignHeader { to, from } => {
                let to = &headers[usize::from(to)];
                headers::assign(to, &headers[usize::from(from)], slots);
                touch(used, to.slots.end);
            }
            Instruction::SwapHeaders { left, right } => {
                let [left, right] = [left, right].map(|header| &headers[usize::from(header)]);
                headers::swap(left, right, slots);
                touch(used, left.slots.end.max(right.slots.end));
            }
            Instruction::Touch { end } => touch(used, end.into()),

            Instruction::Clone { session, field_list } => {
                requests.request_clone(get(slots, session), field_list);
            }
            Instruction::Resubmit { field_list } => requests.resubmit = Some(field_list),
            Instruction::Recirculate { field_list } => requests.recirculate = Some(field_list),
            Instruction::TruncateFrame { length_bytes } => {
                requests.request_truncation(get(slots, length_bytes));
            }

            Instruction::ApplyTable { table } => {
                let bytes = frame.received_bytes;
                next = at(state.apply_table(table, slots, bytes, &program.calculations));
            }
            Instruction::RegisterRead { to, register, index } => {
                if let Some(&value) = state.registers.word(register, get(slots, index)) {
                    set(slots, to, value);
                }
            }
            Instruction::RegisterWrite { register, index, from } => {
                if let Some(word) = state.registers.word_mut(register, get(slots, index)) {
                    *word = get(slots, from);
                }
            }
            Instruction::WideRegisterRead { to, register, index } => {
                let index = get(slots, index);
                if let Some(cell) = state.registers.cell(register.into(), index) {
                    let start = usize::from(to);
                    slots[start..start + cell.len()].copy_from_slice(cell);
                }
            }
            Instruction::WideRegisterWrite { register, index, from } => {
                let index = get(slots, index);
                if let Some(cell) = state.registers.cell_mut(register.into(), index) {
                    let start = usize::from(from);
                    cell.copy_from_slice(&slots[start..start + cell.len()]);
                }
            }
            Instruction::Count { counter, index } => {
                let cells = &mut state.counters[usize::from(counter)].cells;
                let cell = usize::try_from(get(slots, index)).ok().and_then(|i| cells.get_mut(i));
                if let Some(cell) = cell {
                    cell.count(frame.received_bytes);
                }
            }
            Instruction::Log { message } => {
                state.log.write(&program.log_messages[usize::from(message)], slots);
            }
            Instruction::Digest { list } => requests.digest = Some(list),
            Instruction::ExecuteMeter { to, meter, index } => {
                let meter = &mut state.meters[usize::from(meter)];
                let index = get(slots, index);
                if let Some(color) = meter.execute(index, frame.received_bytes, state.now_us) {
                    set(slots, to, color as u64);
                }
            }
            Instruction::Calculate { to, calculation } => {
                let calculation = &program.calculations[usize::from(calculation)];
                let payload = requests.cut(frame.payload());
                let value = calculation.run(slots, payload, &mut state.buffer);
                set(slots, to, value);
            }
            Instruction::Remainder { to, value, modulus } => {
                let modulus = get(slots, modulus).max(1);
                set(slots, to, get(slots, value) % modulus);
            }
            Instruction::Random { to, low, high } => {
                let (low, high) = (get(slots, low), get(slots, high));
                // The number of values wraps to 0 if it is 2^64.
                let offset = state.random.below(high.wrapping_sub(low).wrapping_add(1));
                set(slots, to, low.wrapping_add(offset));
            }

            Instruction::Native { function, entry } => {
                let native = program.native().expect("there is machine code");
                let packet = frame.for_native(slots, used, state.registers.cells_mut());
                next = at(native.functions.run(function, entry, packet) as Address);
            }
        }
    }
}

/// The lowest `bits` (1 to 64) bits set.
#[inline(always)]
fn narrow_mask(bits: u8) -> u64 {
    u64::MAX >> (bits.wrapping_neg() % 64)
}

#[inline(always)]
fn shift_left(value: u64, amount: u64) -> u64 {
    if amount < 64 {
        value << amount
    } else {
        0
    }
}

/// Records a parser error.
#[cold]
#[inline(never)]
fn fail(program: &Program, slots: &mut [u64], error: ParserError) {
    let standard = &program.standard_metadata;
    standard.parser_error.write(slots, error(&standard.error_codes));
}

/// Takes note that slots may have been written up to `end`, if they are elements of stacks.
#[inline(always)]
fn touch(used: &mut usize, end: usize) {
    *used = end.max(*used);
}
