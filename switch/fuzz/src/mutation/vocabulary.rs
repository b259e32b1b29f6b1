//! Puts the format's words where a program has others: operations, primitives, parser operations.

use serde_json::{json, Value};

use super::parts::find;
use crate::random::Random;
use crate::values::choose;

const OPERATIONS: &str = "\
    + - * << >> & | ^ ~ and or not == != < <= > >= ? d2b b2d valid valid_union \
    last_stack_index size_stack dereference_header_stack dereference_union_stack \
    access_field access_union_header two_comp_mod usat_cast sat_cast nonsense";

const PRIMITIVES: &str = "\
    assign assign_VL assign_header assign_union assign_header_stack assign_union_stack push \
    pop add_header remove_header mark_to_drop register_read register_write count \
    execute_meter generate_digest modify_field_with_hash_based_offset \
    modify_field_rng_uniform clone_ingress_pkt_to_egress clone_egress_pkt_to_egress resubmit \
    recirculate truncate log_msg exit assert";

const PARSER_OPERATIONS: &str = "\
    extract extract_VL set verify shift advance primitive";

/// Makes an operation of a value and others of the program.
pub(crate) fn grow_expression(program: &mut Value, random: &mut Random) {
    let mut values = Vec::new();
    find(program, &is_value, &mut values);
    if values.is_empty() {
        return;
    }
    let mut operand = || match random.u8(..8) {
        0 => json!({"type": "hexstr", "value": format!("0x{:x}", random.u64(..))}),
        1 => json!({"type": "bool", "value": random.bool()}),
        _ => values[random.usize(..values.len())].clone(),
    };
    let (left, right, condition) = (operand(), operand(), operand());
    let place = random.usize(..values.len());
    let left = if random.bool() { values[place].clone() } else { left };
    let operation = word(OPERATIONS, random);
    let operation = json!({"op": operation, "left": left, "right": right, "cond": condition});
    *values[place] = json!({"type": "expression", "value": operation});
}

/// Makes another statement of one, with values of the program.
pub(crate) fn change_statement(program: &mut Value, random: &mut Random) {
    let mut values = Vec::new();
    find(program, &is_value, &mut values);
    let arguments: Option<Vec<Value>> = (0..random.usize(..6))
        .map(|_| choose(random, &values).map(|value| (*value).clone()))
        .collect();
    let mut statements = Vec::new();
    find(
        program,
        &|value| value["op"].is_string() && value["parameters"].is_array(),
        &mut statements,
    );
    if statements.is_empty() {
        return;
    }
    let place = random.usize(..statements.len());
    let statement = &mut *statements[place];
    let is_of_parser = statement["op"]
        .as_str()
        .is_some_and(|name| PARSER_OPERATIONS.split(' ').any(|known| known == name));
    statement["op"] = match is_of_parser {
        true => json!(word(PARSER_OPERATIONS, random)),
        false => json!(word(PRIMITIVES, random)),
    };
    if let (true, Some(arguments)) = (random.bool(), arguments) {
        statement["parameters"] = arguments.into();
    }
}

fn is_value(value: &Value) -> bool {
    value["type"].is_string() && !value["value"].is_null()
}

/// One of the words of a list.
fn word(list: &'static str, random: &mut Random) -> &'static str {
    let words: Vec<_> = list.split(' ').collect();
    words[random.usize(..words.len())]
}
