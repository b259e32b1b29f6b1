//! Older forms of the format, which BMv2 takes as well (behavioral-model, `P4Objects.cpp` and
//! `primitives.cpp`): those of p4c until 2022 and of p4c-bm, the first compiler of P4_14.

use super::parsers::VALUE_SET_SIZE;
use serde_json::{json, Map, Value};
use std::collections::HashMap;

/// Attributes that change nothing.
const WITHOUT_MEANING: [&str; 3] = ["pragmas", "config_options", "default_action"];
/// Arithmetic of P4_14: the field, its operands; and the operation.
const ARITHMETIC: [(&str, &str); 7] = [
    ("add", "+"),
    ("subtract", "-"),
    ("bit_and", "&"),
    ("bit_or", "|"),
    ("bit_xor", "^"),
    ("shift_left", "<<"),
    ("shift_right", ">>"),
];
/// The same where the field is the left operand, too.
const IN_PLACE: [(&str, &str); 2] = [("add_to_field", "+"), ("subtract_from_field", "-")];
/// Primitives that have another name now.
const RENAMED: [(&str, &str); 4] = [
    ("modify_field", "assign"),
    ("copy_header", "assign_header"),
    ("add_header_fast", "add_header"),
    ("drop", "mark_to_drop"),
];
const OPTIONAL_LISTS: [&str; 5] =
    ["counter_arrays", "meter_arrays", "register_arrays", "parse_vsets", "learn_lists"];
/// The greatest size of an action profile: older ones have none.
const ANY_NUMBER: u32 = u32::MAX;

/// A program in today's form. What no version has stays as it is.
pub(super) fn upgraded(mut program: Value) -> Value {
    let Some(root) = program.as_object_mut() else { return program };
    root.entry("__meta__").or_insert_with(|| json!({ "version": [2, 0] }));
    let actions = action_ids(root);
    let saturating = Saturating::declared(root);
    for state in each(root, "parsers").flat_map(|parser| each(parser, "parse_states")) {
        each(state, "transitions").for_each(transition);
        each(state, "parser_ops").for_each(parser_operation);
        keep_validity(state, "parser_ops", "set");
        each(state, "parser_ops").for_each(|operation| saturating.keep(operation, "set"));
    }
    for action in each(root, "actions") {
        each(action, "primitives").for_each(primitive);
        keep_validity(action, "primitives", "assign");
        each(action, "primitives").for_each(|primitive| saturating.keep(primitive, "assign"));
    }
    for list in OPTIONAL_LISTS {
        default(root, list, json!([]));
    }
    each(root, "parse_vsets").for_each(|set| default(set, "max_size", json!(VALUE_SET_SIZE)));
    each(root, "counter_arrays").for_each(|counter| default(counter, "is_direct", json!(false)));
    for pipeline in each(root, "pipelines") {
        let profiles: Vec<Value> =
            each(pipeline, "tables").filter_map(|table| self::table(table, &actions)).collect();
        default(pipeline, "action_profiles", json!([]));
        if let Some(Value::Array(declared)) = pipeline.get_mut("action_profiles") {
            declared.extend(profiles);
        }
    }
    forget_what_has_no_meaning(root);
    program
}

/// The dictionaries of a list.
fn each<'v>(
    of: &'v mut Map<String, Value>,
    key: &str,
) -> impl Iterator<Item = &'v mut Map<String, Value>> {
    let list = of.get_mut(key).and_then(Value::as_array_mut);
    list.into_iter().flatten().filter_map(Value::as_object_mut)
}

fn default(of: &mut Map<String, Value>, key: &str, value: Value) {
    of.entry(key).or_insert(value);
}

/// The id of the first action of each name.
fn action_ids(root: &mut Map<String, Value>) -> Map<String, Value> {
    let mut ids = Map::new();
    for action in each(root, "actions") {
        if let (Some(Value::String(name)), Some(id)) = (action.get("name"), action.get("id")) {
            default(&mut ids, name, id.clone());
        }
    }
    ids
}

/// Which transition is the default one was said by its value.
fn transition(transition: &mut Map<String, Value>) {
    let is_default = transition.get("value").is_some_and(|value| value == "default");
    default(transition, "type", json!(if is_default { "default" } else { "hexstr" }));
}

/// An error to verify was its number.
fn parser_operation(operation: &mut Map<String, Value>) {
    if operation.get("op") != Some(&json!("verify")) {
        return;
    }
    let error = operation.get_mut("parameters").and_then(|parameters| parameters.get_mut(1));
    if let Some(error) = error {
        if let Some(number) = error.as_u64() {
            *error = json!({ "type": "hexstr", "value": format!("{number:#x}") });
        }
    }
}

/// p4c until 2018 also assigned the validity of a header that it took from a lookahead. Only
/// statements of their own make a header valid, here as in BMv2.
fn keep_validity(of: &mut Map<String, Value>, list: &str, assignment: &str) {
    let Some(Value::Array(statements)) = of.get_mut(list) else { return };
    statements.retain(|statement| {
        statement["op"] != assignment || statement["parameters"][0]["value"][1] != "$valid$"
    });
}

