//! Colors of a scene in a theme: the colors of groups and marks from its file, and distinct colors for behaviors and
//! groups without one, distinguishable also with red-green color blindness.

use std::sync::Arc;

use steerbox_scene::{Scene, SceneLook};

use super::colors::{Theme, ThemeName, WorldColors, contrast, linear, readable};
use super::dark::DARK;
use super::paper::PAPER;
use crate::render::canvas::Color;

/// The candidates, in the order of preference among equals: the colors of M. Okabe and K. Ito,
/// "Color universal design", 2008, and the schemes "muted" and "bright" of P. Tol, "Colour schemes", 2021.
const CHOICE: [u32; 23] = [
    0x0056_b4e9,
    0x00e6_9f00,
    0x0000_9e73,
    0x00cc_79a7,
    0x00f0_e442,
    0x00d5_5e00,
    0x0000_72b2,
    0x00bb_bbbb,
    0x0033_2288,
    0x0088_ccee,
    0x0044_aa99,
    0x0011_7733,
    0x0099_9933,
    0x00dd_cc77,
    0x00cc_6677,
    0x0088_2255,
    0x00aa_4499,
    0x0044_77aa,
    0x00ee_6677,
    0x0022_8833,
    0x00cc_bb44,
    0x0066_ccee,
    0x00aa_3377,
];
/// Minimum contrast to the background of assigned colors, and of colors from a scene.
const ASSIGNED_CONTRAST: f32 = 2.2;
const SCENE_CONTRAST: f32 = 1.35;
/// Minimum contrast of text and marks to a background of a scene.
const TEXT_CONTRAST: f32 = 4.5;
/// Minimum distance of a group's color, and of a behavior's, to the assigned ones, where possible.
const GROUP_DISTANCE: f32 = 0.12;
const BEHAVIOR_DISTANCE: f32 = f32::INFINITY;
/// Minimum distance of a behavior's color from those of a changed scene.
const PRESERVED_DISTANCE: f32 = 0.06;
/// The color once all candidates are assigned: it is visible on every background.
const GRAY: Color = Color::rgb(128, 128, 128);

/// The colors of one scene in one theme.
#[derive(Clone, Debug)]
pub struct SceneColors {
    /// The theme that suits the background.
    pub theme: &'static Theme,
    /// The colors of the world: those of this theme, over the background of the scene.
    pub world: WorldColors,
    /// The theme of the window or of the recording.
    chosen: ThemeName,
    /// The scene of the last update.
    scene: Option<Arc<Scene>>,
    groups: Vec<Color>,
    marks: Vec<Vec<Color>>,
    rules: Vec<Color>,
}

impl Default for SceneColors {
    /// The colors before any scene is known.
    fn default() -> Self {
        Self::new(&Scene::empty(""), &DARK)
    }
}

impl SceneColors {
    /// The colors of a scene.
    pub fn new(scene: &Scene, theme: &'static Theme) -> Self {
        Self::with_rules(scene, theme, &[])
    }

    /// The colors of a scene whose first behaviors have colors already. Those too close to colors of the scene are replaced.
    fn with_rules(scene: &Scene, theme: &'static Theme, known: &[Color]) -> Self {
        let chosen = theme.name;
        let (theme, world) = over(scene.look, theme);
        let [top, bottom] = world.ground;
        let ground = if scene.look.background.is_some() { top.mix(bottom, 0.5) } else { top };
        let seen = |color: Color| readable(color, ground, SCENE_CONTRAST);
        let looks = || scene.groups.iter().map(|group| &group.look);
        let marks: Vec<Vec<_>> =
            looks().map(|look| look.marks.iter().map(|(_, color)| seen(*color)).collect()).collect();
        let mut assigned: Vec<_> = looks().filter_map(|look| look.color).map(seen).collect();
        assigned.extend(marks.iter().flatten());
        let mut palette = Palette::new(ground, &assigned);
        let rules = scene.groups.iter().map(|group| group.behaviors.len()).max().unwrap_or(0);
        let known: Vec<_> = known.iter().take(rules).map(|color| palette.assign(*color)).collect();
        let groups =
            looks().map(|look| look.color.map_or_else(|| palette.take(GROUP_DISTANCE), seen)).collect();
        let known = known.into_iter().chain(std::iter::repeat(None)).take(rules);
        let rules = known.map(|color| color.unwrap_or_else(|| palette.take(BEHAVIOR_DISTANCE))).collect();
        Self { theme, world, chosen, scene: None, groups, marks, rules }
    }

