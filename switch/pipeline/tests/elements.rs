//! Fields of several limbs and with signs in elements of stacks (`elements.p4`). BMv2 sends the
//! same frames where no index is out of bounds; where one is, it ends.

use crate::support::Switch;

const COPY: u8 = 0;
const INCREMENT: u8 = 1;
const SUBTRACT_AND_NEGATE: u8 = 2;
const REMEMBER: u8 = 3;
const READ_OUT_OF_BOUNDS: u8 = 4;

/// Of the header in front of the command, by which the program answers to COPY.
const REPORT_BYTES: usize = 28;

/// An element, or what the program reports of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Item {
    small: i8,
    wide: u128,
    signed_wide: i128,
}

const ITEMS: [Item; 3] = [
    Item { small: -1, wide: (1 << 64) - 1, signed_wide: -1 },
    Item { small: 100, wide: (1 << 96) - 1, signed_wide: 5 << 64 },
    Item { small: -100, wide: 7, signed_wide: -(3 << 70) },
];
const NONE: Item = Item { small: 0, wide: 0, signed_wide: 0 };

impl Item {
    fn to_bytes(self) -> Vec<u8> {
        let wide = self.wide.to_be_bytes();
        let signed_wide = self.signed_wide.to_be_bytes();
        [&self.small.to_be_bytes()[..], &wide[4..], &signed_wide[4..]].concat()
    }
}

fn bytes(items: [Item; 3]) -> Vec<u8> {
    items.map(Item::to_bytes).concat()
}

/// The items that leave behind the command and its index of nine bytes; of COPY, the report.
fn run(command: u8, index: u128) -> Vec<u8> {
    let command = [&[command], &index.to_be_bytes()[7..]].concat();
    let sent = Switch::load("elements").send(&[&command[..], &bytes(ITEMS)].concat()).unwrap();
    match sent.strip_prefix(&command[..]) {
        Some(items) => items.to_vec(),
        None => sent[..REPORT_BYTES].to_vec(),
    }
}

/// Indexes out of bounds; of some, the lowest 16, 32 or 64 bits alone are not.
const OUT_OF_BOUNDS: [u128; 4] = [3, 1 << 16, (1 << 32) + 1, 1 << 64];

#[test]
fn all_limbs_of_an_element_are_read_with_their_sign() {
    let report = |item: Item| {
        let small = i32::from(item.small).to_be_bytes();
        [&small[..], &item.to_bytes()[1..]].concat()
    };
    for (index, item) in ITEMS.into_iter().enumerate() {
        assert_eq!(run(COPY, index as u128), report(item), "{index}");
    }
    for index in OUT_OF_BOUNDS {
        assert_eq!(run(COPY, index), report(NONE), "{index}");
    }
}

#[test]
fn all_limbs_of_an_element_are_written_cut_off_to_their_width() {
    let sum = |item: Item| Item { wide: (item.wide + 1) & ((1 << 96) - 1), ..item };
    let difference = |item: Item| {
        let small = item.small.wrapping_sub(100);
        let wide = if small >= 0 { SUBTRACT_AND_NEGATE.into() } else { item.wide };
        Item { small, wide, signed_wide: -ITEMS[0].signed_wide }
    };
    for index in 0..3 {
        let mut items = ITEMS;
        items[index] = sum(ITEMS[index]);
        assert_eq!(run(INCREMENT, index as u128), bytes(items), "{index}");
        items[index] = difference(ITEMS[index]);
        assert_eq!(run(SUBTRACT_AND_NEGATE, index as u128), bytes(items), "{index}");
    }
    for index in OUT_OF_BOUNDS {
        assert_eq!(run(INCREMENT, index), bytes(ITEMS), "{index}");
        assert_eq!(run(SUBTRACT_AND_NEGATE, index), bytes(ITEMS), "{index}");
    }
}

#[test]
fn a_primitive_reads_and_writes_elements_and_one_without_effect_leaves_them() {
    for (index, item) in ITEMS.into_iter().enumerate() {
        let first = Item { wide: item.wide, ..ITEMS[0] };
        assert_eq!(run(REMEMBER, index as u128), bytes([first, ITEMS[1], ITEMS[2]]), "{index}");
        assert_eq!(run(READ_OUT_OF_BOUNDS, index as u128), bytes(ITEMS), "{index}");
    }
}
