//! The style of widgets in a theme.

use egui::epaint::text::TextOptions;
use egui::style::{HandleShape, ScrollStyle, Selection, WidgetVisuals, Widgets};
use egui::{
    Color32, CornerRadius, FontFamily, FontId, Margin, Shadow, Stroke, Style, TextStyle, Visuals, vec2,
};

use super::colors::{Theme, ThemeName};

/// Opacity of disabled controls: lower than that of others, and still legible.
pub(super) const DISABLED: f32 = 0.62;

/// The style of the panel: compact, with little contrast.
pub(super) fn style(theme: &Theme) -> Style {
    let mut style = Style { visuals: visuals(theme), animation_time: 0.08, ..Style::default() };
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
    spacing.item_spacing = vec2(8.0, 4.0);
    spacing.button_padding = vec2(9.0, 3.0);
    spacing.interact_size = vec2(44.0, 24.0);
    spacing.window_margin = Margin::same(10);
    spacing.menu_margin = Margin::same(6);
    spacing.indent = 14.0;
    spacing.slider_width = 130.0;
    spacing.slider_rail_height = 4.0;
    spacing.icon_width = 15.0;
    spacing.icon_width_inner = 9.0;
    // The scroll bar has its own space: it covers nothing.
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

fn visuals(theme: &Theme) -> Visuals {
    let base = match theme.name {
        ThemeName::Dark => Visuals::dark(),
        ThemeName::Paper => Visuals::light(),
    };
    Visuals {
        // Glyphs at whole pixels: crisp at scale 1.
        text_options: TextOptions { subpixel_binning: false, ..base.text_options },
        weak_text_color: Some(theme.weak),
        disabled_alpha: DISABLED,
        widgets: widgets(theme),
        selection: Selection { bg_fill: theme.selected, stroke: Stroke::new(1.0, theme.bright) },
        hyperlink_color: theme.accent,
        faint_bg_color: theme.faint,
        extreme_bg_color: theme.sunk,
        code_bg_color: theme.sunk,
        warn_fg_color: theme.warning,
        error_fg_color: theme.bad,
        window_corner_radius: CornerRadius::same(8),
        window_fill: theme.panel,
        window_stroke: Stroke::new(1.0, theme.line),
        window_shadow: shadow(theme, 16),
        menu_corner_radius: CornerRadius::same(6),
        popup_shadow: shadow(theme, 10),
        panel_fill: theme.panel,
        indent_has_left_vline: false,
        slider_trailing_fill: true,
        handle_shape: HandleShape::Rect { aspect_ratio: 0.5 },
        ..base
    }
}

fn shadow(theme: &Theme, blur: u8) -> Shadow {
    Shadow { offset: [0, 4], blur, spread: 0, color: theme.shadow }
}

fn widgets(theme: &Theme) -> Widgets {
    let widget = |fill: Color32, text: Color32, line: Color32| WidgetVisuals {
        bg_fill: fill,
        weak_bg_fill: fill,
        bg_stroke: Stroke::new(1.0, line),
        corner_radius: CornerRadius::same(5),
        fg_stroke: Stroke::new(1.0, text),
        expansion: 0.0,
    };
    let ([rest, hovered, pressed], none) = (theme.widget, Color32::TRANSPARENT);
    Widgets {
        noninteractive: widget(theme.panel, theme.text, theme.line),
        inactive: widget(rest, theme.text, none),
        hovered: widget(hovered, theme.bright, none),
        active: widget(pressed, theme.bright, theme.accent),
        open: widget(rest, theme.bright, none),
    }
}
