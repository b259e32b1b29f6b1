//! Damages programs: their structure, their names and numbers, or just bytes of their text; some
//! in older forms of the format.

mod older;
mod parts;
mod vocabulary;

use serde_json::{json, Value};

use crate::random::Random;
use crate::values::choose;

use parts::find;
use vocabulary::{change_statement, grow_expression};

/// Damages a program and returns its text.
pub(crate) fn mutate(program: &Value, random: &mut Random) -> Vec<u8> {
    let mut program = program.clone();
    if random.u8(..4) == 0 {
        older::age(&mut program, random);
    }
    if random.u8(..8) == 0 {
        let mut text = program.to_string().into_bytes();
        damage_bytes(&mut text, random);
        return text;
    }
    for _ in 0..random.usize(1..4) {
        match random.u8(..6) {
            0 => damage_name(&mut program, random),
            1 => damage_number(&mut program, random),
            2 => grow_expression(&mut program, random),
            3 => change_statement(&mut program, random),
            _ => damage_structure(&mut program, random),
        }
    }
    program.to_string().into_bytes()
}

/// Puts another of the program's names in the place of one.
fn damage_name(program: &mut Value, random: &mut Random) {
    let mut names = Vec::new();
    find(program, &Value::is_string, &mut names);
    let Some(name) = choose(random, &names).map(|name| (*name).clone()) else { return };
    let place = random.usize(..names.len());
    *names[place] = name;
}

/// Puts a number at a limit in the place of one, be it a JSON number or hexadecimal text.
fn damage_number(program: &mut Value, random: &mut Random) {
    let is_number = |value: &Value| {
        value.is_number() || value.as_str().is_some_and(|text| text.starts_with("0x"))
    };
    let mut numbers = Vec::new();
    find(program, &is_number, &mut numbers);
    if numbers.is_empty() {
        return;
    }
    let limits =
        [0, 1, 7, 8, 9, 63, 64, 65, 127, 128, 255, 256, 511, 512, 2047, 2048, 65_535, 65_536]
            .into_iter()
            .chain([u64::from(u32::MAX), 1 << 32, i64::MAX as u64, u64::MAX]);
    let limits: Vec<u64> = limits.collect();
    let limit = limits[random.usize(..limits.len())];
    let place = random.usize(..numbers.len());
    *numbers[place] = match (&numbers[place], random.u8(..4)) {
        (Value::Number(number), 0) => {
            match number.as_i64().and_then(|number| number.checked_add(1)) {
                Some(next) => json!(next),
                None => json!(limit),
            }
        }
        (Value::Number(_), 1) => json!((limit as i64).wrapping_neg()),
        (Value::Number(_), _) => json!(limit),
        (_, 0) => json!(format!("0x{}", "f".repeat(limit as usize % 600))),
        (_, 1) => json!(format!("-0x{limit:x}")),
        (_, _) => json!(format!("0x{limit:x}")),
    };
}

/// Removes, doubles, exchanges or replaces a part.
fn damage_structure(program: &mut Value, random: &mut Random) {
    let other = part(program, random).clone();
    let target = part(program, random);
    match (random.u8(..5), target) {
        (0, Value::Array(items)) if !items.is_empty() => {
            items.remove(random.usize(..items.len()));
        }
        (1, Value::Array(items)) if !items.is_empty() => {
            items.push(items[random.usize(..items.len())].clone());
        }
        (2, Value::Array(items)) if !items.is_empty() => {
            let (left, right) = (random.usize(..items.len()), random.usize(..items.len()));
            items.swap(left, right);
        }
        (0 | 1, Value::Object(members)) if !members.is_empty() => {
            let name = members.keys().nth(random.usize(..members.len())).cloned();
            members.remove(&name.expect("the member exists"));
        }
        (0..=2, target) => *target = strange(random),
        (_, target) => *target = other,
    }
}

/// A random part of a program, most often a small one.
fn part<'v>(value: &'v mut Value, random: &mut Random) -> &'v mut Value {
    let children = match value {
        Value::Object(members) => members.len(),
        Value::Array(items) => items.len(),
        _ => 0,
    };
    if children == 0 || random.u8(..12) == 0 {
        return value;
    }
    let child = random.usize(..children);
    match value {
        Value::Object(members) => {
            part(members.values_mut().nth(child).expect("the child exists"), random)
        }
        Value::Array(items) => part(&mut items[child], random),
        _ => value,
    }
}

/// Values that a careless reader of the format stumbles over.
fn strange(random: &mut Random) -> Value {
    let choices = [
        json!(null),
        json!(0),
        json!(-1),
        json!(u64::MAX),
        json!(1_000_000_000_000_u64),
        json!(1e300),
        json!(true),
        json!(""),
        json!("__HIT__"),
        json!("$valid$"),
        json!("*"),
        json!("0xffffffffffffffffffffffffffffffffffffffff"),
        json!("-0x8000000000000000"),
        json!([]),
        json!({}),
        json!([[[[[[[[]]]]]]]]),
        json!(["standard_metadata", "mcast_grp"]),
        json!({"type": "field", "value": ["standard_metadata", "ingress_port"]}),
        json!({"type": "hexstr", "value": "0xffffffffffffffff"}),
        json!({"type": "bool", "value": true}),
    ];
    choose(random, &choices).expect("there are choices").clone()
}

/// Damages bytes of a program, whatever they mean.
fn damage_bytes(text: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..random.usize(1..4) {
        let position = random.usize(..text.len());
        match random.u8(..8) {
            0 | 1 => text[position] ^= 1 << random.u8(..8),
            2..=4 => text[position] = b"0123456789\"[]{},:-efx"[random.usize(..21)],
            5 | 6 => drop(text.remove(position)),
            _ => text.truncate(position.max(1)),
        }
    }
}
