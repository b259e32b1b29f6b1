//! Frames that a program's parser understands: a random walk through its states.

use std::collections::HashMap;

use serde_json::Value;

use crate::random::Random;

/// States that one walk may take.
const MAX_STATES: usize = 40;

/// The longest payload, and the longest frame of noise.
const MAX_PAYLOAD_BYTES: usize = 1500;
const MAX_NOISE_BYTES: usize = 200;

/// Bytes of a field whose length varies.
const MAX_VARIABLE_BYTES: usize = 40;

/// As much of a parser as it takes to please it.
#[derive(Debug, Default)]
pub(crate) struct Parser {
    start: Option<String>,
    states: HashMap<String, State>,
}

#[derive(Debug)]
struct State {
    extracted: Vec<Extraction>,
    /// The fields that decide, by header and name; None: something else.
    key: Vec<Option<(String, String)>>,
    /// Value and mask, next state.
    transitions: Vec<(Option<Vec<u8>>, Option<String>)>,
}

#[derive(Debug)]
struct Extraction {
    header: String,
    /// Name and width in bits; None: it varies.
    fields: Vec<(String, Option<usize>)>,
}

/// A frame under construction.
struct Frame {
    bits: Vec<bool>,
    /// First bit and width of the fields extracted so far.
    fields: HashMap<(String, String), (usize, usize)>,
}

impl Parser {
    /// The parser of a program; one that cannot be understood gives noise only.
    pub(crate) fn of(program: &Value) -> Parser {
        let Some(parser) = program["parsers"].get(0) else { return Parser::default() };
        let types = header_types(program);
        let states = parser["parse_states"].as_array().map(Vec::as_slice).unwrap_or_default();
        Parser {
            start: parser["init_state"].as_str().map(str::to_string),
            states: states
                .iter()
                .filter_map(|state| {
                    Some((state["name"].as_str()?.to_string(), state_of(state, &types)))
                })
                .collect(),
        }
    }

    /// A frame: noise, or one that suits the parser, perhaps damaged.
    pub(crate) fn frame(&self, random: &mut Random, pool: &[Vec<u8>]) -> Vec<u8> {
        if random.u8(..8) == 0 {
            return bytes(random, MAX_NOISE_BYTES);
        }
        let mut frame = self.walk(random, pool);
        if random.bool() {
            damage(&mut frame, random);
        }
        frame
    }

    fn walk(&self, random: &mut Random, pool: &[Vec<u8>]) -> Vec<u8> {
        let mut frame = Frame { bits: Vec::new(), fields: HashMap::new() };
        let mut next = self.start.as_ref();
        for _ in 0..MAX_STATES {
            let Some(state) = next.and_then(|name| self.states.get(name)) else { break };
            for extraction in &state.extracted {
                frame.append(extraction, random, pool);
            }
            if state.transitions.is_empty() {
                break;
            }
            let (value, target) = &state.transitions[random.usize(..state.transitions.len())];
            if let Some(value) = value {
                frame.satisfy(&state.key, value);
            }
            next = target.as_ref();
        }
        let mut frame = frame.into_bytes();
        let limit = if random.u8(..4) == 0 { MAX_PAYLOAD_BYTES } else { 60 };
        frame.extend(bytes(random, limit));
        frame
    }
}

impl Frame {
    fn append(&mut self, extraction: &Extraction, random: &mut Random, pool: &[Vec<u8>]) {
        for (name, width) in &extraction.fields {
            let width = width.unwrap_or_else(|| 8 * random.usize(..MAX_VARIABLE_BYTES));
            let start = self.bits.len();
            let value = value(random, pool);
            let bit = |index: usize| {
                let at = (8 * value.len()).checked_sub(index + 1);
                at.is_some_and(|at| value[at / 8] >> (7 - at % 8) & 1 == 1)
            };
            self.bits.extend((0..width).rev().map(bit));
            self.fields.insert((extraction.header.clone(), name.clone()), (start, width));
        }
    }

