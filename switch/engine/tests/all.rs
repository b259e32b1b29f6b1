//! All tests from outside, as one program: it is linked once.

mod abs_program;
mod backlog_extremes;
mod balance;
mod changing_ports;
mod control_queues;
mod observation;
mod rates;
mod replication;
mod support;
mod unsaturated_time;

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
