//! Programs in older forms of the format. BMv2 sends the same frames.

use crate::support::Switch;
use pipeline::{current_form, Match, Pipeline};
use serde_json::{json, Map, Value};
use std::collections::BTreeMap;

const ROUTER: &[u8] = include_bytes!("../../tests/programs/router.json");
const PARSING: &[u8] = include_bytes!("programs/parsing.json");
const PROFILES: &[u8] = include_bytes!("programs/profiles.json");
const VALUE_SETS: &[u8] = include_bytes!("programs/value_sets.json");
const INVALID_KEYS: &[u8] = include_bytes!("programs/invalid_keys.json");
const ARITHMETIC: &[u8] = include_bytes!("programs/arithmetic.json");

fn parsed(json: &[u8]) -> Value {
    serde_json::from_slice(json).expect("JSON")
}

fn bytes(program: &Value) -> Vec<u8> {
    program.to_string().into_bytes()
}

/// The dictionaries of lists within lists, such as `["pipelines", "tables"]`.
fn each<'v>(program: &'v mut Value, path: &[&str]) -> Vec<&'v mut Map<String, Value>> {
    let mut found = vec![program];
    for key in path {
        found = found
            .into_iter()
            .filter_map(|value| value.get_mut(*key).and_then(Value::as_array_mut))
            .flatten()
            .collect();
    }
    found.into_iter().filter_map(Value::as_object_mut).collect()
}

/// What p4c wrote until 2022, and p4c-bm before it, for which an action's name was enough.
fn aged(program: &mut Value) {
    program.as_object_mut().expect("a program").remove("__meta__");
    for transition in each(program, &["parsers", "parse_states", "transitions"]) {
        if transition.remove("type") == Some(json!("default")) {
            transition.insert("value".into(), json!("default"));
        }
    }
    let names: Vec<Value> =
        each(program, &["actions"]).iter().map(|action| action["name"].clone()).collect();
    let is_unique = |name: &Value| names.iter().filter(|other| *other == name).count() == 1;
    for table in each(program, &["pipelines", "tables"]) {
        if table["actions"].as_array().is_some_and(|used| used.iter().all(is_unique)) {
            table.remove("action_ids");
        }
        table.insert("pragmas".into(), json!(["size 3"]));
        table.insert("default_action".into(), Value::Null);
    }
    for counter in each(program, &["counter_arrays"]) {
        if counter["is_direct"] == json!(false) {
            counter.remove("is_direct");
        }
    }
}

#[test]
fn what_was_left_out_or_said_otherwise_is_as_today() {
    let today: Value = serde_json::from_str(&current_form(ROUTER).unwrap()).unwrap();
    let mut older = today.clone();
    aged(&mut older);
    assert!(older["pipelines"][1]["tables"][0].get("action_ids").is_none());
    let upgraded: Value = serde_json::from_str(&current_form(&bytes(&older)).unwrap()).unwrap();
    assert_eq!(upgraded["__meta__"], json!({ "version": [2, 0] }));
    for part in ["actions", "pipelines", "counter_arrays"] {
        assert_eq!(upgraded[part], today[part], "{part}");
    }
    assert!(Pipeline::load(&bytes(&older)).is_ok());
}

#[test]
fn a_program_of_today_has_its_form() {
    let today = parsed(ROUTER);
    let form: Value = serde_json::from_str(&current_form(ROUTER).unwrap()).unwrap();
    for part in ["__meta__", "actions", "parsers", "pipelines"] {
        assert_eq!(form[part], today[part], "{part}");
    }
}

#[test]
fn a_packet_goes_the_same_way_in_an_older_form() {
    let mut older = parsed(ROUTER);
    aged(&mut older);
    let frame = [0x5a; 60];
    assert_eq!(Switch::of(&bytes(&older)).send(&frame), Switch::of(ROUTER).send(&frame));
}

#[test]
fn an_error_to_verify_may_be_a_number() {
    let today = parsed(PARSING);
    let mut older = today.clone();
    let mut numbers = 0;
    for operation in each(&mut older, &["parsers", "parse_states", "parser_ops"]) {
        if operation["op"] == json!("verify") {
            let error = &mut operation["parameters"][1];
            let digits = error["value"].as_str().expect("a number").trim_start_matches("0x");
            *error = json!(u64::from_str_radix(digits, 16).expect("hexadecimal"));
            numbers += 1;
        }
    }
    older["__meta__"]["version"] = json!([2, 7]);
    assert!(numbers > 0);
    let form: Value = serde_json::from_str(&current_form(&bytes(&older)).unwrap()).unwrap();
    assert_eq!(form["parsers"], today["parsers"]);
    Pipeline::load(&bytes(&older)).unwrap();
}

