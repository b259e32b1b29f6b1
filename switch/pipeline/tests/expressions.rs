//! Random expressions, computed by a pipeline and by integers of unlimited size.

use crate::support::random::Random;
use num_bigint::{BigInt, BigUint, Sign};
use pipeline::{EgressVerdict, Pipeline, QueueInfo};
use serde_json::{json, Value};

const PROGRAMS: usize = 300;
const EXPRESSIONS: usize = 12;
const PACKETS: usize = 20;
const DEPTH: usize = 4;
const TERMS: usize = 380;

/// The fields that expressions read: width and whether they are signed. Whole bytes in all.
const OPERANDS: [(u32, bool); 15] = [
    (1, false),
    (7, false),
    (8, false),
    (32, false),
    (48, false),
    (63, false),
    (65, false),
    (64, false),
    (128, false),
    (8, true),
    (31, true),
    (33, true),
    (64, true),
    (65, true),
    (127, true),
];

/// The types of the fields that results are written to.
const RESULTS: [(u32, bool); 9] = [
    (1, false),
    (9, false),
    (64, false),
    (65, false),
    (200, false),
    (8, true),
    (63, true),
    (64, true),
    (130, true),
];

/// A numeric expression.
enum Data {
    Operand(usize),
    Constant(BigInt),
    Complement(Box<Data>),
    Arithmetic(&'static str, Box<Data>, Box<Data>),
    /// `two_comp_mod`, `usat_cast` or `sat_cast` to a width.
    Cast(&'static str, Box<Data>, u32),
    /// A shift left by a variable, cut off to a width.
    ShiftLeft(Box<Data>, Box<Data>, u32),
    ShiftRight(Box<Data>, Box<Data>),
    Choice(Box<Condition>, Box<Data>, Box<Data>),
    FromBool(Box<Condition>),
}

/// A boolean expression.
enum Condition {
    Constant(bool),
    Not(Box<Condition>),
    Both(&'static str, Box<Condition>, Box<Condition>),
    Comparison(&'static str, Data, Data),
    FromData(Data),
}

fn operation(op: &str, left: Value, right: Value) -> Value {
    json!({"type": "expression", "value": {"op": op, "left": left, "right": right}})
}

fn hexstr(number: &BigInt) -> Value {
    let sign = if number.sign() == Sign::Minus { "-" } else { "" };
    json!({"type": "hexstr", "value": format!("{sign}0x{:x}", number.magnitude())})
}

fn power(bits: u32) -> BigInt {
    BigInt::from(1) << bits
}

/// The number modulo 2^bits, as two's complement if signed.
fn cut(number: BigInt, bits: u32, signed: bool) -> BigInt {
    let cut = number & (power(bits) - 1);
    match signed && cut >= power(bits - 1) {
        true => cut - power(bits),
        false => cut,
    }
}

impl Data {
    fn random(random: &mut Random, depth: usize) -> Data {
        let choice = if depth == 0 { random.below(2) } else { random.below(12) };

        match choice {
            0 => Data::Operand(random.below(OPERANDS.len())),
            1 => Data::random_constant(random),
            2 => Data::Complement(Data::boxed(random, depth)),
            3..=6 => {
                let (left, right) = (Data::boxed(random, depth), Data::boxed(random, depth));
                Data::Arithmetic(
                    random.choose::<&str>(&["+", "-", "*", "&", "|", "^"]),
                    left,
                    right,
                )
            }
            7 => Data::Cast(
                random.choose::<&str>(&["two_comp_mod", "usat_cast", "sat_cast"]),
                Box::new(Data::random(random, depth - 1)),
                *random.choose(&[1, 8, 32, 63, 64, 65, 128]),
            ),
            8 => {
                let left = Data::boxed(random, depth);
                let right = Data::Operand(random.below(3));
                Data::ShiftLeft(left, Box::new(right), *random.choose(&[8, 64, 100]))
            }
            9 => {
                let left = Data::boxed(random, depth);
                Data::ShiftRight(left, Box::new(Data::Operand(random.below(9))))
            }
            10 => {
                let (yes, no) = (Data::boxed(random, depth), Data::boxed(random, depth));
                Data::Choice(Box::new(Condition::random(random, depth - 1)), yes, no)
            }
            _ => Data::FromBool(Box::new(Condition::random(random, depth - 1))),
        }
    }

    fn boxed(random: &mut Random, depth: usize) -> Box<Data> {
        Box::new(Data::random(random, depth - 1))
    }

    fn random_constant(random: &mut Random) -> Data {
        let number = BigInt::from(random.wide());
        Data::Constant(match random.below(4) {
            0 => -number,
            1 => power(random.below(130) as u32) - 1,
            _ => number,
        })
    }

    fn to_json(&self) -> Value {
        match self {
            Data::Operand(index) => json!({"type": "field", "value": ["in", format!("f{index}")]}),
            Data::Constant(number) => hexstr(number),
            Data::Complement(right) => operation("~", Value::Null, right.to_json()),
            Data::Arithmetic(op, left, right) => operation(op, left.to_json(), right.to_json()),
            Data::Cast(op, left, bits) => operation(op, left.to_json(), hexstr(&(*bits).into())),
            Data::ShiftLeft(left, right, bits) => {
                let shifted = operation("<<", left.to_json(), right.to_json());
                operation("&", shifted, hexstr(&(power(*bits) - 1)))
            }
            Data::ShiftRight(left, right) => operation(">>", left.to_json(), right.to_json()),
            Data::Choice(condition, yes, no) => json!({"type": "expression", "value": {
                "op": "?", "cond": condition.to_json(),
                "left": yes.to_json(), "right": no.to_json(),
            }}),
            Data::FromBool(condition) => operation("b2d", Value::Null, condition.to_json()),
        }
    }

    fn evaluate(&self, operands: &[BigInt]) -> BigInt {
        match self {
            Data::Operand(index) => operands[*index].clone(),
            Data::Constant(number) => number.clone(),
            Data::Complement(right) => -1 - right.evaluate(operands),
            Data::Arithmetic(op, left, right) => {
                let (left, right) = (left.evaluate(operands), right.evaluate(operands));
                match *op {
                    "+" => left + right,
                    "-" => left - right,
                    "*" => left * right,
                    "&" => left & right,
                    "|" => left | right,
                    _ => left ^ right,
                }
            }
            Data::Cast(op, left, bits) => {
                let value = left.evaluate(operands);
                match *op {
                    "two_comp_mod" => cut(value, *bits, true),
                    "usat_cast" => value.clamp(0.into(), power(*bits) - 1),
                    _ => value.clamp(-power(bits - 1), power(bits - 1) - 1),
                }
            }
            Data::ShiftLeft(left, right, bits) => {
                let amount = u64::try_from(right.evaluate(operands)).unwrap();
                (left.evaluate(operands) << amount) & (power(*bits) - 1)
            }
            Data::ShiftRight(left, right) => {
                // Nothing but the sign is left after 4096 bits.
                let amount = right.evaluate(operands).min(4096.into());
                left.evaluate(operands) >> u64::try_from(amount).unwrap()
            }
            Data::Choice(condition, yes, no) => match condition.evaluate(operands) {
                true => yes.evaluate(operands),
                false => no.evaluate(operands),
            },
            Data::FromBool(condition) => i32::from(condition.evaluate(operands)).into(),
        }
    }
}

impl Condition {
    fn random(random: &mut Random, depth: usize) -> Condition {
        let choice = if depth == 0 { 0 } else { random.below(8) };
        match choice {
            0 => Condition::Constant(random.below(2) == 0),
            1 => Condition::Not(Box::new(Condition::random(random, depth - 1))),
            2 | 3 => {
                let left = Box::new(Condition::random(random, depth - 1));
                let right = Box::new(Condition::random(random, depth - 1));
                Condition::Both(random.choose::<&str>(&["and", "or", "==", "!="]), left, right)
            }
            4 => Condition::FromData(Data::random(random, depth - 1)),
            _ => {
                let left = Data::random(random, depth - 1);
                let right = Data::random(random, depth - 1);
                let op = *random.choose(&["==", "!=", "<", "<=", ">", ">="]);
                Condition::Comparison(op, left, right)
            }
        }
    }

    fn to_json(&self) -> Value {
        match self {
            Condition::Constant(value) => json!({"type": "bool", "value": value}),
            Condition::Not(right) => operation("not", Value::Null, right.to_json()),
            Condition::Both(op, left, right) => operation(op, left.to_json(), right.to_json()),
            Condition::Comparison(op, left, right) => {
                operation(op, left.to_json(), right.to_json())
            }
            Condition::FromData(data) => operation("d2b", Value::Null, data.to_json()),
        }
    }

    fn evaluate(&self, operands: &[BigInt]) -> bool {
        match self {
            Condition::Constant(value) => *value,
            Condition::Not(right) => !right.evaluate(operands),
            Condition::Both(op, left, right) => {
                let (left, right) = (left.evaluate(operands), right.evaluate(operands));
                match *op {
                    "and" => left && right,
                    "or" => left || right,
                    "==" => left == right,
                    _ => left != right,
                }
            }
            Condition::Comparison(op, left, right) => {
                let (left, right) = (left.evaluate(operands), right.evaluate(operands));
                match *op {
                    "==" => left == right,
                    "!=" => left != right,
                    "<" => left < right,
                    "<=" => left <= right,
                    ">" => left > right,
                    _ => left >= right,
                }
            }
            Condition::FromData(data) => data.evaluate(operands) != BigInt::ZERO,
        }
    }
}

/// The header type of these fields, `f0`, `f1` and so on.
fn header_type(name: &str, fields: &[(u32, bool)]) -> Value {
    let named = fields.iter().enumerate();
    let fields: Vec<Value> =
        named.map(|(index, (bits, signed))| json!([format!("f{index}"), bits, signed])).collect();
    json!({"name": name, "id": 0, "fields": fields})
}

/// A program that reads header `in` and emits header `out`, a field for every expression.
fn program(results: &[(u32, bool)], expressions: &[Data]) -> Value {
    let bits: u32 = results.iter().map(|(bits, _)| bits).sum();
    let padded: Vec<(u32, bool)> = results.iter().copied().chain([(8 - bits % 8, false)]).collect();
    let mut primitives = vec![json!({"op": "add_header", "parameters": [
        {"type": "header", "value": "out"},
    ]})];
    for (index, expression) in expressions.iter().enumerate() {
        primitives.push(json!({"op": "assign", "parameters": [
            {"type": "field", "value": ["out", format!("f{index}")]},
            {"type": "expression", "value": expression.to_json()},
        ]}));
    }
    let metadata = ["ingress_port", "egress_spec", "egress_port", "instance_type", "packet_length"];
    let metadata: Vec<Value> = metadata.iter().map(|name| json!([name, 32])).collect();
    json!({
        "__meta__": {"version": [2, 23]},
        "header_types": [
            {"name": "standard_metadata", "id": 0, "fields": metadata},
            header_type("in", &OPERANDS),
            header_type("out", &padded),
        ],
        "headers": [
            {"name": "standard_metadata", "id": 0, "header_type": "standard_metadata",
             "metadata": true},
            {"name": "in", "id": 1, "header_type": "in", "metadata": false},
            {"name": "out", "id": 2, "header_type": "out", "metadata": false},
        ],
        "parsers": [{"name": "parser", "id": 0, "init_state": "start", "parse_states": [{
            "name": "start", "id": 0,
            "parser_ops": [
                {"op": "extract", "parameters": [{"type": "regular", "value": "in"}]},
            ],
            "transitions": [
                {"type": "default", "value": null, "mask": null, "next_state": null},
            ],
            "transition_key": [],
        }]}],
        "deparsers": [{"name": "deparser", "id": 0, "order": ["out"]}],
        "actions": [
            {"name": "compute", "id": 0, "runtime_data": [], "primitives": primitives},
        ],
        "pipelines": [
            {"name": "ingress", "id": 0, "init_table": "compute", "tables": [{
                "name": "compute", "id": 0, "key": [], "match_type": "exact", "type": "simple",
                "max_size": 1, "direct_meters": null, "action_ids": [0],
                "base_default_next": null, "next_tables": {"compute": null},
                "default_entry": {"action_id": 0, "action_const": true, "action_data": []},
            }]},
            {"name": "egress", "id": 1, "init_table": null, "tables": []},
        ],
    })
}

/// Bits of a frame as a number.
fn read(frame: &[u8], start: u32, bits: u32) -> BigUint {
    let end = frame.len() as u32 * 8 - start - bits;
    (BigUint::from_bytes_be(frame) >> end) & (power(bits) - BigInt::from(1)).magnitude()
}

/// A frame with random operands, and the operands.
fn operands(random: &mut Random) -> (Vec<u8>, Vec<BigInt>) {
    let mut frame = BigUint::ZERO;
    let mut operands = Vec::new();
    for (bits, signed) in OPERANDS {
        let raw = cut(random.wide().into(), bits, false);
        frame = (frame << bits) | raw.magnitude();
        operands.push(cut(raw, bits, signed));
    }
    let bytes = OPERANDS.iter().map(|(bits, _)| bits).sum::<u32>() as usize / 8;
    let digits = frame.to_bytes_be();
    let mut padded = vec![0; bytes - digits.len()];
    padded.extend(digits);
    (padded, operands)
}

/// Computes the expressions of random operands, and compares the results.
fn check(random: &mut Random, expressions: &[Data]) {
    let results: Vec<_> = expressions.iter().map(|_| *random.choose(&RESULTS)).collect();
    let text = serde_json::to_vec(&program(&results, expressions)).unwrap();
    let mut pipeline = Pipeline::load(&text).unwrap();
    let mut packet = pipeline.new_packet();
    for _ in 0..PACKETS {
        let (frame, operands) = operands(random);
        packet.set_frame(&frame);
        pipeline.ingress(&mut packet, 0, 0);
        let verdict = pipeline.egress(&mut packet, 0, 0, QueueInfo::default());
        assert_eq!(verdict, EgressVerdict::Emit);
        let mut start = 0;
        for (expression, (bits, _)) in expressions.iter().zip(&results) {
            let expected = cut(expression.evaluate(&operands), *bits, false);
            let computed = BigInt::from(read(packet.frame(), start, *bits));
            assert_eq!(computed, expected, "{} of {operands:?}", expression.to_json());
            start += bits;
        }
    }
}

#[test]
fn expressions_equal_those_of_unlimited_integers() {
    let mut random = Random::new(5);
    for _ in 0..PROGRAMS {
        let expressions: Vec<_> =
            (0..EXPRESSIONS).map(|_| Data::random(&mut random, DEPTH)).collect();
        check(&mut random, &expressions);
    }
}

#[test]
fn sums_may_have_hundreds_of_terms() {
    let mut random = Random::new(5);
    let term = |index: usize| Box::new(Data::Operand(index % OPERANDS.len()));
    let last_within = |sum, index| Box::new(Data::Arithmetic("+", sum, term(index)));
    let first_within = |sum, index| Box::new(Data::Arithmetic("+", term(index), sum));
    let sums = [(1..TERMS).fold(term(0), last_within), (1..TERMS).fold(term(0), first_within)];
    check(&mut random, &sums.map(|sum| *sum));
}
