//! Puts programs into older forms of the format.

use serde_json::{json, Map, Value};

use crate::random::Random;
use crate::values::choose;

use super::parts::find;

/// Primitives of P4_14 that take a field and a value, and those that take two values.
const OF_ONE_VALUE: [&str; 3] = ["modify_field", "add_to_field", "subtract_from_field"];
const OF_TWO_VALUES: [&str; 7] =
    ["add", "subtract", "bit_and", "bit_or", "bit_xor", "shift_left", "shift_right"];

/// Leaves out or says otherwise what older compilers did, in some places.
pub(super) fn age(program: &mut Value, random: &mut Random) {
    if let Some(root) = program.as_object_mut() {
        root.remove("__meta__");
    }
    for transition in dictionaries(program, "next_state") {
        if transition.remove("type") == Some(json!("default")) {
            transition.insert("value".into(), json!("default"));
        }
    }
    for table in dictionaries(program, "action_ids") {
        if random.bool() {
            table.remove("action_ids");
        }
        if random.bool() {
            if let Some(profile) = table.remove("action_profile") {
                table.insert("act_prof_name".into(), profile);
            }
        }
    }
    for primitive in dictionaries(program, "op") {
        if primitive.get("op") == Some(&json!("assign")) && random.bool() {
            age_assignment(primitive, random);
        }
    }
}

fn age_assignment(primitive: &mut Map<String, Value>, random: &mut Random) {
    let Some(Value::Array(parameters)) = primitive.get_mut("parameters") else { return };
    let of_two = random.bool();
    if let (true, Some(last)) = (of_two, parameters.last().cloned()) {
        parameters.push(last);
    }
    let names: &[&str] = if of_two { &OF_TWO_VALUES } else { &OF_ONE_VALUE };
    if let Some(name) = choose(random, names) {
        primitive.insert("op".into(), json!(name));
    }
}

/// The dictionaries that have an attribute.
fn dictionaries<'v>(program: &'v mut Value, attribute: &str) -> Vec<&'v mut Map<String, Value>> {
    let mut found = Vec::new();
    find(program, &|value: &Value| value.get(attribute).is_some(), &mut found);
    found.into_iter().filter_map(Value::as_object_mut).collect()
}
