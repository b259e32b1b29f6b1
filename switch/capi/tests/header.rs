//! The header and the static library, as a C program uses them.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The static library that cargo has just built beside this test.
fn static_library() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let built = test.parent().unwrap().read_dir().unwrap().map(|entry| entry.unwrap().path());
    let is_library = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy();
        name.starts_with("libp4abs_pipeline") && name.ends_with(".a")
    };
    let written = |path: &PathBuf| path.metadata().unwrap().modified().unwrap();
    built.filter(is_library).max_by_key(written).expect("the crate is a staticlib")
}

#[test]
fn a_c89_program_admits_drops_and_reads_registers() {
    let crate_root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("header");
    let compiled = Command::new("cc")
        .args(["-std=c89", "-pedantic", "-Wall", "-Wextra", "-Werror", "-I"])
        .arg(crate_root.join("include"))
        .arg(crate_root.join("tests/header.c"))
        .arg(static_library())
        .args(["-lm", "-o"])
        .arg(&program)
        .status()
        .expect("rustc links with cc, so it is there");
    assert!(compiled.success());
    let product = crate_root.join("../../p4src/build/queue.json");
    assert!(Command::new(program).arg(product).status().unwrap().success());
}
