use super::super::built;
use super::super::wire::LOAD_PADDING;
use super::*;
use crate::program::place::Type;

fn inputs(widths: &[u32]) -> Vec<Input> {
    let mut slot = 1;
    widths
        .iter()
        .map(|&bits| {
            let value = Operand { slot, kind: Type::Unsigned(bits) };
            slot += value.limbs() as Slot;
            Input { value, valid: Some(0), length: None }
        })
        .collect()
}

#[test]
fn summing_fields_in_place_equals_summing_the_byte_string() {
    let mut random = crate::numbers::random::Random::new(7);
    for round in 0..2000 {
        let count = 1 + random.below(8) as usize;
        let widths: Vec<u32> = (0..count).map(|_| 1 + random.below(150) as u32).collect();
        let inputs = inputs(&widths);
        let mut slots = vec![1];
        for input in &inputs {
            let mut limbs: Vec<u64> = (0..input.value.limbs()).map(|_| random.next()).collect();
            crate::numbers::bits::truncate(&mut limbs, input.value.kind.bits());
            slots.extend(limbs);
        }
        let mut buffer = Vec::new();
        concatenate(&inputs, &slots, &mut buffer);
        let expected = Algorithm::Csum16.hash(&buffer, &mut Memory::default());
        let calculation = Calculation::new(Algorithm::Csum16, inputs);
        assert!(matches!(calculation, Calculation::HeaderSum { .. }));
        assert_eq!(calculation.run(&slots, &[], &mut buffer), expected, "{widths:?}");
        if round % 10 == 0 {
            assert_eq!(run_built(&calculation, &slots), expected, "{widths:?}");
        }
    }
}

/// What the calculation's machine code makes of the slots.
fn run_built(calculation: &Calculation, slots: &[u64]) -> u64 {
    let result = slots.len();
    let mut slots = [slots, &[0]].concat();
    built::run(&mut slots, &mut [0; LOAD_PADDING], 0, |code, _| {
        let value = calculation.build(code).expect("it can be built");
        code.store(result, value);
    });
    slots[result]
}

#[test]
fn the_fields_of_an_invalid_header_do_not_count() {
    let mut buffer = Vec::new();
    let slots = [0, 0xab];
    for algorithm in [Algorithm::Csum16, Algorithm::Xor16] {
        let calculation = Calculation::new(algorithm, inputs(&[8]));
        let empty = Calculation::new(algorithm, Vec::new());
        let hash = calculation.run(&slots, &[], &mut buffer);
        assert_eq!(hash, empty.run(&slots, &[], &mut buffer));
        if calculation.can_be_built() {
            assert_eq!(run_built(&calculation, &slots), hash);
        }
    }
}

#[test]
fn a_field_of_variable_length_counts_as_long_as_it_is() {
    let mut buffer = Vec::new();
    let mut inputs = inputs(&[4, 128, 4]);
    inputs[1].length = Some(5);
    for (bits, expected) in [
        (0, &[0x5f][..]),
        (8, &[0x5e, 0xff][..]),
        (72, &[0x52, 0x30, 0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xff][..]),
    ] {
        let slots = [1, 0x5, 0x0123_4567_89ab_cdef, 0x23, 0xf, bits];
        concatenate(&inputs, &slots, &mut buffer);
        assert_eq!(buffer, expected, "{bits}");
    }
}

#[test]
fn inputs_are_concatenated_bit_by_bit() {
    let mut buffer = Vec::new();
    let slots = [1, 0x5, 0x1ff, 0x0123_4567_89ab_cdef, 0xf];
    concatenate(&inputs(&[4, 9, 68]), &slots, &mut buffer);
    assert_eq!(buffer, [0x5f, 0xff, 0x80, 0x91, 0xa2, 0xb3, 0xc4, 0xd5, 0xe6, 0xf7, 0x80]);
}