    /// Sets the fields of a key to a transition's value: each field padded to whole bytes.
    fn satisfy(&mut self, key: &[Option<(String, String)>], value: &[u8]) {
        let mut end = 8 * value.len();
        for field in key.iter().rev() {
            let place = field.as_ref().and_then(|field| self.fields.get(field));
            let Some(&(start, width)) = place else { return };
            for index in 0..width.min(end) {
                let at = end - 1 - index;
                self.bits[start + width - 1 - index] = value[at / 8] >> (7 - at % 8) & 1 == 1;
            }
            end = end.saturating_sub(8 * width.div_ceil(8));
        }
    }

    fn into_bytes(self) -> Vec<u8> {
        let byte = |bits: &[bool]| bits.iter().fold(0, |byte, &bit| byte << 1 | u8::from(bit));
        self.bits.chunks(8).map(byte).collect()
    }
}

/// A number that many things of one case agree on, or a random one.
pub(crate) fn value(random: &mut Random, pool: &[Vec<u8>]) -> Vec<u8> {
    match random.u8(..4) {
        0 if !pool.is_empty() => pool[random.usize(..pool.len())].clone(),
        1 => vec![random.u8(..8)],
        2 => vec![0xff; 20],
        _ => (0..20).map(|_| random.u8(..)).collect(),
    }
}

/// Up to `limit` random bytes.
pub(crate) fn bytes(random: &mut Random, limit: usize) -> Vec<u8> {
    let length = random.usize(..limit);
    (0..length).map(|_| random.u8(..)).collect()
}

pub(crate) fn damage(frame: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..random.usize(..4) {
        if frame.is_empty() {
            return;
        }
        let position = random.usize(..frame.len());
        match random.u8(..6) {
            0 => frame.truncate(position),
            1 => frame.insert(position, random.u8(..)),
            2 => drop(frame.remove(position)),
            3 => frame[position] = random.choice([0, 1, 0x7f, 0x80, 0xff]),
            _ => frame[position] ^= 1 << random.u8(..8),
        }
    }
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_string()
}

type Fields = Vec<(String, Option<usize>)>;

/// The fields of every header, stack and union by name.
fn header_types(program: &Value) -> HashMap<String, Fields> {
    let mut types: HashMap<&str, Fields> = HashMap::new();
    for header_type in array(&program["header_types"]) {
        let field =
            |field: &Value| (text(&field[0]), field[1].as_u64().map(|bits| bits as usize % 4096));
        let fields = array(&header_type["fields"]).iter().map(field).collect();
        types.insert(header_type["name"].as_str().unwrap_or_default(), fields);
    }
    let mut headers = HashMap::new();
    for list in ["headers", "header_stacks"] {
        for header in array(&program[list]) {
            let fields = header["header_type"].as_str().and_then(|name| types.get(name));
            headers.insert(text(&header["name"]), fields.cloned().unwrap_or_default());
        }
    }
    headers
}

fn state_of(state: &Value, types: &HashMap<String, Fields>) -> State {
    let extraction = |operation: &Value| {
        let is_extraction = text(&operation["op"]).starts_with("extract");
        let header = text(&operation["parameters"][0]["value"]);
        let fields = types.get(&header).cloned().unwrap_or_default();
        is_extraction.then_some(Extraction { header, fields })
    };
    let key = |key: &Value| match key["type"].as_str() {
        Some("field" | "stack_field") => Some((text(&key["value"][0]), text(&key["value"][1]))),
        _ => None,
    };
    let transition = |transition: &Value| {
        let value = transition["value"].as_str().map(hexadecimal);
        (value, transition["next_state"].as_str().map(str::to_string))
    };
    State {
        extracted: array(&state["parser_ops"]).iter().filter_map(extraction).collect(),
        key: array(&state["transition_key"]).iter().map(key).collect(),
        transitions: array(&state["transitions"]).iter().map(transition).collect(),
    }
}

fn hexadecimal(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text
        .trim_start_matches("0x")
        .chars()
        .filter_map(|digit| digit.to_digit(16).map(|digit| digit as u8))
        .collect();
    digits
        .rchunks(2)
        .rev()
        .map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit))
        .collect()
}
