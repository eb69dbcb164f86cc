//! Environment grids.

use glam::Vec3;
use steerbox_core::world::ScalarGrid;

use super::function::Table;
use super::host::Host;
use super::values::{Grid, Me, Text};
use super::{names, work};

#[rustfmt::skip]
pub(super) fn add(table: &mut Table) {
    table.add("grid.value(point)", "the value at a point, interpolated between the centers of cells; outside of a grid without connected edges, that of the nearest point at its border", |host: &Host<'_>, grid: Grid, point: Vec3| read(host, grid).value(point)).work(15);
    table.add("grid.gradient(point)", "the change of the value per unit of length, a vector toward higher values: central differences between points one cell apart from this one", |host: &Host<'_>, grid: Grid, point: Vec3| read(host, grid).gradient(point)).work(60);
}

fn read<'a>(host: &'a Host<'_>, grid: Grid) -> &'a ScalarGrid {
    &host.world().grids[grid.0]
}

/// Returns the grid of the scene with a name.
pub(super) fn find(host: &mut Host<'_>, name: Text) -> Result<Grid, String> {
    work::look_up(host.context, |world| world.grids.len());
    let names = host.world().grids.iter().map(|grid| grid.name.as_str());
    names::find("grid", host.text(name), names).map(Grid)
}

/// Fails if there is no such grid, or if the amount is negative, infinite or NaN.
pub(super) fn take(host: &mut Host<'_>, _: Me, name: Text, amount: f32) -> Result<f32, String> {
    let grid = find(host, name)?;
    if !(amount >= 0.0 && amount.is_finite()) {
        let name = host.text(name);
        return Err(format!(
            "the amount taken from \"{name}\" cannot be {amount}: it has to be finite and not negative"
        ));
    }
    Ok(host.context.take(grid.0, amount))
}

/// Fails if there is no such grid, or if the amount is infinite or NaN.
pub(super) fn deposit(host: &mut Host<'_>, _: Me, name: Text, amount: f32) -> Result<(), String> {
    let grid = find(host, name)?;
    if !amount.is_finite() {
        let name = host.text(name);
        return Err(format!("the deposit on \"{name}\" cannot be {amount}: it has to be finite"));
    }
    host.context.deposit(grid.0, amount);
    Ok(())
}