    /// Updates the colors to the running scene and the shown theme. A changed scene preserves the colors of behaviors.
    pub fn update(&mut self, scene: &Arc<Scene>, theme: &'static Theme) {
        let known = self.scene.as_ref().filter(|_| theme.name == self.chosen);
        if !known.is_some_and(|known| Arc::ptr_eq(scene, known)) {
            let is_same = known.is_some_and(|known| known.path == scene.path);
            let rules = if is_same { std::mem::take(&mut self.rules) } else { Vec::new() };
            *self = Self { scene: Some(Arc::clone(scene)), ..Self::with_rules(scene, theme, &rules) };
        }
    }

    /// The color of a group, by its index.
    pub fn group(&self, index: usize) -> Color {
        self.groups.get(index).copied().unwrap_or(self.world.note)
    }

    /// The color of a mark, by its index in the look of a group.
    pub fn mark(&self, group: usize, place: usize) -> Color {
        let color = self.marks.get(group).and_then(|marks| marks.get(place));
        color.copied().unwrap_or(self.world.note)
    }

    /// The color of a behavior, by its index in its group.
    pub fn rule(&self, place: usize) -> Color {
        self.rules.get(place).copied().unwrap_or(self.world.note)
    }
}

/// Returns the theme and the colors for a look: over a background of its own, those of the theme that contrasts with it,
/// adjusted where text and marks would be hard to see.
fn over(look: SceneLook, theme: &'static Theme) -> (&'static Theme, WorldColors) {
    let mut world = theme.world.clone();
    let Some(ground) = look.background else {
        if !look.water {
            world.water = world.ground;
        }
        return (theme, world);
    };
    let least = |theme: &Theme| {
        ground.map(|ground| contrast(theme.world.note, ground)).into_iter().fold(f32::INFINITY, f32::min)
    };
    let theme = if least(&DARK) >= least(&PAPER) { &DARK } else { &PAPER };
    world = WorldColors { ground, water: ground, ..theme.world.clone() };
    let [top, bottom] = ground.map(|ground| contrast(theme.world.note, ground));
    let hardest = ground[usize::from(bottom < top)];
    for mark in
        [&mut world.note, &mut world.target, &mut world.selection, &mut world.resultant, &mut world.pinned]
    {
        *mark = readable(*mark, hardest, TEXT_CONTRAST);
    }
    (theme, world)
}

/// The candidates that are not assigned.
struct Palette {
    left: Vec<(Color, Perceived)>,
    assigned: Vec<Perceived>,
}

impl Palette {
    fn new(ground: Color, assigned: &[Color]) -> Self {
        let choice = CHOICE.map(|packed| {
            let [_, r, g, b] = packed.to_be_bytes();
            Color::rgb(r, g, b)
        });
        let left = choice.into_iter().filter(|color| contrast(*color, ground) >= ASSIGNED_CONTRAST);
        Self {
            left: left.map(|color| (color, Perceived::new(color))).collect(),
            assigned: assigned.iter().map(|color| Perceived::new(*color)).collect(),
        }
    }

    /// The distance to the nearest assigned color.
    fn apart(&self, seen: &Perceived) -> f32 {
        let distances = self.assigned.iter().map(|assigned| assigned.distance(seen));
        distances.fold(f32::INFINITY, f32::min)
    }

    /// Assigns a color if it is far enough from all assigned ones.
    fn assign(&mut self, color: Color) -> Option<Color> {
        let seen = Perceived::new(color);
        let is_apart = self.apart(&seen) >= PRESERVED_DISTANCE;
        is_apart.then(|| {
            self.assigned.push(seen);
            self.left.retain(|(left, _)| *left != color);
            color
        })
    }

