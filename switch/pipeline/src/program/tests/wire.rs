use super::super::built;
use super::*;
use crate::program::place::Type;

/// Fields of these types, one after the other from slot 0.
fn fields(types: &[Type]) -> Vec<Operand> {
    let mut slot = 0;
    types
        .iter()
        .map(|&kind| {
            let field = Operand { slot, kind };
            slot += kind.limbs() as Slot;
            field
        })
        .collect()
}

fn round_trip(types: &[Type], header: &[u8]) -> Vec<u64> {
    let fields = fields(types);
    let mut slots = vec![0; 16];
    let mut frame = header.to_vec();
    frame.extend([0xee; LOAD_PADDING]);
    ExtractPlan::new(&fields, 0).run(&frame, &mut slots);
    let mut emitted = vec![0xdd; header.len() + LOAD_PADDING];
    EmitPlan::new(&fields, |_| true).run(&mut emitted, &slots);
    assert_eq!(emitted[..header.len()], *header);
    assert_eq!(emitted[header.len()..], [0xdd; LOAD_PADDING]);
    assert_eq!(round_trip_built(&fields, header), slots);
    slots
}

/// The same by machine code: the slots.
fn round_trip_built(fields: &[Operand], header: &[u8]) -> Vec<u64> {
    let bytes = header.len();
    let mut slots = vec![0; 16];
    let mut frame = [header, &[0xee; LOAD_PADDING]].concat();
    built::run(&mut slots, &mut frame, 0, |code, short| {
        let header = code.take(bytes, short);
        ExtractPlan::new(fields, 0).build(header, code);
    });
    let mut emitted = vec![0xdd; bytes + LOAD_PADDING];
    built::run(&mut slots, &mut emitted, bytes, |code, short| {
        let header = code.give_back(bytes, short);
        EmitPlan::new(fields, |_| true).build(header, code);
    });
    assert_eq!(emitted[..bytes], *header);
    assert_eq!(emitted[bytes..], [0xdd; LOAD_PADDING]);
    slots
}

#[test]
fn fields_are_read_where_they_lie_and_written_back() {
    use Type::Unsigned;
    let header: Vec<u8> = (0x11..0x11 + 20).collect();
    let types = [Unsigned(4), Unsigned(12), Unsigned(61), Unsigned(3), Unsigned(80)];
    let slots = round_trip(&types, &header);
    assert_eq!(slots[0], 0x1);
    assert_eq!(slots[1], 0x112);
    assert_eq!(slots[2], 0x1314_1516_1718_191a >> 3);
    assert_eq!(slots[3], 0x2);
    assert_eq!(slots[4], 0x1d1e_1f20_2122_2324);
    assert_eq!(slots[5], 0x1b1c);
}

#[test]
fn a_field_may_lie_across_nine_bytes() {
    use Type::Unsigned;
    let header = [0xab, 1, 2, 3, 4, 5, 6, 7, 0xcd];
    let slots = round_trip(&[Unsigned(4), Unsigned(64), Unsigned(4)], &header);
    assert_eq!(slots[1], 0xb010_2030_4050_607c);
}

#[test]
fn short_headers_are_written_to_the_byte() {
    use Type::Unsigned;
    for length in 1..8 {
        let header: Vec<u8> = (1..=length).collect();
        round_trip(&vec![Unsigned(8); header.len()], &header);
    }
    round_trip(&[], &[]);
}

#[test]
fn a_plan_for_some_fields_leaves_the_others_as_they_were() {
    let fields = fields(&[3, 13, 61, 64, 80, 7, 48, 12].map(Type::Unsigned));
    let bytes = fields.iter().map(|field| field.kind.bits()).sum::<u32>() as usize / 8;
    let all = ExtractPlan::new(&fields, 0);
    let (old, new) = (vec![0x5a; bytes + LOAD_PADDING], vec![0xc3; bytes + LOAD_PADDING]);
    let (mut old_slots, mut new_slots) = ([0; 16], [0; 16]);
    all.run(&old, &mut old_slots);
    all.run(&new, &mut new_slots);
    for chosen in 0..1u32 << fields.len() {
        let is_chosen = |position| chosen >> position & 1 == 1;
        let mut frame = old.clone();
        EmitPlan::new(&fields, is_chosen).run(&mut frame, &new_slots);
        let mut slots = [0; 16];
        all.run(&frame, &mut slots);
        for (position, field) in fields.iter().enumerate() {
            let expected = if is_chosen(position) { &new_slots } else { &old_slots };
            assert_eq!(slots[field.slots()], expected[field.slots()], "{chosen:b} {position}");
        }
    }
}

#[test]
fn negative_fields_are_extended_and_cut_again() {
    let slots = round_trip(&[Type::Signed(4), Type::Signed(70), Type::Unsigned(6)], &[0xff; 10]);
    assert_eq!(slots[..3], [u64::MAX; 3]);
}
