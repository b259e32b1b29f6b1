//! Executes instructions.

use crate::bits::{low_mask, sign_extend_limb};
use crate::packet::Packet;
use crate::program::{Address, Instruction, Load, Program, Slot, LOOP_LIMIT, PARSER_LOOP_LIMIT};
use crate::state::State;
use crate::wide;

/// Watches a program run.
pub(crate) trait Tracer {
    /// Called before every instruction.
    fn step(&mut self, program: &Program, state: &mut State, packet: &Packet, address: Address);
}

/// Watches nothing, at no cost.
#[derive(Debug)]
pub(crate) struct NoTracer;

impl Tracer for NoTracer {
    #[inline(always)]
    fn step(&mut self, _: &Program, _: &mut State, _: &Packet, _: Address) {}
}

/// Runs a program on a packet, from `start` until it ends. Every program ends: control flow has
/// no cycles, and [`Instruction::ParserLoop`] bounds the parser's.
pub(crate) fn run(
    program: &Program,
    state: &mut State,
    packet: &mut Packet,
    start: Address,
    tracer: &mut impl Tracer,
) {
    let mut address = start;
    let mut parser_loops = 0;
    let mut loops = 0;
    loop {
        tracer.step(program, state, packet, address);
        let instruction = program.code[address as usize];
        address += 1;
        let slots = &mut *packet.slots;
        match instruction {
            Instruction::End => return,

            Instruction::Copy { to, from } => set(slots, to, get(slots, from)),
            Instruction::Add { to, left, right, bits } => {
                let sum = get(slots, left).wrapping_add(get(slots, right));
                set(slots, to, sum & low_mask(bits.into()));
            }
            Instruction::Subtract { to, left, right, bits } => {
                let difference = get(slots, left).wrapping_sub(get(slots, right));
                set(slots, to, difference & low_mask(bits.into()));
            }
            Instruction::Multiply { to, left, right, bits } => {
                let product = get(slots, left).wrapping_mul(get(slots, right));
                set(slots, to, product & low_mask(bits.into()));
            }
            Instruction::ShiftLeft { to, left, right, bits } => {
                let shifted = shift_left(get(slots, left), get(slots, right));
                set(slots, to, shifted & low_mask(bits.into()));
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
                set(slots, to, !get(slots, from) & low_mask(bits.into()));
            }
            Instruction::Truncate { to, from, bits } => {
                set(slots, to, get(slots, from) & low_mask(bits.into()));
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

            Instruction::Jump { target } => address = target,
            Instruction::JumpIfZero { condition, target } => {
                if get(slots, condition) == 0 {
                    address = target;
                }
            }
            Instruction::JumpIfNotZero { condition, target } => {
                if get(slots, condition) != 0 {
                    address = target;
                }
            }
            Instruction::JumpIfEqual { left, right, target } => {
                if get(slots, left) == get(slots, right) {
                    address = target;
                }
            }
            Instruction::JumpIfNotEqual { left, right, target } => {
                if get(slots, left) != get(slots, right) {
                    address = target;
                }
            }
            Instruction::JumpIfLess { left, right, target } => {
                if get(slots, left) < get(slots, right) {
                    address = target;
                }
            }
            Instruction::JumpIfLessOrEqual { left, right, target } => {
                if get(slots, left) <= get(slots, right) {
                    address = target;
                }
            }

            Instruction::JumpIfInValueSet { value_set, key, target } => {
                let set = &state.value_sets[usize::from(value_set)];
                let start = usize::from(key);
                if set.contains(&slots[start..start + set.limbs()]) {
                    address = target;
                }
            }
            Instruction::JumpTable { index, jumps } => {
                address += get(slots, index).min(jumps.into()) as Address;
            }
            Instruction::Loop { proceed } => {
                loops += 1;
                if loops <= LOOP_LIMIT {
                    address = proceed;
                }
            }

            Instruction::Extract { header, failed } => {
                if !extract(program, packet, header) {
                    fail(packet, program, program.standard_metadata.error_codes.packet_too_short);
                    address = failed;
                }
            }
            Instruction::ExtractVariable { header, length, failed } => {
                if let Err(code) = extract_variable(program, packet, header, length) {
                    fail(packet, program, code);
                    address = failed;
                }
            }
            Instruction::Advance { by, failed } => {
                if let Err(code) = advance(program, packet, by) {
                    fail(packet, program, code);
                    address = failed;
                }
            }
            Instruction::LookAhead { to, offset_bits, bits, failed } => {
                if !look_ahead(packet, to, offset_bits.into(), bits.into()) {
                    fail(packet, program, program.standard_metadata.error_codes.packet_too_short);
                    address = failed;
                }
            }
            Instruction::ParserLoop { failed } => {
                parser_loops += 1;
                if parser_loops > PARSER_LOOP_LIMIT {
                    fail(packet, program, program.standard_metadata.error_codes.parser_timeout);
                    address = failed;
                }
            }

            Instruction::AddHeader { header } => add_header(program, packet, header),
            Instruction::RemoveHeader { header } => remove_header(program, packet, header),
            Instruction::AssignHeader { to, from } => assign_header(program, slots, to, from),
            Instruction::SwapHeaders { left, right } => swap_headers(program, slots, left, right),

            Instruction::Clone { session, field_list } => {
                packet.requests.request_clone(get(slots, session), field_list);
            }
            Instruction::Resubmit { field_list } => packet.requests.resubmit = Some(field_list),
            Instruction::Recirculate { field_list } => {
                packet.requests.recirculate = Some(field_list);
            }
            Instruction::TruncateFrame { length_bytes } => {
                packet.requests.request_truncation(get(slots, length_bytes));
            }

            Instruction::ApplyTable { table } => {
                let bytes = packet.received_bytes;
                address = state.apply_table(table, slots, bytes, &program.calculations);
            }
            Instruction::RegisterRead { to, register, index } => {
                let index = get(slots, index);
                if let Some(cell) = state.registers[usize::from(register)].cell(index) {
                    let start = usize::from(to);
                    slots[start..start + cell.len()].copy_from_slice(cell);
                }
            }
            Instruction::RegisterWrite { register, index, from } => {
                let index = get(slots, index);
                if let Some(cell) = state.registers[usize::from(register)].cell_mut(index) {
                    let start = usize::from(from);
                    cell.copy_from_slice(&slots[start..start + cell.len()]);
                }
            }
            Instruction::Count { counter, index } => {
                let cells = &mut state.counters[usize::from(counter)].cells;
                let cell = usize::try_from(get(slots, index)).ok().and_then(|i| cells.get_mut(i));
                if let Some(cell) = cell {
                    cell.count(packet.received_bytes);
                }
            }
            Instruction::Log { message } => {
                state.log.write(&program.log_messages[usize::from(message)], slots);
            }
            Instruction::Digest { list } => packet.requests.digest = Some(list),
            Instruction::ExecuteMeter { to, meter, index } => {
                let meter = &mut state.meters[usize::from(meter)];
                let index = get(slots, index);
                if let Some(color) = meter.execute(index, packet.received_bytes, state.now_us) {
                    set(slots, to, color as u64);
                }
            }
            Instruction::Calculate { to, calculation } => {
                let calculation = &program.calculations[usize::from(calculation)];
                let value = calculation.run(&packet.slots, packet.payload(), &mut state.buffer);
                set(&mut packet.slots, to, value);
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
        }
    }
}

#[inline(always)]
fn get(slots: &[u64], slot: Slot) -> u64 {
    slots[usize::from(slot)]
}

#[inline(always)]
fn set(slots: &mut [u64], slot: Slot, value: u64) {
    slots[usize::from(slot)] = value;
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
fn fail(packet: &mut Packet, program: &Program, code: u64) {
    let place = program.standard_metadata.parser_error;
    crate::program::write(&mut packet.slots, place, code);
}

#[inline]
fn extract(program: &Program, packet: &mut Packet, header: u16) -> bool {
    let header = &program.headers[usize::from(header)];
    if packet.unparsed_bytes() < header.bytes {
        return false;
    }
    let (frame, slots) = packet.unparsed();
    header.extract.run(frame, slots);
    set(slots, header.valid, 1);
    packet.parsed += header.bytes;
    true
}

/// Reads a header with a field of variable length; otherwise the error's code. As in BMv2, lengths
/// are limited to 31 bits, and the field counts as long as it is already.
fn extract_variable(
    program: &Program,
    packet: &mut Packet,
    header: u16,
    length: Slot,
) -> Result<(), u64> {
    let header = &program.headers[usize::from(header)];
    let codes = &program.standard_metadata.error_codes;
    let Some(field) = &header.variable else { return Ok(()) };
    let bits = get(&packet.slots, length).min(i32::MAX as u64);
    if bits % 8 != 0 {
        return Err(codes.parser_invalid_argument);
    }
    let bytes = (bits / 8) as usize;
    let needed_bytes = header.length_bytes(&packet.slots) + bytes;
    if packet.unparsed_bytes() < needed_bytes {
        return Err(codes.packet_too_short);
    }
    if needed_bytes > header.max_bytes() {
        return Err(codes.header_too_short);
    }
    let (frame, slots) = packet.unparsed();
    header.extract.run(frame, slots);
    field.extract(frame, bytes, slots);
    set(slots, header.valid, 1);
    packet.parsed += header.bytes + bytes;
    Ok(())
}

/// Skips whole bytes; otherwise the error's code.
fn advance(program: &Program, packet: &mut Packet, by: Slot) -> Result<(), u64> {
    let bits = get(&packet.slots, by);
    let codes = &program.standard_metadata.error_codes;
    if bits % 8 != 0 {
        return Err(codes.parser_invalid_argument);
    }
    if bits / 8 > packet.unparsed_bytes() as u64 {
        return Err(codes.packet_too_short);
    }
    packet.parsed += (bits / 8) as usize;
    Ok(())
}

fn look_ahead(packet: &mut Packet, to: Slot, offset_bits: u32, bits: u32) -> bool {
    let last = (offset_bits + bits).div_ceil(8) as usize;
    if packet.unparsed_bytes() < last {
        return false;
    }
    let (frame, slots) = packet.unparsed();
    let value = Load::new(to, offset_bits, bits, false).run(frame);
    set(slots, to, value);
    true
}

/// As in BMv2, a header that is valid already keeps its fields.
fn add_header(program: &Program, packet: &mut Packet, header: u16) {
    let header = &program.headers[usize::from(header)];
    if get(&packet.slots, header.valid) == 0 {
        packet.slots[header.fields.clone()].fill(0);
        set(&mut packet.slots, header.valid, 1);
        packet.current_bytes += header.length_bytes(&packet.slots);
    }
}

fn remove_header(program: &Program, packet: &mut Packet, header: u16) {
    let header = &program.headers[usize::from(header)];
    if get(&packet.slots, header.valid) != 0 {
        set(&mut packet.slots, header.valid, 0);
        let length_bytes = header.length_bytes(&packet.slots);
        packet.current_bytes = packet.current_bytes.saturating_sub(length_bytes);
    }
}

fn assign_header(program: &Program, slots: &mut [u64], to: u16, from: u16) {
    let to = &program.headers[usize::from(to)];
    let from = &program.headers[usize::from(from)];
    match get(slots, from.valid) {
        0 => set(slots, to.valid, 0),
        _ => slots.copy_within(from.slots.clone(), to.slots.start),
    }
}

fn swap_headers(program: &Program, slots: &mut [u64], left: u16, right: u16) {
    let left = &program.headers[usize::from(left)].slots;
    let right = &program.headers[usize::from(right)].slots;
    for (left, right) in left.clone().zip(right.clone()) {
        slots.swap(left, right);
    }
}
