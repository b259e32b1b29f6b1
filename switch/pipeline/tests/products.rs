//! The checked-in products of the test programs are those of their sources. Needs p4c; without
//! it, the other tests run on the products as they are.

use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

const COMPILER: &str = "p4c-bm2-ss";

#[test]
fn test_programs_are_compiled_from_their_sources() {
    match Command::new(COMPILER).arg("--version").output() {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            eprintln!("skipped: {COMPILER} is not on PATH");
            return;
        }
        result => result.expect("the compiler runs"),
    };
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let products = Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs");
    // Of programs that are gone by now.
    let _ = std::fs::remove_dir_all(&products);
    let status = Command::new(programs.join("compile.sh")).arg(&products).status();
    assert!(status.expect("compile.sh runs").success());
    for entry in products.read_dir().unwrap() {
        let name = entry.unwrap().file_name();
        let checked_in = std::fs::read(programs.join(&name)).unwrap_or_default();
        let compiled = std::fs::read(products.join(&name)).unwrap();
        let message = "is out of date: run switch/pipeline/tests/programs/compile.sh";
        assert!(checked_in == compiled, "{} {message}", name.display());
    }
}
