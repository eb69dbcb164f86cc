//! Colors of a shipped scene differ for readers with protanopia and deuteranopia.
//!
//! Dichromacy: Machado, Oliveira and Fernandes, "A physiologically-based model for simulation of color vision deficiency",
//! IEEE Transactions on Visualization and Computer Graphics 15 (2009), severity 1. Difference: CIEDE2000 (CIE 142).

use std::path::PathBuf;

use palette::color_difference::Ciede2000 as _;
use palette::{IntoColor as _, Lab, LinSrgb, Srgb};
use steerbox_project::reload::read_dir_sorted;
use steerbox_scene::Color;

use crate::common::file;
use crate::stage::load;

/// Minimum difference of two colors.
const DISTINCT: f32 = 10.0;

const DICHROMACY: [(&str, [[f32; 3]; 3]); 2] = [
    (
        "protanopia",
        [
            [0.152_286, 1.052_583, -0.204_868],
            [0.114_503, 0.786_281, 0.099_216],
            [-0.003_882, -0.048_116, 1.051_998],
        ],
    ),
    (
        "deuteranopia",
        [
            [0.367_322, 0.860_646, -0.227_968],
            [0.280_085, 0.672_501, 0.047_413],
            [-0.011_82, 0.042_94, 0.968_881],
        ],
    ),
];

/// Returns a color as a dichromat sees it.
fn seen(color: Color, by: &[[f32; 3]; 3]) -> Lab {
    let linear: LinSrgb<f32> = Srgb::new(color.r, color.g, color.b).into_format::<f32>().into_linear();
    let part = |row: &[f32; 3]| row[0] * linear.red + row[1] * linear.green + row[2] * linear.blue;
    let [red, green, blue] = by.each_ref().map(|row| part(row).clamp(0.0, 1.0));
    LinSrgb::new(red, green, blue).into_color()
}

#[test]
fn colors_of_a_scene_differ_for_color_blind_readers() {
    let files = read_dir_sorted(&file("scenes")).expect("the scenes");
    let stem = |path: &PathBuf| Some(path.file_stem()?.to_str()?.to_owned());
    for name in files.iter().filter_map(stem) {
        let generation = load(&name, &[]);
        let scene = &generation.scene;
        let of_groups = scene.groups.iter().flat_map(|plan| {
            let marks = plan.look.marks.iter().map(|(_, color)| *color);
            plan.look.color.into_iter().chain(marks)
        });
        let mut colors: Vec<_> = of_groups.chain(scene.obstacle_color).filter(|color| color.a > 0).collect();
        colors.sort_by_key(|color| (color.r, color.g, color.b));
        colors.dedup();
        for (reader, matrix) in &DICHROMACY {
            for (at, a) in colors.iter().enumerate() {
                for b in &colors[..at] {
                    let difference = seen(*a, matrix).difference(seen(*b, matrix));
                    assert!(difference >= DISTINCT, "{name}, {reader}: {difference} between {a:?} and {b:?}");
                }
            }
        }
    }
}
