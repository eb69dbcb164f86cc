//! Colors of a page as CSS variables: the window's colors in both themes, and the scene's.

use std::fmt::Write as _;

use egui::Color32;
use steerbox_scene::Scene;

use crate::render::canvas::Color;
use crate::render::theme::{DARK, PAPER, SceneColors, Theme, WorldColors};

use super::groups::Groups;

/// Returns the rules of both themes: that of the reader's system, unless the page's button chose another.
pub(super) fn rules(groups: &Groups, scene: &Scene) -> String {
    let [dark, light] = [&DARK, &PAPER].map(|theme| variables(groups, scene, theme));
    format!(
        ":root {{ color-scheme: dark;\n{dark}}}\n:root[data-theme=light] {{ color-scheme: light;\n{light}}}\n\
         @media (prefers-color-scheme: light) {{ :root:not([data-theme=dark]) {{ color-scheme: light;\n{light}}} }}\n"
    )
}

fn variables(groups: &Groups, scene: &Scene, theme: &'static Theme) -> String {
    let mut css = String::new();
    let mut variable = |name: &str, Color { r, g, b, a }: Color| {
        let _ = writeln!(css, "--{name}: rgb({r} {g} {b} / {});", f32::from(a) / 255.0);
    };
    let colors = SceneColors::new(scene, theme);
    let world = &colors.world;
    for (name, pair) in [
        ("ground", world.ground),
        ("grid", world.grid),
        ("water", world.water),
        ("shade", world.shade),
        ("obstacle", obstacle(scene, world)),
        ("zone", world.zone),
    ] {
        pair.into_iter().enumerate().for_each(|(at, color)| variable(&format!("{name}-{at}"), color));
    }
    for (at, color) in world.path.into_iter().enumerate() {
        variable(&format!("path-{at}"), color);
    }
    for (at, color) in world.grids.into_iter().enumerate() {
        let own = scene.grid_colors.get(at).copied().flatten();
        variable(&format!("cell-{at}"), own.map_or(color, |[_, greatest]| greatest));
    }
    for (at, color) in world.scale.into_iter().enumerate() {
        variable(&format!("scale-{at}"), color);
    }
    for (name, color) in [
        ("sphere", world.sphere),
        ("shadow", world.shadow),
        ("rock", scene.obstacle_color.unwrap_or(world.rock)),
        ("border", world.border),
        ("outline", world.outline),
        ("selection", world.selection),
    ] {
        variable(name, color);
    }
    for (name, color) in [
        ("accent", theme.accent),
        ("good", theme.good),
        ("warning", theme.warning),
        ("weak", theme.weak),
        ("text", theme.text),
        ("bright", theme.bright),
        ("panel", theme.panel),
        ("card", theme.card),
        ("widget", theme.widget[0]),
        ("widget-hover", theme.widget[1]),
        ("sunk", theme.sunk),
        ("line", theme.line),
    ] {
        variable(name, opaque(color));
    }
    for (index, plan) in scene.groups.iter().enumerate() {
        let Some(place) = groups.place(&plan.common.name) else { continue };
        let color = colors.group(index);
        variable(&format!("group-{place}"), color);
        variable(&format!("text-{place}"), opaque(theme.legible(color)));
        for mark in 0..plan.look.marks.len() {
            variable(&format!("mark-{place}-{mark}"), colors.mark(index, mark));
        }
    }
    css
}

fn opaque(color: Color32) -> Color {
    let [r, g, b, _] = color.to_array();
    Color { r, g, b, a: u8::MAX }
}

/// Inside and rim of obstacles in a plane.
fn obstacle(scene: &Scene, world: &WorldColors) -> [Color; 2] {
    let own = |color: Color| [color.mix(world.ground[1], 0.55), color];
    scene.obstacle_color.map_or(world.obstacle, own)
}
