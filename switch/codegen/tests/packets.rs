//! Functions stay inside slots, frame and arrays.

mod support;

use codegen::{Builder, Compiler, Elements, Packet, PADDING_BYTES};
use support::{function, Run};

const SHORT: u64 = 1;
const DONE: u64 = 2;

/// Builds, with a way out for frames that are too short.
fn with_way_out(code: &mut Builder<'_>, build: impl FnOnce(&mut Builder<'_>, codegen::Label)) {
    let short = code.label();
    code.seldom(short);
    build(code, short);
    code.leave(DONE);
    code.place(short);
    code.leave(SHORT);
}

#[test]
fn bytes_are_taken_as_long_as_there_are_enough() {
    let functions = function(2, 0, |code| {
        with_way_out(code, |code, short| {
            let header = code.take(3, short);
            let word = code.read(header, 0);
            code.store(0, word);
            let last = code.read(header, 3 + PADDING_BYTES - 8);
            code.store(1, last);
        });
    });
    for length in 0..10 {
        let frame: Vec<u8> = (1..=length).collect();
        for position in 0..=frame.len() {
            let mut run = Run::of(&[0, 0]).with_frame(&frame);
            run.position = position;
            let is_short = frame.len() - position < 3;
            assert_eq!(run.run(&functions), if is_short { SHORT } else { DONE });
            assert_eq!(run.position, if is_short { position } else { position + 3 });
            let mut padded = frame.clone();
            padded.resize(frame.len() + PADDING_BYTES, 0xee);
            let word = u64::from_be_bytes(padded[position..][..8].try_into().unwrap());
            assert_eq!(run.slots[0], if is_short { 0 } else { word });
        }
    }
}

#[test]
fn bytes_are_given_back_as_long_as_there_are_enough() {
    let functions = function(1, 0, |code| {
        with_way_out(code, |code, short| {
            let header = code.give_back(9, short);
            let word = code.load(0);
            code.write(header, 1, word);
        });
    });
    let frame: Vec<u8> = (1..=12).collect();
    for position in 0..=frame.len() {
        let mut run = Run::of(&[0xa1a2_a3a4_a5a6_a7a8]).with_frame(&frame);
        run.position = position;
        let is_short = position < 9;
        let mut expected = frame.clone();
        if !is_short {
            expected[position - 8..position].copy_from_slice(&run.slots[0].to_be_bytes());
        }
        assert_eq!(run.run(&functions), if is_short { SHORT } else { DONE });
        assert_eq!(run.position, if is_short { position } else { position - 9 });
        assert_eq!(run.frame, expected);
    }
}

#[test]
fn looking_takes_nothing() {
    let functions = function(2, 0, |code| {
        with_way_out(code, |code, short| {
            let header = code.peek(2, short);
            let word = code.read(header, 0);
            let bytes = code.bits(word, 48, 16);
            code.store(1, bytes);
            let position = code.position();
            code.store(0, position);
        });
    });
    for position in 0..=5 {
        let mut run = Run::of(&[99, 99]).with_frame(&[1, 2, 3, 4, 5]);
        run.position = position;
        let is_there = position <= 3;
        assert_eq!(run.run(&functions), if is_there { DONE } else { SHORT });
        let first = position as u64 + 1;
        let seen = [position as u64, first << 8 | (first + 1)];
        assert_eq!(run.slots, if is_there { seen } else { [99, 99] });
        assert_eq!(run.position, position);
    }
}

#[test]
fn an_index_reaches_the_elements_that_there_are() {
    let elements = Elements { first: 3, stride: 2, count: 3 };
    let functions = function(8, 0, |code| {
        let [index, value] = [0, 1].map(|slot| code.load(slot));
        code.load(5);
        let before = code.load_element(elements, index);
        code.store(2, before);
        code.store_element(elements, index, value);
        let fifth = code.load(5);
        code.store(1, fifth);
        code.leave(DONE);
    });
    for index in [0, 1, 2, 3, 4, u64::MAX, 1 << 61] {
        let slots = [index, 77, 0, 30, 40, 50, 60, 70];
        let mut run = Run::of(&slots);
        assert_eq!(run.run(&functions), DONE);
        let mut expected = slots;
        if index < 3 {
            let slot = 3 + 2 * index as usize;
            expected[2] = slots[slot];
            expected[slot] = 77;
            assert_eq!(run.touched, slot + 1);
        } else {
            assert_eq!(run.touched, 0);
        }
        expected[1] = expected[5];
        assert_eq!(run.slots, expected);
    }
}

