//! Verifies that all variants compute the same; otherwise their times are not comparable.

use anyhow::{Result, ensure};
use glam::Vec3;
use steerbox_core::world::World;

use crate::form::{FORMS, Form};
use crate::measure::{self, pool};
use crate::peers::PEERS;
use crate::variant::{Kind, Variant};
use crate::workload::RADIUS;

const UNITS: usize = 2_000;
const STEPS: u32 = 20;
const KINDS: [Kind; 4] = [Kind::Native, Kind::Interpreted, Kind::Rust, Kind::Limit];
/// Maximum and mean distance between variants. Rounding sometimes decides whether a unit at the radius is seen, which
/// moves few units.
const MOST: f32 = RADIUS * 1e-2;
const MEAN: f32 = RADIUS * 1e-5;

/// Fails unless all variants move every unit to the same position.
pub(crate) fn check() -> Result<()> {
    let world = measure::warm(UNITS)?;
    let expected = ends(Kind::Rust, Form::Means, &world)?;
    let travelled = differences(&world, &world.units.position, &expected);
    println!(
        "{UNITS} units, {STEPS} steps; mean distance traveled {:.1}. Distances from the positions under Rust over \
         means:\n",
        mean(&travelled)
    );
    println!("| variant | form | mean | largest |");
    println!("|---|---|--:|--:|");
    for form in FORMS {
        for kind in KINDS.into_iter().chain(PEERS.map(Kind::Peer)) {
            let found = ends(kind, form, &world)?;
            let away = differences(&world, &expected, &found);
            let most = away.iter().copied().fold(0.0, f32::max);
            let (name, form) = (kind.name(), form.name());
            println!("| {name} | {form} | {:.7} | {most:.5} |", mean(&away));
            ensure!(
                most <= MOST && mean(&away) <= MEAN,
                "{name}, {form}, does something else than Rust over means"
            );
        }
    }
    println!();
    Ok(())
}

fn ends(kind: Kind, form: Form, world: &World) -> Result<Vec<Vec3>> {
    let mut variant = Variant::new(kind, form, world)?;
    pool(1)?.install(|| variant.run(STEPS));
    variant.ensure_sound()?;
    Ok(variant.positions())
}

/// Distances between two positions of every unit.
fn differences(world: &World, from: &[Vec3], to: &[Vec3]) -> Vec<f32> {
    let pairs = from.iter().zip(to);
    pairs.map(|(from, to)| world.arena.shortest(*to - *from).length()).collect()
}

fn mean(values: &[f32]) -> f32 {
    values.iter().sum::<f32>() / values.len() as f32
}
