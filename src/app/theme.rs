//! How it all looks: the style of the panel and the colors of the world.

use egui::epaint::text::TextOptions;
use egui::style::{HandleShape, ScrollStyle, Selection, WidgetVisuals, Widgets};
use egui::{
    Color32, CornerRadius, FontFamily, FontId, Margin, Shadow, Stroke, Style, TextStyle, Visuals, vec2,
};

use super::canvas::Color;

/// Colors of the world behind the panel.
pub mod world {
    use super::Color;

    /// Background at the top.
    pub const TOP: Color = Color::rgb(17, 24, 43);
    /// Background at the bottom.
    pub const BOTTOM: Color = Color::rgb(8, 12, 24);
    /// Lines of the grid.
    pub const GRID: Color = Color::rgba(140, 170, 230, 16);
    /// Every fifth line of the grid, and the border of the world.
    pub const GRID_STRONG: Color = Color::rgba(140, 170, 230, 34);
    /// Water of a space at the top.
    pub const WATER_TOP: Color = Color::rgb(38, 112, 132);
    /// Water of a space at the bottom.
    pub const WATER_BOTTOM: Color = Color::rgb(5, 17, 44);
    /// Light that falls into the water, and what hangs in it.
    pub const SUNLIGHT: Color = Color::rgb(196, 240, 240);
    /// Lines on the sphere of a space and on its floor.
    pub const SPHERE: Color = Color::rgb(150, 222, 232);
    /// Shadows on the floor of a space.
    pub const SHADOW: Color = Color::rgb(0, 6, 20);
    /// An obstacle in a space.
    pub const ROCK: Color = Color::rgb(112, 128, 140);
    /// Inside of an obstacle.
    pub const OBSTACLE: Color = Color::rgb(38, 49, 74);
    /// Rim of an obstacle.
    pub const OBSTACLE_RIM: Color = Color::rgb(88, 108, 150);
    /// Rim of an obstacle that was moved by hand.
    pub const MOVED: Color = Color::rgb(255, 193, 94);
    /// The band of a path.
    pub const PATH: Color = Color::rgb(27, 35, 54);
    /// The rim of a path's band.
    pub const PATH_RIM: Color = Color::rgb(46, 58, 86);
    /// The dashes in the middle of a path.
    pub const PATH_DASH: Color = Color::rgba(150, 170, 214, 70);
    /// The thrust of an engine.
    pub const THRUST: Color = Color::rgba(255, 255, 255, 110);
    /// The target that the mouse sets.
    pub const TARGET: Color = Color::rgb(255, 196, 92);
    /// What is selected, and the views of selected units.
    pub const SELECTION: Color = Color::rgb(120, 220, 255);
    /// The sum of all that a unit's behaviors ask for.
    pub const RESULTANT: Color = Color::rgb(255, 255, 255);
    /// Rings and numbers of pinned units.
    pub const PINNED: Color = Color::rgb(255, 154, 196);
    /// What scripts draw and write, unless they say otherwise.
    pub const NOTE: Color = Color::rgb(198, 208, 228);
}

/// The one color that marks what can be acted on.
pub const ACCENT: Color32 = Color32::from_rgb(82, 168, 255);
/// Something went live.
pub const GOOD: Color32 = Color32::from_rgb(110, 214, 146);
/// Something needs a look.
pub const WARNING: Color32 = Color32::from_rgb(255, 193, 94);
/// Something was rejected or failed.
pub const BAD: Color32 = Color32::from_rgb(255, 113, 113);
/// Text that may be overlooked.
pub const WEAK: Color32 = Color32::from_rgb(128, 142, 170);

const PANEL: Color32 = Color32::from_rgb(24, 30, 46);
const RAISED: Color32 = Color32::from_rgb(40, 49, 72);
const HOVERED: Color32 = Color32::from_rgb(51, 63, 92);
const PRESSED: Color32 = Color32::from_rgb(62, 78, 114);
const SUNK: Color32 = Color32::from_rgb(15, 20, 32);
const LINE: Color32 = Color32::from_rgb(43, 52, 75);
const TEXT: Color32 = Color32::from_rgb(203, 212, 230);
const BRIGHT: Color32 = Color32::from_rgb(240, 244, 252);

