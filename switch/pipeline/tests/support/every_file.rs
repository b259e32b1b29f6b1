//! For a crate whose tests from outside are one program, `tests/all.rs`: no file is left out.

#[test]
fn every_file_beside_all_is_one_of_its_modules() {
    let modules = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/all.rs"));
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
