//! A panic is told as an error of the engine, in one line.

use p4runtime::Code;

use crate::panics::failed;

#[test]
fn a_panic_is_an_internal_error_with_what_it_says() {
    let error = failed(&"index\nout of bounds");
    assert_eq!(error.code, Code::Internal);
    assert_eq!(error.message, "the engine has failed: index out of bounds");
    assert_eq!(failed(&String::from("x")).message, "the engine has failed: x");
    assert_eq!(failed(&7).message, "the engine has failed: a panic without a message");
}