/// Gives `context` the look of the application.
pub fn apply(context: &egui::Context) {
    context.set_theme(egui::Theme::Dark);
    context.set_style_of(egui::Theme::Dark, style());
}

/// The style of the panel: calm, dark, compact.
pub fn style() -> Style {
    let mut style = Style { visuals: visuals(), animation_time: 0.08, ..Style::default() };
    let proportional = |size| FontId::new(size, FontFamily::Proportional);
    style.text_styles = [
        (TextStyle::Heading, proportional(16.0)),
        (TextStyle::Body, proportional(13.5)),
        (TextStyle::Button, proportional(13.5)),
        (TextStyle::Small, proportional(11.5)),
        (TextStyle::Monospace, FontId::new(12.5, FontFamily::Monospace)),
    ]
    .into();
    let spacing = &mut style.spacing;
    spacing.item_spacing = vec2(8.0, 5.0);
    spacing.button_padding = vec2(9.0, 3.0);
    spacing.interact_size = vec2(44.0, 21.0);
    spacing.window_margin = Margin::same(10);
    spacing.menu_margin = Margin::same(6);
    spacing.indent = 14.0;
    spacing.slider_width = 130.0;
    spacing.slider_rail_height = 4.0;
    spacing.icon_width = 15.0;
    spacing.icon_width_inner = 9.0;
    // It has room of its own: nothing lies below it.
    spacing.scroll = ScrollStyle {
        bar_width: 7.0,
        floating_width: 5.0,
        floating_allocated_width: 10.0,
        ..ScrollStyle::thin()
    };
    spacing.tooltip_width = 380.0;
    style.interaction.selectable_labels = false;
    style
}

fn visuals() -> Visuals {
    Visuals {
        // Whole-pixel glyph positions: crisp at scale 1.
        text_options: TextOptions { subpixel_binning: false, ..Visuals::dark().text_options },
        weak_text_color: Some(WEAK),
        widgets: widgets(),
        selection: Selection { bg_fill: Color32::from_rgb(44, 96, 158), stroke: Stroke::new(1.0, BRIGHT) },
        hyperlink_color: ACCENT,
        faint_bg_color: Color32::from_rgb(28, 35, 53),
        extreme_bg_color: SUNK,
        code_bg_color: SUNK,
        warn_fg_color: WARNING,
        error_fg_color: BAD,
        window_corner_radius: CornerRadius::same(8),
        window_fill: PANEL,
        window_stroke: Stroke::new(1.0, LINE),
        window_shadow: shadow(16),
        menu_corner_radius: CornerRadius::same(6),
        popup_shadow: shadow(10),
        panel_fill: PANEL,
        indent_has_left_vline: false,
        slider_trailing_fill: true,
        handle_shape: HandleShape::Rect { aspect_ratio: 0.5 },
        ..Visuals::dark()
    }
}

fn shadow(blur: u8) -> Shadow {
    Shadow { offset: [0, 4], blur, spread: 0, color: Color32::from_black_alpha(90) }
}

fn widgets() -> Widgets {
    let widget = |fill: Color32, text: Color32, line: Color32| WidgetVisuals {
        bg_fill: fill,
        weak_bg_fill: fill,
        bg_stroke: Stroke::new(1.0, line),
        corner_radius: CornerRadius::same(5),
        fg_stroke: Stroke::new(1.0, text),
        expansion: 0.0,
    };
    Widgets {
        noninteractive: widget(PANEL, TEXT, LINE),
        inactive: widget(RAISED, TEXT, Color32::TRANSPARENT),
        hovered: widget(HOVERED, BRIGHT, Color32::TRANSPARENT),
        active: widget(PRESSED, BRIGHT, ACCENT),
        open: widget(RAISED, BRIGHT, Color32::TRANSPARENT),
    }
}