#[test]
fn an_action_profile_of_one_table_is_a_profile() {
    let today = parsed(PROFILES);
    let profiles = today["pipelines"][0]["action_profiles"].as_array().expect("profiles").clone();
    let mut older = today.clone();
    older["pipelines"][0].as_object_mut().expect("a pipeline").remove("action_profiles");
    for table in each(&mut older, &["pipelines", "tables"]) {
        let Some(name) = table.remove("action_profile") else { continue };
        let profile = profiles.iter().find(|profile| profile["name"] == name).expect("a profile");
        if let Some(selector) = profile.get("selector") {
            table.insert("selector".into(), selector.clone());
        }
        table.insert("act_prof_name".into(), name);
    }
    let form: Value = serde_json::from_str(&current_form(&bytes(&older)).unwrap()).unwrap();
    let found = form["pipelines"][0]["action_profiles"].as_array().expect("profiles");
    let known = |profiles: &[Value]| -> BTreeMap<String, Value> {
        let entry = |each: &Value| (each["name"].to_string(), each["selector"].clone());
        profiles.iter().map(entry).collect()
    };
    assert_eq!(known(found), known(&profiles));
}

/// What the primitives of P4_14 leave in a field of 8 bits, of operands of 8 bits.
#[test]
fn primitives_of_p4_14_compute_as_assignments() {
    let (a, b): (u8, u8) = (0xc5, 0x03);
    let field = |name: &str| json!({ "type": "field", "value": ["in_", name] });
    let sum = json!({ "type": "field", "value": ["out_", "sum"] });
    let constant = json!({ "type": "hexstr", "value": "0x0f" });
    let both = [sum.clone(), field("a"), field("b")];
    // The sum of both operands stands in the field before.
    for (op, parameters, left) in [
        ("modify_field", vec![sum.clone(), field("a")], a),
        ("modify_field", vec![sum.clone(), field("a"), constant.clone()], 0xc5),
        ("add_to_field", vec![sum.clone(), constant.clone()], 0xc8 + 0x0f),
        ("subtract_from_field", vec![sum.clone(), constant], 0xc8 - 0x0f),
        ("add", both.to_vec(), a.wrapping_add(b)),
        ("subtract", vec![sum.clone(), field("b"), field("a")], b.wrapping_sub(a)),
        ("bit_and", both.to_vec(), a & b),
        ("bit_or", both.to_vec(), a | b),
        ("bit_xor", both.to_vec(), a ^ b),
        ("shift_left", both.to_vec(), a << b),
        ("shift_right", both.to_vec(), a >> b),
    ] {
        let mut program = parsed(ARITHMETIC);
        let mut actions = each(&mut program, &["actions"]);
        let last = actions.last_mut().unwrap()["primitives"].as_array_mut().unwrap();
        last.push(json!({ "op": op, "parameters": parameters }));
        program.as_object_mut().unwrap().remove("__meta__");
        let frame = [&[a, b][..], &[0; 50]].concat();
        let sent = Switch::of(&bytes(&program)).send(&frame).expect("a frame");
        assert_eq!(sent[0], left, "{op}");
    }
}

#[test]
fn a_saturating_field_keeps_the_nearest_value() {
    let (a, b): (u8, u8) = (0xc5, 0x50);
    let field = |name: &str| json!({ "type": "field", "value": ["in_", name] });
    let sum = json!({ "type": "field", "value": ["out_", "sum"] });
    // As it is declared: signed, saturating.
    for (signed, saturating, op, left) in [
        (false, false, "add", a.wrapping_add(b)),
        (false, true, "add", 0xff),
        (true, true, "add", 0x7f),
        (false, true, "subtract", 0x75),
        (true, true, "subtract", 0x75),
    ] {
        let mut program = parsed(ARITHMETIC);
        let fields = each(&mut program, &["header_types"]).into_iter();
        for field in fields.flat_map(|kind| kind["fields"].as_array_mut().expect("fields")) {
            if field[0] == "sum" {
                *field = json!(["sum", field[1], signed, saturating]);
            }
        }
        let mut actions = each(&mut program, &["actions"]);
        let last = actions.last_mut().unwrap()["primitives"].as_array_mut().unwrap();
        last.push(json!({ "op": op, "parameters": [sum, field("a"), field("b")] }));
        let frame = [&[a, b][..], &[0; 50]].concat();
        let sent = Switch::of(&bytes(&program)).send(&frame).expect("a frame");
        assert_eq!(sent[0], left, "{op} {signed} {saturating}");
    }
}

#[test]
fn the_difference_in_a_saturating_field_is_not_below_zero() {
    let mut program = parsed(ARITHMETIC);
    let fields = each(&mut program, &["header_types"]).into_iter();
    for field in fields.flat_map(|kind| kind["fields"].as_array_mut().expect("fields")) {
        field.as_array_mut().expect("a field").push(json!(true));
    }
    let subtraction = json!({ "op": "subtract_from_field", "parameters": [
        { "type": "field", "value": ["out_", "sum"] }, { "type": "hexstr", "value": "0xff" },
    ] });
    let mut actions = each(&mut program, &["actions"]);
    actions.last_mut().unwrap()["primitives"].as_array_mut().unwrap().push(subtraction);
    let sent = Switch::of(&bytes(&program)).send(&[1; 52]).expect("a frame");
    assert_eq!(sent[0], 0);
}

