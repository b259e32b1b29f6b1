//! Operations on numbers are those of Rust, whatever the numbers.

mod support;

use codegen::{Binary, Builder, Comparison};
use support::{function, Run};

const NUMBERS: [u64; 14] = [
    0,
    1,
    2,
    7,
    31,
    63,
    64,
    65,
    0xffff_ffff,
    1 << 32,
    0x0123_4567_89ab_cdef,
    i64::MAX as u64,
    i64::MIN as u64,
    u64::MAX,
];

/// The expected result for all pairs of numbers, from slots 0 and 1 to slot 2.
fn check(what: &str, build: impl FnOnce(&mut Builder<'_>), expected: impl Fn(u64, u64) -> u64) {
    let functions = function(3, 0, |code| {
        build(code);
        code.leave(5);
    });
    for left in NUMBERS {
        for right in NUMBERS {
            let mut run = Run::of(&[left, right, 99]);
            assert_eq!(run.run(&functions), 5);
            assert_eq!(run.slots, [left, right, expected(left, right)], "{what} {left} {right}");
        }
    }
}

#[test]
fn operations_wrap_and_shifts_end() {
    type Expected = fn(u64, u64) -> u64;
    let shift = |amount: u64| u32::try_from(amount).unwrap_or(u32::MAX);
    let operations: [(Binary, Expected); 7] = [
        (Binary::Add, u64::wrapping_add),
        (Binary::Subtract, u64::wrapping_sub),
        (Binary::Multiply, u64::wrapping_mul),
        (Binary::And, |left, right| left & right),
        (Binary::Or, |left, right| left | right),
        (Binary::Xor, |left, right| left ^ right),
        (Binary::Remainder, |left, right| left % right.max(1)),
    ];
    let check_binary = |operation: Binary, expected: &dyn Fn(u64, u64) -> u64| {
        let build = |code: &mut Builder<'_>| {
            let [left, right] = [0, 1].map(|slot| code.load(slot));
            let result = code.binary(operation, left, right);
            code.store(2, result);
        };
        check(&format!("{operation:?}"), build, expected);
    };
    for (operation, expected) in operations {
        check_binary(operation, &expected);
    }
    check_binary(Binary::ShiftLeft, &|left, right| left.checked_shl(shift(right)).unwrap_or(0));
    check_binary(Binary::ShiftRight, &|left, right| left.checked_shr(shift(right)).unwrap_or(0));
    check_binary(Binary::ShiftRightSigned, &|left, right| (left as i64 >> right.min(63)) as u64);
}

#[test]
fn comparisons_are_numbers_and_choose_the_way() {
    type Expected = fn(u64, u64) -> bool;
    let comparisons: [(Comparison, Expected); 6] = [
        (Comparison::Equal, |left, right| left == right),
        (Comparison::NotEqual, |left, right| left != right),
        (Comparison::Less, |left, right| left < right),
        (Comparison::LessOrEqual, |left, right| left <= right),
        (Comparison::LessSigned, |left, right| (left as i64) < right as i64),
        (Comparison::LessOrEqualSigned, |left, right| left as i64 <= right as i64),
    ];
    for (comparison, expected) in comparisons {
        let compare = |code: &mut Builder<'_>| {
            let [left, right] = [0, 1].map(|slot| code.load(slot));
            let result = code.compare(comparison, left, right);
            code.store(2, result);
        };
        let jump = |code: &mut Builder<'_>| {
            let [left, right] = [0, 1].map(|slot| code.load(slot));
            let (one, zero) = (code.constant(1), code.constant(0));
            let end = code.label();
            code.store(2, one);
            code.jump_if(comparison, left, right, end);
            code.store(2, zero);
            code.place(end);
        };
        check(&format!("{comparison:?}"), compare, |left, right| expected(left, right).into());
        check(&format!("jump {comparison:?}"), jump, |left, right| expected(left, right).into());
    }
}

#[test]
fn bits_are_cut_out_moved_and_chosen() {
    for (behind, bits) in [(0, 64), (0, 1), (63, 1), (5, 59), (5, 8), (32, 32)] {
        let build = |code: &mut Builder<'_>| {
            let value = code.load(0);
            let cut = code.bits(value, behind, bits);
            code.store(2, cut);
        };
        let shift = 64 - behind - bits;
        check("bits", build, |left, _| left << shift >> (64 - bits));
        let build = |code: &mut Builder<'_>| {
            let value = code.load(0);
            let cut = code.signed_bits(value, behind, bits);
            code.store(2, cut);
        };
        check("signed bits", build, |left, _| ((left << shift) as i64 >> (64 - bits)) as u64);
    }
    for amount in [0, 1, 17, 63] {
        let build = |code: &mut Builder<'_>| {
            let value = code.load(0);
            let (rotated, shifted) =
                (code.rotate_left(value, amount), code.shift_left(value, amount));
            let difference = code.binary(Binary::Xor, rotated, shifted);
            code.store(2, difference);
        };
        check("moved", build, |left, _| left.rotate_left(amount) ^ left << amount);
    }
    let build = |code: &mut Builder<'_>| {
        let [condition, value] = [0, 1].map(|slot| code.load(slot));
        let (complement, masked) = (code.complement(value), code.masked(value, 0xff00));
        let chosen = code.select(condition, complement, masked);
        code.store(2, chosen);
    };
    check("select", build, |left, right| if left == 0 { right & 0xff00 } else { !right });
}

#[test]
fn a_slot_holds_what_was_stored_last_on_every_way() {
    let build = |code: &mut Builder<'_>| {
        let (left, right) = (code.load(0), code.load(1));
        let other = code.label();
        code.store(2, left);
        code.jump_if(Comparison::Less, left, right, other);
        code.store(2, right);
        code.place(other);
        let largest = code.load(2);
        let doubled = code.binary(Binary::Add, largest, largest);
        code.store(2, doubled);
    };
    check("least", build, |left, right| left.min(right).wrapping_mul(2));
}

#[test]
fn an_index_chooses_the_way_and_those_too_large_another() {
    let functions = function(1, 0, |code| {
        let index = code.load(0);
        let ways: Vec<_> = (0..4).map(|_| code.label()).collect();
        code.jump_table(index, &ways[..3], ways[3]);
        for (number, way) in (10..).zip(ways) {
            code.place(way);
            code.leave(number);
        }
    });
    for index in NUMBERS {
        assert_eq!(Run::of(&[index]).run(&functions), 10 + index.min(3), "{index}");
    }
}
