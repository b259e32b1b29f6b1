use super::super::wire::{EmitPlan, LOAD_PADDING};
use super::*;
use crate::program::place::Type;

/// A header of three fields, the middle one of variable length.
fn round_trip(front_bits: u32, behind_bits: u32, variable_bytes: usize) {
    let place = |slot, bits| Operand { slot, kind: Type::Unsigned(bits) };
    let (front, behind) = (place(2, front_bits), place(8, behind_bits));
    let fixed_bytes = (front_bits + behind_bits) as usize / 8;
    let extract = ExtractPlan::new(&[front], 0);
    let field = VariableField::new(place(4, 200), 1, &[front], &[behind]);
    let emit = EmitPlan::new(&[front, behind], |_| true);

    let length = fixed_bytes + variable_bytes;
    let header: Vec<u8> = (0..length).map(|index| 0x9d ^ (index * 0x35) as u8).collect();
    let mut slots = vec![0; 16];
    let padded = [&header[..], &[0xee; LOAD_PADDING]].concat();
    extract.run(&padded, &mut slots);
    field.extract(&padded, variable_bytes, &mut slots);
    assert_eq!(slots[1], variable_bytes as u64 * 8);

    let mut emitted = vec![0; length + LOAD_PADDING];
    emit.run(&mut emitted, &slots);
    field.insert(&mut emitted[..length], fixed_bytes, &slots);
    assert_eq!(emitted[..length], header, "{front_bits} {behind_bits} {variable_bytes}");
}

#[test]
fn a_header_is_written_as_it_was_read() {
    for variable_bytes in [0, 1, 2, 7, 8, 9, 16, 24, 25] {
        for front_bits in [1, 3, 4, 8, 13, 40, 64] {
            for bytes in [0, 1, 4] {
                let padding = (8 - front_bits % 8) % 8 + bytes * 8;
                if padding > 0 {
                    round_trip(front_bits, padding, variable_bytes);
                }
            }
        }
    }
}

#[test]
fn the_value_is_a_number() {
    let value = Operand { slot: 1, kind: Type::Unsigned(128) };
    let field = VariableField::new(value, 0, &[], &[]);
    let mut slots = [u64::MAX; 3];
    let mut frame = vec![1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    frame.resize(10 + LOAD_PADDING, 0xee);
    field.extract(&frame, 10, &mut slots);
    assert_eq!(slots, [80, 0x0304_0506_0708_090a, 0x0102]);
    field.extract(&frame, 0, &mut slots);
    assert_eq!(slots, [0, 0, 0]);
}
