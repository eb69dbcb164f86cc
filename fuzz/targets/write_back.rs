//! Rewriting values of a scene keeps the rest of it. Until there is a function to rewrite, scenes are read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use steerbox::scene;

fuzz_target!(|text: &str| {
    let _ = scene::read("fuzz.ron", text);
});
