//! Arithmetic as p4c writes it down (`arithmetic.p4`), against the same in Rust.

use crate::support::random::Random;
use crate::support::Switch;
use serde_json::{json, Value};

/// The operands of the program.
#[derive(Debug, Clone, Copy)]
struct Operands {
    a: u8,
    b: u8,
    s: i8,
    t: i8,
    w: u128,
    x: u128,
    l: u64,
    m: u64,
}

impl Operands {
    fn to_frame(self) -> Vec<u8> {
        let mut frame = vec![self.a, self.b, self.s as u8, self.t as u8];
        frame.extend(self.w.to_be_bytes());
        frame.extend(self.x.to_be_bytes());
        frame.extend(self.l.to_be_bytes());
        frame.extend(self.m.to_be_bytes());
        frame
    }

    /// What P4 says that the program computes.
    fn expected(self) -> Vec<u8> {
        let Operands { a, b, s, t, w, x, l, m } = self;
        let mut results = vec![
            a.wrapping_add(b),
            a.wrapping_sub(b),
            a.wrapping_mul(b),
            a.saturating_add(b),
            a.saturating_sub(b),
            s.wrapping_add(t) as u8,
            s.saturating_add(t) as u8,
            s.saturating_sub(t) as u8,
            a.checked_shl(b.into()).unwrap_or(0),
            (s >> b.min(7)) as u8,
            if s < t { 1 } else { 2 },
            a & 0xf0 | b & 0x0f,
        ];
        results.extend(l.saturating_add(m).to_be_bytes());
        let shifted = w.checked_shl(a.into()).unwrap_or(0).checked_shr(b.into()).unwrap_or(0);
        let wide = [
            w.wrapping_add(x),
            w.wrapping_sub(x),
            w.wrapping_mul(x),
            shifted,
            if w < x { w } else { !x },
            i128::from(s) as u128,
        ];
        results.extend(wide.into_iter().flat_map(u128::to_be_bytes));
        results
    }
}

#[test]
fn results_equal_those_of_rust() {
    let mut switch = Switch::load("arithmetic");
    let mut numbers = Random::new(42);
    for _ in 0..20_000 {
        let operands = Operands {
            a: numbers.wide() as u8,
            b: numbers.wide() as u8,
            s: numbers.wide() as i8,
            t: numbers.wide() as i8,
            w: numbers.wide(),
            x: numbers.wide(),
            l: numbers.wide() as u64,
            m: numbers.wide() as u64,
        };
        let sent = switch.send(&operands.to_frame()).unwrap();
        assert_eq!(sent, operands.expected(), "{operands:?}");
    }
}

/// The program, with assignments behind its own: a field of the results, an operation, operands.
fn with_operations(operations: &[(&str, &str, Value, Value)]) -> Vec<u8> {
    let mut program: Value =
        serde_json::from_slice(include_bytes!("programs/arithmetic.json")).expect("JSON");
    let actions = program["actions"].as_array_mut().expect("actions");
    let last = actions.last_mut().expect("an action")["primitives"].as_array_mut();
    last.expect("primitives").extend(operations.iter().map(|(field, op, left, right)| {
        let target = json!({ "type": "field", "value": ["out_", field] });
        let operation = json!({ "op": op, "left": left, "right": right });
        let value = json!({ "type": "expression", "value": operation });
        json!({ "op": "assign", "parameters": [target, { "type": "expression", "value": value }] })
    }));
    program.to_string().into_bytes()
}

#[test]
fn quotients_and_remainders_equal_those_of_rust() {
    let field = |name: &str| json!({ "type": "field", "value": ["in_", name] });
    let below_zero = json!({ "op": "-", "left": field("a"), "right": field("b") });
    let below_zero = json!({ "type": "expression", "value": below_zero });
    let one = json!({ "type": "hexstr", "value": "0x1" });
    let mut switch = Switch::of(&with_operations(&[
        ("sum", "/", field("a"), field("b")),
        ("difference", "%", field("a"), field("b")),
        ("product", "/", below_zero, one),
        ("saturated_long", "/", field("l"), field("m")),
        ("wide_sum", "/", field("w"), field("x")),
        ("wide_difference", "%", field("w"), field("l")),
    ]));
    let mut numbers = Random::new(7);
    for round in 0..2_000 {
        let mut operand = |zero| if round == zero { 0 } else { numbers.wide() };
        let [a, b] = [operand(0), operand(1)].map(|number| number as u8);
        let [w, x] = [operand(2), operand(3)];
        let [l, m] = [operand(4), operand(5)].map(|number| number as u64);
        let sent = switch.send(&Operands { a, b, s: 0, t: 0, w, x, l, m }.to_frame()).unwrap();
        let bytes =
            [a.checked_div(b).unwrap_or(0), a.checked_rem(b).unwrap_or(0), a.saturating_sub(b)];
        assert_eq!(sent[..3], bytes, "{a} {b}");
        assert_eq!(sent[12..20], l.checked_div(m).unwrap_or(0).to_be_bytes(), "{l} {m}");
        assert_eq!(sent[20..36], w.checked_div(x).unwrap_or(0).to_be_bytes(), "{w} {x}");
        assert_eq!(sent[36..52], w.checked_rem(l.into()).unwrap_or(0).to_be_bytes(), "{w} {l}");
    }
}