#[test]
fn an_assigned_validity_changes_nothing() {
    let mut program = parsed(ROUTER);
    let validity = json!({ "type": "field", "value": ["ipv4", "$valid$"] });
    let nothing = json!({ "type": "hexstr", "value": "0x00" });
    let parameters = json!([validity, nothing]);
    let set = json!({ "op": "set", "parameters": parameters });
    for state in each(&mut program, &["parsers", "parse_states"]) {
        state["parser_ops"].as_array_mut().expect("operations").push(set.clone());
    }
    let assign = json!({ "op": "assign", "parameters": parameters });
    for action in each(&mut program, &["actions"]) {
        action["primitives"].as_array_mut().expect("primitives").push(assign.clone());
    }
    program["__meta__"]["version"] = json!([2, 7]);
    let form: Value = serde_json::from_str(&current_form(&bytes(&program)).unwrap()).unwrap();
    let before: Value = serde_json::from_str(&current_form(ROUTER).unwrap()).unwrap();
    assert_eq!((&form["parsers"], &form["actions"]), (&before["parsers"], &before["actions"]));
}

#[test]
fn a_packet_is_dropped_without_a_header_to_mark() {
    for op in ["drop", "mark_to_drop"] {
        let mut program = parsed(ARITHMETIC);
        let mut actions = each(&mut program, &["actions"]);
        let last = actions.last_mut().unwrap()["primitives"].as_array_mut().unwrap();
        last.push(json!({ "op": op, "parameters": [] }));
        program.as_object_mut().unwrap().remove("__meta__");
        assert_eq!(Switch::of(&bytes(&program)).send(&[0; 60]), None, "{op}");
    }
}

#[test]
fn a_key_of_validity_is_of_a_hidden_field() {
    let mut program = parsed(ROUTER);
    let key = json!({ "match_type": "valid", "target": "ipv4" });
    let mut tables = each(&mut program, &["pipelines", "tables"]);
    tables[0].insert("key".into(), json!([key]));
    program["__meta__"]["version"] = json!([2, 18]);
    let form: Value = serde_json::from_str(&current_form(&bytes(&program)).unwrap()).unwrap();
    let found = &form["pipelines"][0]["tables"][0]["key"][0];
    assert_eq!((&found["target"], &found["name"]), (&json!(["ipv4", "$valid$"]), &json!("ipv4")));
    Pipeline::load(&bytes(&program)).unwrap();
}

#[test]
fn metadata_is_valid_in_a_key() {
    let mut program = parsed(INVALID_KEYS);
    let name = "TestIngress.exact_values";
    let mut tables = each(&mut program, &["pipelines", "tables"]);
    let table = tables.iter_mut().find(|table| table["name"] == name).expect("a table");
    let key = json!({ "match_type": "valid", "target": "standard_metadata" });
    table.insert("key".into(), json!([key]));
    program["__meta__"]["version"] = json!([2, 5]);
    let mut switch = Switch::of(&bytes(&program));
    let key = [Match::Exact(vec![1])];
    switch.control().table_insert(name, &key, "TestIngress.found", &[vec![0x11]], 0).unwrap();
    assert_eq!(switch.send(&[0; 60]).expect("a frame")[1], 0x11);
}

#[test]
fn a_value_set_had_no_size() {
    let mut program = parsed(VALUE_SETS);
    for set in each(&mut program, &["parse_vsets"]) {
        set.remove("max_size").expect("a size");
    }
    program["__meta__"]["version"] = json!([2, 18]);
    let sets = Switch::of(&bytes(&program)).control().value_sets();
    let form: Value = serde_json::from_str(&current_form(&bytes(&program)).unwrap()).unwrap();
    let told = form["parse_vsets"].as_array().expect("sets");
    for set in sets {
        let told = told.iter().find(|told| told["name"] == set.name).expect("the set");
        assert_eq!(told["max_size"], json!(set.size));
    }
}

#[test]
fn an_action_may_be_named_as_what_has_no_meaning() {
    let mut program = parsed(ROUTER);
    program["__meta__"]["version"] = json!([2, 18]);
    let text = program.to_string().replace("RouterEgress.set_source", "default_action");
    let form: Value = serde_json::from_str(&current_form(text.as_bytes()).unwrap()).unwrap();
    let next = form["pipelines"][1]["tables"][0]["next_tables"].as_object().unwrap();
    assert!(next.contains_key("default_action"));
    Pipeline::load(text.as_bytes()).unwrap();
}

#[test]
fn what_is_wrong_in_any_form_is_refused() {
    let mut program = parsed(ROUTER);
    each(&mut program, &["pipelines", "tables"])[0].insert("surprise".into(), json!(1));
    let refusal = Pipeline::load(&bytes(&program)).unwrap_err().to_string();
    assert!(refusal.contains("unknown field `surprise`"), "{refusal}");
    assert_eq!(
        current_form(&bytes(&program)).unwrap_err().to_string().split(',').next(),
        refusal.split(',').next()
    );
}