#[test]
fn an_index_reaches_the_words_that_an_array_has() {
    let functions = function(3, 3, |code| {
        let [index, value, otherwise] = [0, 1, 2].map(|slot| code.load(slot));
        let before = code.read_array(1, index, otherwise);
        code.store(2, before);
        code.write_array(1, index, value);
        code.leave(DONE);
    });
    for length in [0, 1, 4] {
        for index in [0, 1, 3, 4, 1 << 61, u64::MAX] {
            let mut run = Run::of(&[index, 77, 99]).with_arrays(&[2, length, 2]);
            (0..length).for_each(|word| run.arrays[1][word] = 10 + word as u64);
            assert_eq!(run.run(&functions), DONE);
            let is_there = index < length as u64;
            assert_eq!(run.slots[2], if is_there { 10 + index } else { 99 });
            for (word, &value) in run.arrays[1].iter().enumerate() {
                assert_eq!(value, if word as u64 == index { 77 } else { 10 + word as u64 });
            }
            assert!(run.arrays[0].iter().chain(&*run.arrays[2]).all(|&word| word == 0));
        }
    }
}

#[test]
fn what_was_touched_farthest_counts() {
    let functions = function(1, 0, |code| {
        code.touch(7);
        code.leave(DONE);
    });
    for (before, after) in [(0, 7), (7, 7), (9, 9)] {
        let mut run = Run::of(&[0]);
        run.touched = before;
        assert_eq!(run.run(&functions), DONE);
        assert_eq!(run.touched, after);
    }
}

#[test]
fn what_was_touched_decides_where_a_function_goes_on() {
    const TOUCHED: u64 = 3;
    let functions = function(1, 0, |code| {
        let farther = code.label();
        code.jump_if_touched(7, farther);
        code.leave(DONE);
        code.place(farther);
        code.leave(TOUCHED);
    });
    for (touched, left_at) in [(0, DONE), (7, DONE), (8, TOUCHED)] {
        let mut run = Run::of(&[0]);
        run.touched = touched;
        assert_eq!(run.run(&functions), left_at);
    }
}

#[test]
fn a_function_begins_where_it_is_told() {
    let mut compiler = Compiler::new(0, 0).unwrap();
    let function = compiler.function(3, |code, entries| {
        for (number, &entry) in (10..).zip(entries) {
            code.place(entry);
            code.leave(number);
        }
    });
    let (function, functions) = (function.unwrap(), compiler.finish().unwrap());
    let left_at = |entry| {
        let packet = Packet {
            slots: &mut [],
            frame: &mut [0; PADDING_BYTES],
            length: 0,
            position: &mut 0,
            touched: &mut 0,
            arrays: &mut [],
        };
        functions.run(function, entry, packet)
    };
    assert_eq!([0, 1, 2, 3].map(left_at), [10, 11, 12, u64::MAX]);
}

#[test]
#[should_panic(expected = "slot 2 of 2")]
fn a_slot_that_packets_do_not_have_cannot_be_built_with() {
    function(2, 0, |code| {
        code.load(2);
    });
}

#[test]
#[should_panic(expected = "slot 6 of 6")]
fn neither_can_an_element() {
    function(6, 0, |code| {
        let index = code.constant(0);
        code.load_element(Elements { first: 2, stride: 2, count: 3 }, index);
    });
}

#[test]
#[should_panic(expected = "array 1 of 1")]
fn neither_can_an_array() {
    function(1, 1, |code| {
        let index = code.constant(0);
        code.write_array(1, index, index);
    });
}

#[test]
#[should_panic(expected = "byte 20 of 3")]
fn neither_can_bytes_far_behind_a_header() {
    function(1, 0, |code| {
        let short = code.label();
        let header = code.take(3, short);
        code.read(header, 3 + PADDING_BYTES - 7);
    });
}

#[test]
#[should_panic(expected = "a header of another function")]
fn neither_can_a_header_of_another_function() {
    let mut other = None;
    function(1, 0, |code| {
        let short = code.label();
        other = Some(code.take(3, short));
        code.place(short);
        code.leave(SHORT);
    });
    function(1, 0, |code| {
        code.read(other.unwrap(), 0);
    });
}

#[test]
#[should_panic(expected = "another number of slots or arrays")]
fn a_packet_of_other_slots_is_refused() {
    Run::of(&[0, 0]).run(&function(1, 0, |code| code.leave(DONE)));
}

#[test]
#[should_panic(expected = "another number of slots or arrays")]
fn other_arrays_are_refused() {
    Run::of(&[0]).run(&function(1, 1, |code| code.leave(DONE)));
}

#[test]
#[should_panic(expected = "a frame without padding")]
fn a_position_behind_the_frame_is_refused() {
    let mut run = Run::of(&[0]).with_frame(&[1, 2]);
    run.position = 3;
    run.run(&function(1, 0, |code| code.leave(DONE)));
}
