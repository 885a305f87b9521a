#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ligament_fuzz::read("md5mesh", bytes));
