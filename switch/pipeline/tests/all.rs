//! All tests of programs, as one program: it is linked once.

mod arithmetic;
mod checksums;
mod digests;
mod direct_meters;
mod elements;
mod expressions;
mod hashes;
mod headers;
mod invalid_keys;
mod logs;
mod loops;
mod matches;
mod meters;
mod no_bits;
mod older;
mod origins;
mod parsing;
mod products;
mod profiles;
mod refusals;
mod replication;
mod stacks;
mod state;
mod support;
mod traces;
mod unions;
mod value_sets;
mod varbits;
mod virtual_queue;
mod ways_to_run;

/// No file is left out.
#[test]
fn every_file_beside_this_one_is_one_of_its_modules() {
    let modules = include_str!("all.rs");
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
    let files =
        std::fs::read_dir(folder).expect("this folder").map(|file| file.expect("a file").path());
    let missing: Vec<_> = files
        .filter(|file| file.extension().is_some_and(|extension| extension == "rs"))
        .map(|file| format!("mod {};", file.file_stem().expect("a name").to_string_lossy()))
        .filter(|module| module != "mod all;" && !modules.contains(module.as_str()))
        .collect();
    assert_eq!(missing, [""; 0]);
}
