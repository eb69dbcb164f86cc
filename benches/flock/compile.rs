//! Compile times of scripts: parsing, parameter folding, code generation.

use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, Result};
use steerbox_project::reload::{BuiltIn, read_dir_sorted};
use steerbox_script::{Execution, Role, Script};

use crate::measure::Spread;
use crate::scripts;

const ROUNDS: usize = 20;

/// A script and its times in milliseconds.
struct Row {
    name: String,
    text: String,
    native: bool,
    times: Vec<f64>,
}

pub(crate) fn print() -> Result<()> {
    let mut rows = shipped()?;
    for _ in 0..ROUNDS {
        for row in &mut rows {
            let start = Instant::now();
            let behavior = scripts::compile(&row.name, &row.text, Execution::Native)?;
            row.times.push(start.elapsed().as_secs_f64() * 1e3);
            row.native = behavior.is_native();
        }
    }
    println!("All scripts that ship, {ROUNDS} times each in turns, the largest first:\n");
    println!("| script | bytes | native | median | worst | target |");
    println!("|---|--:|---|--:|--:|--:|");
    for (number, row) in rows.iter().enumerate() {
        let time = Spread::of(row.times.iter().copied());
        println!(
            "| {} | {} | {} | {:.2} ms | {:.2} ms | {} |",
            row.name,
            row.text.len(),
            if row.native { "yes" } else { "no" },
            time.median,
            time.most,
            if number == 0 { "≤ 5 ms" } else { "" },
        );
    }
    println!();
    Ok(())
}

/// The shipped behaviors, the largest first.
fn shipped() -> Result<Vec<Row>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts");
    let mut rows = Vec::new();
    for path in read_dir_sorted(&folder)? {
        let name = path.file_stem().context("a file without a name")?;
        let name = name.to_string_lossy().into_owned();
        let text = fs::read_to_string(&path)?;
        let script = Script::compile_with(&name, &text, &BuiltIn, true);
        if script.is_ok_and(|script| script.role == Role::Behavior) {
            rows.push(Row { name, text, native: false, times: Vec::new() });
        }
    }
    rows.sort_by_key(|row| std::cmp::Reverse(row.text.len()));
    Ok(rows)
}
