use super::*;

#[test]
fn a_program_has_the_same_code_every_time() {
    let json = include_bytes!("../../../tests/programs/profiles.json");
    let code = || {
        let program = serde_json::from_slice(json).expect("the format");
        compile(program).expect("a program").0.code
    };
    let first = code();
    for _ in 0..16 {
        assert_eq!(code(), first);
    }
}
