//! `run --profile`: a table of the cost of behaviors.

use steerbox_core::sim::{Phases, Simulation};
use steerbox_project::reload::Generation;
use steerbox_script::ScriptBehavior;
use unicode_width::UnicodeWidthStr as _;

use super::lines::OutputError;

/// Prints the cost of each behavior in descending order: nanoseconds of one thread per unit and step, and its fraction
/// of the time of all steps.
pub(super) fn print(
    generation: &Generation,
    simulation: &Simulation,
    phases: Phases,
    line: impl Fn(String) -> Result<(), OutputError>,
) -> Result<(), OutputError> {
    let deciding = phases.decide.as_secs_f32() / phases.total().as_secs_f32().max(1e-9);
    let mut costs = simulation.costs();
    costs.sort_by(|a, b| b.share.total_cmp(&a.share));
    let head = ["behavior", "group", "runs as", "ns a unit", "of a step"].map(str::to_owned);
    let rows = costs.iter().filter_map(|cost| {
        let slot = simulation.slots(cost.group).get(cost.slot)?;
        let planned = generation.behaviors.get(cost.group)?.get(cost.slot)?;
        let is_native = planned.behavior.as_deref().is_some_and(ScriptBehavior::is_native);
        let runs = if is_native { "machine code" } else { "interpreted" };
        let group = &simulation.world().groups[cost.group].name;
        let share = format!("{:.1} %", cost.share * deciding * 100.0);
        Some([slot.script.clone(), group.clone(), runs.to_owned(), format!("{:.0}", cost.nanoseconds), share])
    });
    let rows: Vec<_> = std::iter::once(head).chain(rows).collect();
    let width = |at: usize| rows.iter().map(|row| row[at].width()).max().unwrap_or(0);
    let widths = [0, 1, 2, 3, 4].map(width);
    for row in &rows {
        let cells = row.iter().zip(widths).enumerate().map(|(at, (cell, width))| {
            let space = " ".repeat(width - cell.width());
            // Text is aligned to the left, numbers to the right.
            if at < 3 { format!("{cell}{space}") } else { format!("{space}{cell}") }
        });
        line(cells.collect::<Vec<_>>().join("  "))?;
    }
    Ok(())
}
