//! Memory of machine code is returned to the system.
#![cfg(all(target_os = "linux", feature = "native"))]

use steerbox_script::{Execution, Program, Script, ScriptBehavior};

fn behavior(text: &str) -> ScriptBehavior {
    let script = Script::compile("test.rhai", text).expect("it parses");
    let program = Program::fold(&script, &[]).expect("it folds");
    ScriptBehavior::new(program, Execution::Native)
}

/// Number of anonymous executable pages.
fn executable_pages() -> usize {
    let maps = std::fs::read_to_string("/proc/self/maps").expect("the kernel tells");
    let pages = maps.lines().filter_map(|line| {
        let mut parts = line.split_whitespace();
        let (range, access, inode) = (parts.next()?, parts.next()?, parts.nth(2)?);
        let (from, to) = range.split_once('-')?;
        let end = |text| usize::from_str_radix(text, 16).ok();
        let is_code = access.contains('x') && inode == "0";
        is_code.then_some((end(to)? - end(from)?) / 4096)
    });
    pages.sum()
}

#[test]
fn memory_of_code_is_released() {
    let text = "fn steer(me, world) { me.heading * me.speed }";
    let kept: Vec<_> = (0..200).map(|_| behavior(text)).collect();
    let (with, behaviors) = (executable_pages(), kept.len());
    drop(kept);
    let without = executable_pages();
    assert!(without + behaviors <= with, "{with}, then {without} pages");
}