/// Actions were known by their names, and an action profile belonged to one table: returns it.
fn table(table: &mut Map<String, Value>, actions: &Map<String, Value>) -> Option<Value> {
    if let (None, Some(Value::Array(names))) = (table.get("action_ids"), table.get("actions")) {
        let id =
            |name: &Value| name.as_str().and_then(|name| actions.get(name)).unwrap_or(name).clone();
        let ids = names.iter().map(id).collect();
        table.insert("action_ids".into(), ids);
    }
    each(table, "key").for_each(key_field);
    let entries = table.get("entries").and_then(Value::as_array).map(Vec::len);
    if let Some(entries) = entries {
        default(table, "max_size", json!(entries));
    }
    let name = table.remove("act_prof_name")?;
    let mut profile = json!({ "name": name, "id": table.get("id"), "max_size": ANY_NUMBER });
    if let Some(selector) = table.remove("selector") {
        profile["selector"] = selector;
    }
    table.insert("action_profile".into(), name);
    Some(profile)
}

/// A field had no name of its own, and a header's validity was no field.
fn key_field(field: &mut Map<String, Value>) {
    let name = match field.get("target") {
        Some(Value::String(header)) => header.clone(),
        Some(Value::Array(target)) => {
            target.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(".")
        }
        _ => return,
    };
    if field.get("target").is_some_and(Value::is_string) {
        field.insert("target".into(), json!([name, "$valid$"]));
    }
    default(field, "name", json!(name));
}

/// Primitives of P4_14 are assignments.
fn primitive(primitive: &mut Map<String, Value>) {
    let Some(op) = primitive.get("op").and_then(Value::as_str).map(str::to_owned) else { return };
    let parameters = primitive.get("parameters").and_then(Value::as_array).cloned();
    let parameters = parameters.unwrap_or_default();
    let named = |table: &[(&str, &'static str)]| {
        table.iter().find(|(old, _)| *old == op).map(|&(_, new)| new)
    };
    let (op, parameters) = match (parameters.as_slice(), named(&ARITHMETIC), named(&IN_PLACE)) {
        ([field, left, right], Some(operation), _) => {
            ("assign", vec![field.clone(), expression(operation, left, right)])
        }
        ([field, operand], _, Some(operation)) => {
            ("assign", vec![field.clone(), expression(operation, field, operand)])
        }
        ([], _, _) if op == "drop" || op == "mark_to_drop" => {
            ("mark_to_drop", vec![json!({ "type": "header", "value": "standard_metadata" })])
        }
        ([field, value, mask], _, _) if op == "modify_field" => {
            let kept = expression("&", field, &expression("~", &Value::Null, mask));
            let written = expression("&", value, mask);
            ("assign", vec![field.clone(), expression("|", &kept, &written)])
        }
        _ => match named(&RENAMED) {
            Some(new) => (new, parameters),
            None => return,
        },
    };
    primitive.insert("op".into(), json!(op));
    primitive.insert("parameters".into(), parameters.into());
}

/// Fields of P4_14 that keep the nearest value they can hold, as `[header, field]`; and the cast that
/// finds it.
struct Saturating(HashMap<Value, (&'static str, Value)>);

impl Saturating {
    /// Takes the mark from their declarations.
    fn declared(root: &mut Map<String, Value>) -> Saturating {
        let mut types: HashMap<Value, Vec<_>> = HashMap::new();
        for header_type in each(root, "header_types") {
            let name = header_type.get("name").cloned().unwrap_or_default();
            types.insert(name, saturating_fields(header_type));
        }
        let mut fields = HashMap::new();
        for header in each(root, "headers") {
            let (Some(name), Some(kind)) = (header.get("name"), header.get("header_type")) else {
                continue;
            };
            for (field, cast, width) in types.get(kind).into_iter().flatten() {
                fields.insert(json!([name, field]), (*cast, width.clone()));
            }
        }
        Saturating(fields)
    }

    /// Puts the cast around what is assigned to such a field.
    fn keep(&self, statement: &mut Map<String, Value>, assignment: &str) {
        if self.0.is_empty() || statement.get("op").is_none_or(|op| op != assignment) {
            return;
        }
        let parameters = statement.get_mut("parameters").and_then(Value::as_array_mut);
        let Some([target, value]) = parameters.map(Vec::as_mut_slice) else { return };
        if let (Some((cast, width)), true) =
            (self.0.get(&target["value"]), value["type"] != "lookahead")
        {
            *value = expression(cast, value, &json!({ "type": "hexstr", "value": width }));
        }
    }
}

/// The saturating fields of a header type: names, casts and widths. The fourth part of a field marks
/// them; it is removed.
fn saturating_fields(header_type: &mut Map<String, Value>) -> Vec<(Value, &'static str, Value)> {
    let fields = header_type.get_mut("fields").and_then(Value::as_array_mut);
    let fields = fields.into_iter().flatten().filter_map(Value::as_array_mut);
    let marked = fields.filter(|field| field.len() == 4).filter_map(|field| {
        let (mark, width) = (field.pop()?, field[1].as_u64()?);
        let cast = if field[2] == true { "sat_cast" } else { "usat_cast" };
        (mark == true).then(|| (field[0].clone(), cast, json!(format!("{width:#x}"))))
    });
    marked.collect()
}

fn expression(operation: &str, left: &Value, right: &Value) -> Value {
    let value = json!({ "op": operation, "left": left, "right": right });
    json!({ "type": "expression", "value": value })
}

/// In lists of dictionaries alone: elsewhere, such as in `next_tables`, these may be names.
fn forget_what_has_no_meaning(of: &mut Map<String, Value>) {
    WITHOUT_MEANING.iter().for_each(|name| drop(of.remove(*name)));
    let lists = of.values_mut().filter_map(Value::as_array_mut);
    lists.flatten().filter_map(Value::as_object_mut).for_each(forget_what_has_no_meaning);
}
