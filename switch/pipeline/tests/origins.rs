//! Headers that leave from where they came are changed in the frame, others are written anew. The
//! program is `headers.p4`, but the second item follows the command.

use crate::support::Switch;
use serde_json::{json, Value};

const COMMAND: [u8; 3] = [0, 0, 5];
const ITEM: [u8; 4] = [0xaa, 1, 2, 3];
const PAYLOAD: [u8; 2] = [0xee, 0xef];

/// What becomes of a frame with the command whose statements are these. Only the first item's tag
/// is assigned anywhere.
fn run(command: u8, statements: &[Value]) -> Vec<u8> {
    let mut program: Value =
        serde_json::from_slice(include_bytes!("programs/headers.json")).expect("JSON");
    program["deparsers"][0]["order"] = json!(["about", "command", "second", "first"]);
    let actions = program["actions"].as_array_mut().expect("actions");
    for action in actions {
        match action["name"].as_str() {
            Some("headers46") if command == 1 => action["primitives"] = json!(statements),
            Some("headers51") if command == 3 => action["primitives"] = json!(statements),
            Some("headers46" | "headers51") => action["primitives"] = json!([]),
            _ => {}
        }
    }
    let frame = [&[command], &COMMAND[1..], &ITEM, &PAYLOAD].concat();
    Switch::of(program.to_string().as_bytes()).send(&frame).expect("everything is forwarded")
}

fn header(name: &str) -> Value {
    json!({"type": "header", "value": name})
}

fn tag_first(tag: &str) -> Value {
    let field = json!({"type": "field", "value": ["first", "tag"]});
    json!({"op": "assign", "parameters": [field, {"type": "hexstr", "value": tag}]})
}

#[test]
fn a_header_in_the_place_of_its_source_has_what_was_written_to_that() {
    let statements = [
        tag_first("0xcc"),
        json!({"op": "assign_header", "parameters": [header("second"), header("first")]}),
        json!({"op": "remove_header", "parameters": [header("first")]}),
    ];
    assert_eq!(run(3, &statements), [3, 0, 5, 0xcc, 1, 2, 3, 0xee, 0xef]);
}

#[test]
fn a_header_that_was_added_is_written_wherever_it_stands() {
    // With it, the items are one byte longer than the headers that were received.
    let statements =
        [json!({"op": "add_header", "parameters": [header("second")]}), tag_first("0xbb")];
    assert_eq!(run(1, &statements), [1, 0, 5, 0, 0, 0, 0, 0xbb, 1, 2, 3, 0xee, 0xef]);
}

#[test]
fn a_header_that_moves_is_written_as_a_whole() {
    let statements = [
        json!({"op": "assign_header", "parameters": [header("second"), header("first")]}),
        tag_first("0xcc"),
    ];
    let expected = [&[3, 0, 5][..], &ITEM, &[0xcc, 1, 2, 3], &PAYLOAD].concat();
    assert_eq!(run(3, &statements), expected);
}