    /// The first color at least this far from all assigned ones, or else the farthest.
    /// Once all candidates are assigned, gray.
    fn take(&mut self, least: f32) -> Color {
        let distances: Vec<_> = self.left.iter().map(|(_, seen)| self.apart(seen)).collect();
        let clear = distances.iter().position(|distance| *distance >= least);
        let farthest = || (0..distances.len()).max_by(|a, b| distances[*a].total_cmp(&distances[*b]));
        let Some(at) = clear.or_else(farthest) else {
            return GRAY;
        };
        let (color, seen) = self.left.remove(at);
        self.assigned.push(seen);
        color
    }
}

/// A color as perceived by three types of vision: normal, without receptors for red, without those for green.
#[derive(Clone, Copy, Debug)]
struct Perceived([[f32; 3]; 3]);

impl Perceived {
    /// Simulated after F. Viénot, H. Brettel and J. Mollon, 1999.
    fn new(color: Color) -> Self {
        let [r, g, b] = [color.r, color.g, color.b].map(linear);
        let without_red = 0.112_38 * r + 0.887_62 * g;
        let without_green = 0.292_75 * r + 0.707_25 * g;
        Self([
            oklab([r, g, b]),
            oklab([without_red, without_red, 0.004_01 * (r - g) + b]),
            oklab([without_green, without_green, 0.022_34 * (g - r) + b]),
        ])
    }

    /// The distance of two colors for the type of vision that distinguishes them least.
    fn distance(&self, other: &Self) -> f32 {
        let apart = |(a, b): (&[f32; 3], &[f32; 3])| {
            let squares = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b));
            squares.sum::<f32>().sqrt()
        };
        self.0.iter().zip(&other.0).map(apart).fold(f32::INFINITY, f32::min)
    }
}

