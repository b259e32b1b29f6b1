//! The checked-in products of the test programs are those of their sources: `compile.sh` writes
//! the digest of every source and product, so that none of them changes alone.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

const DIGEST: &str = "sources.sha256";
const UPDATE: &str =
    "update with switch/pipeline/tests/programs/compile.sh, which needs p4c-bm2-ss";

fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs")
}

/// The names of the files with this extension.
fn names(extension: &str) -> BTreeSet<String> {
    let entries = programs().read_dir().expect("the programs");
    let paths = entries.map(|entry| entry.expect("a file").path());
    let paths = paths.filter(|path| path.extension().is_some_and(|found| found == extension));
    paths.map(|path| path.file_name().expect("a name").to_string_lossy().into_owned()).collect()
}

#[test]
fn sources_and_products_are_those_that_were_compiled() {
    let mut check = Command::new("sha256sum");
    check.args(["--check", "--strict", "--quiet", DIGEST]).current_dir(programs());
    let output = check.output().expect("sha256sum runs");
    let findings = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{}{UPDATE}", String::from_utf8_lossy(&findings));
}

#[test]
fn every_source_has_a_product_and_both_have_a_digest() {
    let sources = names("p4");
    let products = sources.iter().map(|source| source.replace(".p4", ".json")).collect();
    assert_eq!(names("json"), products, "a product without source or the reverse; {UPDATE}");
    let digest = std::fs::read_to_string(programs().join(DIGEST)).expect(DIGEST);
    let listed = digest.lines().filter_map(|line| line.split_whitespace().nth(1));
    let listed: BTreeSet<String> = listed.map(str::to_string).collect();
    let both: BTreeSet<String> = sources.union(&products).cloned().collect();
    assert_eq!(listed, both, "{DIGEST} lists other files; {UPDATE}");
}

#[test]
#[ignore = "needs p4c-bm2-ss"]
fn compiling_the_sources_gives_the_products() {
    let compiled = Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs");
    if compiled.exists() {
        std::fs::remove_dir_all(&compiled).expect("products of an earlier run");
    }
    let status = Command::new(programs().join("compile.sh")).arg(&compiled).status();
    assert!(status.expect("compile.sh runs").success(), "compile.sh fails");
    for name in names("json") {
        let read = |folder: &Path| std::fs::read(folder.join(&name)).expect(&name);
        assert!(read(&programs()) == read(&compiled), "{name} is out of date; {UPDATE}");
    }
}
