use super::*;
use crate::program::place::Type;

fn line(format: &str, values: &[(i64, Type)]) -> String {
    let slots: Vec<u64> = values.iter().map(|&(value, _)| value as u64).collect();
    let kinds = values.iter().enumerate();
    let operands: Vec<_> =
        kinds.map(|(slot, &(_, kind))| Operand { slot: slot as u16, kind }).collect();
    Line { message: &LogMessage::new(format, &operands), slots: &slots }.to_string()
}

#[test]
fn values_stand_in_place_of_braces() {
    let values = [(7, Type::Unsigned(8)), (-3, Type::Signed(8))];
    for (format, expected) in [
        ("plain", "plain"),
        ("{} and {}", "7 and -3"),
        ("a{first}b{}", "a7b-3"),
        (r"\{{}\}", "{7}"),
        (r"back\slash {}", r"back\slash 7"),
        ("{}{}{} {", "7-3{} {"),
        ("{", "{"),
        ("", ""),
    ] {
        assert_eq!(line(format, &values), expected, "{format}");
    }
}
