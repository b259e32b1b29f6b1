//! Arithmetic as p4c writes it down (`arithmetic.p4`), against the same in Rust.

use crate::support::random::Random;
use crate::support::Switch;

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
