#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| guided::run(fuzz::Target::Programs, bytes));