/// A color in linear light in the space `OKLab` of B. Ottosson, 2020, where distances match perceived differences.
fn oklab([r, g, b]: [f32; 3]) -> [f32; 3] {
    let l = libm::cbrtf(0.412_221_46 * r + 0.536_332_55 * g + 0.051_445_995 * b);
    let m = libm::cbrtf(0.211_903_5 * r + 0.680_699_5 * g + 0.107_396_96 * b);
    let s = libm::cbrtf(0.088_302_46 * r + 0.281_718_85 * g + 0.629_978_7 * b);
    [
        0.210_454_26 * l + 0.793_617_8 * m - 0.004_072_047 * s,
        1.977_998_5 * l - 2.428_592_2 * m + 0.450_593_7 * s,
        0.025_904_037 * l + 0.782_771_77 * m - 0.808_675_77 * s,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::theme::PAPER;
    use steerbox_scene as scene;

    fn colors(groups: &str, theme: &'static Theme) -> SceneColors {
        let text =
            format!("(world: Plane(size: (100, 100)), bodies: {{\"m\": Mover()}}, groups: [{groups}])");
        SceneColors::new(&scene::read("a.ron", &text).unwrap(), theme)
    }

    #[test]
    fn groups_have_the_colors_of_the_file_and_others_avoid_them() {
        let groups = "(name: \"a\", body: \"m\", look: (color: \"#56b4e9\", marks: {\"led\": \"#e69f00\"})),
            (name: \"b\", body: \"m\", behaviors: [(script: \"x\"), (script: \"y\")]), (name: \"c\", body: \"m\")";
        for theme in [&DARK, &PAPER] {
            let colors = colors(groups, theme);
            assert_eq!(colors.group(0), Color::rgb(0x56, 0xb4, 0xe9));
            assert_eq!(colors.mark(0, 0), Color::rgb(0xe6, 0x9f, 0));
            let all = [
                colors.group(0),
                colors.mark(0, 0),
                colors.group(1),
                colors.group(2),
                colors.rule(0),
                colors.rule(1),
            ];
            let all = all.map(Perceived::new);
            for (at, one) in all.iter().enumerate() {
                for other in &all[at + 1..] {
                    assert!(one.distance(other) >= 0.08, "{:?}: {one:?} {other:?}", theme.name);
                }
            }
        }
    }

    #[test]
    fn behaviors_preserve_their_colors_when_the_scene_changes() {
        let scene = |groups: &str| {
            let text =
                format!("(world: Plane(size: (9, 9)), bodies: {{\"m\": Mover()}}, groups: [{groups}])");
            Arc::new(scene::read("a.ron", &text).unwrap())
        };
        let before =
            "(name: \"a\", body: \"m\", behaviors: [(script: \"x\"), (script: \"y\"), (script: \"z\")])";
        let mut colors = SceneColors::default();
        colors.update(&scene(before), &DARK);
        let rules = colors.rules.clone();
        let added = |color: &str| format!("{before}, (name: \"b\", body: \"m\", look: (color: \"{color}\"))");
        colors.update(&scene(&added("red")), &DARK);
        assert_eq!(colors.rules, rules);
        // A group has the color of a rule, which changes alone.
        let Color { r, g, b, .. } = rules[1];
        colors.update(&scene(&added(&format!("#{r:02x}{g:02x}{b:02x}"))), &DARK);
        assert_eq!((colors.rules[0], colors.rules[2]), (rules[0], rules[2]));
        assert!(Perceived::new(colors.rules[1]).distance(&Perceived::new(rules[1])) > 0.06);
    }

    #[test]
    fn invisible_colors_are_adjusted_and_surplus_groups_are_gray() {
        let white = "(name: \"a\", body: \"m\", look: (color: \"white\"))";
        assert_eq!(colors(white, &DARK).group(0), Color::WHITE);
        assert!(contrast(colors(white, &PAPER).group(0), PAPER.world.ground[0]) >= SCENE_CONTRAST);
        let many: Vec<_> = (0..60).map(|index| format!("(name: \"g{index}\", body: \"m\")")).collect();
        let colors = colors(&many.join(","), &DARK);
        assert_eq!(colors.group(59), GRAY);
        assert_eq!((colors.group(60), colors.rule(0)), (DARK.world.note, DARK.world.note));
    }

    #[test]
    fn text_and_marks_are_legible_over_every_background() {
        for theme in [&DARK, &PAPER] {
            for background in ["black", "white", "#777777", "navy", "gold", "#f4a261", "skyblue", "#b3001b"] {
                let look = scene::read(
                    "a.ron",
                    &format!(
                        "(world: Plane(size: (9, 9)), bodies: {{\"m\": Mover()}}, groups: [(name: \"a\", body: \"m\")],
                        look: (background: \"{background}\"))"
                    ),
                );
                let colors = SceneColors::new(&look.unwrap(), theme);
                let world = &colors.world;
                assert_eq!(world.water, world.ground);
                for mark in [world.note, world.target, world.selection, world.resultant, world.pinned] {
                    assert!(contrast(mark, world.ground[0]) >= 4.5, "{background}: {mark:?}");
                }
                assert!(contrast(colors.group(0), world.ground[0]) >= ASSIGNED_CONTRAST, "{background}");
            }
        }
    }

    #[test]
    fn in_shipped_scenes_behaviors_and_groups_are_distinct_for_every_type_of_vision() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
        for path in steerbox_project::reload::read_dir_sorted(&folder).unwrap() {
            if path.extension().is_none_or(|extension| extension != "ron") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let scene = scene::read("a.ron", &text).unwrap();
            for theme in [&DARK, &PAPER] {
                let colors = SceneColors::new(&scene, theme);
                for rule in &colors.rules {
                    for group in &colors.groups {
                        let apart = Perceived::new(*rule).distance(&Perceived::new(*group));
                        let name = path.display();
                        assert!(apart >= 0.06, "{name} {:?}: {rule:?} {group:?}: {apart}", theme.name);
                    }
                }
            }
        }
    }
}
