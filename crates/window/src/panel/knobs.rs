//! The values of a behavior: a label, a widget that fills the row, and a button that resets to the file's value.

use std::cell::RefCell;

use egui::{
    Align, Checkbox, ComboBox, DragValue, Label, Layout, Response, RichText, Slider, Stroke, Ui, vec2,
};
use steerbox_core::world::ParamValue;
use steerbox_picture::render::theme;
use steerbox_project::reload::{Knob, KnobName, Planned};
use steerbox_script::ParamRange;

use super::about::About;
use super::hint;
use super::icons::{self, Icon};
use super::parts::sentence;
use crate::commands::action::{Action, SessionAction};

/// Widths of the columns, points; the slider fills the remaining width. In a narrow panel, labels
/// shrink to the remaining width.
const LABEL: f32 = 84.0;
const NARROW: f32 = 36.0;
const REST: f32 = 180.0;
const NUMBER: f32 = 58.0;
const NARROW_NUMBER: f32 = 44.0;
const RESET: f32 = 20.0;
/// Minimum width of a slider, points.
const SLIDER: f32 = 20.0;

/// A row for one value. A value without an effect is gray, but can be set in advance.
pub(super) fn row(ui: &mut Ui, planned: &Planned, knob: &Knob, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let [of_label, of_widget] = if knob.idle.is_some() { theme::IDLE } else { [1.0; 2] };
        ui.set_opacity(of_label);
        label(ui, planned, knob);
        ui.set_opacity(of_widget);
        // A slider held between two rounded values returns the same one in each frame.
        let value = widget(ui, planned, knob, actions).filter(|value| *value != knob.value);
        actions.extend(value.map(|value| tuned(planned, knob, value)));
        if knob.tuned {
            reset(ui, planned, knob, actions);
        }
    });
}

/// The action that tunes a value.
pub(super) fn tuned(planned: &Planned, knob: &Knob, value: ParamValue) -> Action {
    SessionAction::Tune(planned.handle.clone(), knob.name.clone(), value).into()
}

fn label(ui: &mut Ui, planned: &Planned, knob: &Knob) {
    let color = if knob.tuned { theme::of(ui).warning } else { theme::of(ui).weak };
    let words = sentence(&knob.name.as_str().to_lowercase().replace('_', " "));
    let height = ui.spacing().interact_size.y;
    let layout = Layout::left_to_right(Align::Center);
    let width = (ui.available_width() - REST).clamp(NARROW, LABEL);
    ui.allocate_ui_with_layout(vec2(width, height), layout, |ui| {
        ui.set_min_width(width);
        let label = ui.add(Label::new(RichText::new(words).color(color)).truncate());
        explain(&label, planned, knob);
    });
}

/// The value, its range, and the value in the file.
fn explain(response: &Response, planned: &Planned, knob: &Knob) {
    hint::beside(response, |ui| {
        ui.label(RichText::new(knob.name.as_str()).monospace().strong());
        if let Some(meaning) = meaning(planned, knob) {
            ui.label(meaning);
        }
        if let Some(idle) = &knob.idle {
            ui.label(RichText::new(idle).color(theme::of(ui).warning));
        }
        if let Some(ends) = ends(knob) {
            hint::weak(ui, ends);
        }
        if let ParamValue::Distribution(drawn) = &knob.value {
            hint::weak(ui, format!("Differs by unit: {drawn}; the slider moves the mean"));
        }
        hint::weak(ui, format!("In the file: {}", knob.file));
    });
}

fn meaning(planned: &Planned, knob: &Knob) -> Option<String> {
    let KnobName::Param(name) = &knob.name else {
        return Some("Weight of this behavior: its result is multiplied by it".to_owned());
    };
    let script = planned.script.as_ref()?;
    let about = About::parse(&script.about);
    let described = about.param(name).map(str::to_owned);
    described.or_else(|| {
        let line = script.param(name)?.line.checked_sub(1)?;
        let (_, comment) = script.text.lines().nth(line)?.split_once("//")?;
        Some(comment.trim().to_owned())
    })
}

/// The limits of the slider.
fn ends(knob: &Knob) -> Option<String> {
    match (&knob.name, &knob.range) {
        (KnobName::Gain, ParamRange::Number(least, most)) => {
            Some(format!("Slider: {least} to {most}; any number can be typed"))
        }
        (_, ParamRange::Number(least, most)) if is_wide(*least, *most) => {
            Some(format!("{least} to {most}, finer at the lower end"))
        }
        (_, ParamRange::Number(least, most)) => Some(format!("{least} to {most}")),
        (_, ParamRange::Integer(least, most)) => Some(format!("{least} to {most}, whole numbers")),
        _ => None,
    }
}

/// True for a wide range, whose slider has a curve: small changes matter at its lower end.
fn is_wide(least: f32, most: f32) -> bool {
    least >= 0.0 && most - least >= 100.0
}

fn reset(ui: &mut Ui, planned: &Planned, knob: &Knob, actions: &mut Vec<Action>) {
    let back = icons::plain(ui, Icon::Reset);
    let words = format!("Tuned: reset to {} from the file", knob.file);
    hint::text(&back, &words);
    if back.clicked() {
        let handle = planned.handle.clone();
        actions.push(SessionAction::ResetValue(handle, knob.name.clone()).into());
    }
}

/// The widget of a value. Returns the value if the user changed it.
fn widget(ui: &mut Ui, planned: &Planned, knob: &Knob, actions: &mut Vec<Action>) -> Option<ParamValue> {
    match (&knob.range, &knob.value) {
        (ParamRange::Number(least, most), value) => {
            let range = Span {
                ends: (f64::from(*least), f64::from(*most)),
                is_whole: false,
                is_open: knob.name == KnobName::Gain,
                is_wide: is_wide(*least, *most),
            };
            let changed = number(ui, planned, knob, (value.mean()?, &range), actions)?;
            Some(ParamValue::Number(changed as f32).replacing(value))
        }
        (ParamRange::Integer(least, most), value) => {
            let range =
                Span { ends: (*least as f64, *most as f64), is_whole: true, is_open: false, is_wide: false };
            let changed = number(ui, planned, knob, (value.mean()?, &range), actions)?;
            Some(ParamValue::Integer(changed as i64).replacing(value))
        }
        (ParamRange::Switch, ParamValue::Switch(on)) => {
            let mut on = *on;
            let changed = ui.checkbox(&mut on, "").changed();
            changed.then_some(ParamValue::Switch(on))
        }
        (ParamRange::Choice(words), ParamValue::Choice(word)) => choice(ui, knob, words, word),
        (ParamRange::Switch, ParamValue::Distribution(drawn)) => {
            let mut on = drawn.mean() >= 0.5;
            let changed = ui.add(Checkbox::new(&mut on, "").indeterminate(true)).changed();
            changed.then_some(ParamValue::Switch(on))
        }
        _ => None,
    }
}

fn choice(ui: &mut Ui, knob: &Knob, words: &[String], word: &str) -> Option<ParamValue> {
    let mut picked = None;
    ComboBox::from_id_salt(knob.name.as_str()).selected_text(word).show_ui(ui, |ui| {
        for other in words {
            if ui.selectable_label(other == word, other).clicked() {
                picked = Some(ParamValue::Choice(other.clone()));
            }
        }
    });
    picked
}

/// The valid numbers of a value.
#[derive(Clone, Copy, Debug)]
struct Span {
    ends: (f64, f64),
    is_whole: bool,
    /// True if the limits apply to the slider only.
    is_open: bool,
    is_wide: bool,
}

/// A slider and, beside it, a field for any valid number. Returns the number if the user changed it.
fn number(
    ui: &mut Ui,
    planned: &Planned,
    knob: &Knob,
    (value, span): (f64, &Span),
    actions: &mut Vec<Action>,
) -> Option<f64> {
    let mut value = value;
    let (least, most) = span.ends;
    let height = ui.spacing().interact_size.y;
    let room = ui.available_width() - RESET - 2.0 * ui.spacing().item_spacing.x;
    let width = (room - SLIDER).clamp(NARROW_NUMBER, NUMBER);
    ui.spacing_mut().slider_width = (room - width).max(SLIDER);
    // The slider works on shares from 0 to 1, so that a mark can be placed exactly at a value.
    let mut share = span.share(value);
    let slider = ui.add(Slider::new(&mut share, 0.0..=1.0).show_value(false).smart_aim(false));
    if slider.changed() {
        value = span.at(share, slider.rect.width());
    }
    if let Some(file) = knob.file.mean() {
        mark(ui, &slider, span.share(file));
    }
    explain(&slider, planned, knob);
    let before = shown(value);
    let refused = RefCell::new(None);
    let bounds = if span.is_open { f64::NEG_INFINITY..=f64::INFINITY } else { least..=most };
    let field = DragValue::new(&mut value)
        .range(bounds)
        .speed(if span.is_whole { 0.1 } else { (most - least) / 400.0 })
        .custom_formatter(|value, _| shown(value))
        .custom_parser(|text| {
            // A value that the user did not change is not rounded.
            let typed = (text != before).then(|| span.typed(knob.name.as_str(), text))?;
            typed.map_err(|why| refused.replace(Some(why))).ok()
        })
        .update_while_editing(false)
        .clip_text(true)
        .min_size(vec2(width, height));
    let field = ui.add_sized(vec2(width, height), field);
    if let Some(why) = refused.take() {
        let script = &planned.handle.script;
        actions.push(SessionAction::Refuse(format!("{script}: {why}")).into());
    }
    (slider.changed() || field.changed()).then_some(value)
}

/// Draws a mark for the file's value below a slider.
fn mark(ui: &Ui, slider: &Response, share: f64) {
    let rect = slider.rect;
    // Half the width of a handle is a fifth of the slider's height.
    let rail = rect.x_range().shrink(rect.height() * 0.2);
    let x = rail.min + rail.span() * share as f32;
    let y = rect.center().y;
    ui.painter().vline(x, y + 4.0..=y + 8.0, Stroke::new(1.5, theme::of(ui).weak));
}

/// Formats a number exactly if that fits into its field, else rounded.
fn shown(value: f64) -> String {
    let exact = (value as f32).to_string();
    let trimmed = |digits: String| digits.trim_end_matches('0').trim_end_matches('.').to_owned();
    match (exact.len(), value.abs()) {
        (0..=7, _) => exact,
        (_, 0.0..1.0) => trimmed(format!("{value:.4}")),
        (_, 1.0..1000.0) => trimmed(format!("{value:.2}")),
        (_, 0.0..1e6) => format!("{value:.0}"),
        _ => format!("{value:.1e}"),
    }
}

impl Span {
    /// The position of a value on the slider, 0 to 1. In a wide range, the lower end is stretched.
    fn share(&self, value: f64) -> f64 {
        let (least, most) = self.ends;
        if least >= most {
            return 0.0;
        }
        let share = ((value - least) / (most - least)).clamp(0.0, 1.0);
        if self.is_wide { share.cbrt() } else { share }
    }

    /// The value at a position of the slider, rounded as far as a slider of `width` points allows.
    fn at(&self, share: f64, width: f32) -> f64 {
        let (least, most) = self.ends;
        if least >= most {
            return least;
        }
        let (along, slope) = if self.is_wide { (share.powi(3), 3.0 * share * share) } else { (share, 1.0) };
        let value = least + along * (most - least);
        let point = (most - least) * slope.max(1e-3) / f64::from(width.max(1.0));
        let unit = if self.is_whole { 1.0 } else { 10.0_f64.powi(point.log10().floor() as i32) };
        // Divided by a power of ten: a tenth itself is not exact.
        let rounded = if unit < 1.0 {
            (value * (1.0 / unit).round()).round() / (1.0 / unit).round()
        } else {
            (value / unit).round() * unit
        };
        rounded.clamp(least, most)
    }

    /// Parses a typed number.
    ///
    /// # Errors
    /// With a message for the user if the parameter does not accept the number.
    fn typed(&self, name: &str, text: &str) -> Result<f64, String> {
        let (least, most) = self.ends;
        let text = text.trim().replace('−', "-");
        // Scripts compute with exact integers and with floats in single precision.
        let whole = text.parse::<i64>().ok().filter(|_| self.is_whole);
        let number: f32 = (text.parse()).map_err(|_| format!("\"{text}\" is not a number"))?;
        let value = whole.map_or_else(|| f64::from(number), |whole| whole as f64);
        if !number.is_finite() {
            Err(format!("{name} takes finite numbers, not {text}"))
        } else if self.is_whole && value.fract() != 0.0 {
            Err(format!("{name} takes whole numbers, not {text}"))
        } else if self.is_open || (value >= least && value <= most) {
            Ok(value)
        } else {
            Err(format!("{name} takes {least} to {most}: {text} is not set"))
        }
    }
}

#[cfg(test)]
mod tests {
    use steerbox_project::reload::Place;
    use steerbox_project::session::{Options, Session};

    use super::*;

    const PARAM: Span = Span { ends: (0.0, 3.0), is_whole: false, is_open: false, is_wide: false };

    #[test]
    fn a_typed_number_is_accepted_unchanged_or_rejected_with_a_reason() {
        let gain = Span { is_open: true, ..PARAM };
        assert_eq!(gain.typed("gain", "99"), Ok(99.0));
        assert_eq!(gain.typed("gain", " −7.5 "), Ok(-7.5));
        assert_eq!(PARAM.typed("RATE", "2.5"), Ok(2.5));
        let refused = |span: Span, text| span.typed("RATE", text).unwrap_err();
        assert_eq!(refused(PARAM, "99"), "RATE takes 0 to 3: 99 is not set");
        assert_eq!(refused(gain, "inf"), "RATE takes finite numbers, not inf");
        assert_eq!(refused(gain, "1e99"), "RATE takes finite numbers, not 1e99");
        assert_eq!(refused(PARAM, "two"), "\"two\" is not a number");
        let whole = Span { is_whole: true, ..PARAM };
        assert_eq!(refused(whole, "1.5"), "RATE takes whole numbers, not 1.5");
        let wide = Span { ends: (0.0, 1e9), ..whole };
        assert_eq!(
            wide.typed("COUNT", "16777217"),
            Ok(16_777_217.0),
            "more digits than single precision has"
        );
    }

    #[test]
    fn a_slider_that_is_held_still_tunes_once() {
        let session: Session = Session::open(Options::new(Place::built_in("flock.ron"))).unwrap();
        let mut planned = session.generation.planned().next().unwrap().clone();
        let (context, mut tuned) = (egui::Context::default(), Vec::new());
        let at = egui::pos2(LABEL + 60.3, 20.0);
        let press = |pressed| egui::Event::PointerButton {
            pos: at,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: egui::Modifiers::NONE,
        };
        let frames =
            [vec![egui::Event::PointerMoved(at)], vec![press(true)], vec![], vec![], vec![press(false)]];
        for events in frames {
            let input = egui::RawInput { events, ..egui::RawInput::default() };
            let mut actions = Vec::new();
            let _ = context.run_ui(input, |ui| {
                ui.set_width(300.0);
                ui.allocate_space(vec2(300.0, 10.0));
                row(ui, &planned, &planned.knobs[0], &mut actions);
            });
            for action in actions {
                let Action::Session(SessionAction::Tune(_, _, value)) = action else { continue };
                planned.knobs[0].value = value.clone();
                tuned.push(value);
            }
        }
        assert_eq!(tuned.len(), 1, "{tuned:?}");
    }

    #[test]
    fn a_value_without_an_effect_is_gray() {
        let session: Session = Session::open(Options::new(Place::built_in("flock.ron"))).unwrap();
        let planned = session.generation.planned().next().unwrap();
        for (name, opacity) in [("REACH", 1.0), ("RATE", theme::IDLE[0])] {
            let knob = planned.knobs.iter().find(|knob| knob.name.as_str() == name).unwrap();
            let context = egui::Context::default();
            let drawn =
                context.run_ui(egui::RawInput::default(), |ui| row(ui, planned, knob, &mut Vec::new()));
            let primitives = context.tessellate(drawn.shapes, 1.0);
            let alphas = primitives.iter().filter_map(|it| match &it.primitive {
                egui::epaint::Primitive::Mesh(mesh) => mesh.vertices.iter().map(|it| it.color.a()).max(),
                egui::epaint::Primitive::Callback(_) => None,
            });
            assert_eq!(alphas.max(), Some((255.0 * opacity).round() as u8), "{name}");
        }
    }

    #[test]
    fn slider_positions_are_round_numbers_and_round_trip() {
        let wide = Span { ends: (0.0, 2000.0), is_wide: true, ..PARAM };
        for (span, value) in [(PARAM, 1.23), (wide, 70.0), (wide, 0.0), (wide, 2000.0)] {
            assert!((span.at(span.share(value), 100.0) - value).abs() < 1e-9, "{value}");
        }
        assert!(wide.share(70.0) > 0.3 && wide.share(70.0) < 0.4);
        assert_eq!(PARAM.at(0.123_456, 100.0), 0.37);
        let whole = Span { ends: (0.0, 7.0), is_whole: true, ..PARAM };
        assert_eq!(whole.at(0.5, 100.0), 4.0);
        let fixed = Span { ends: (5.0, 5.0), ..PARAM };
        assert_eq!((fixed.share(5.0), fixed.at(0.5, 100.0)), (0.0, 5.0));
        // A gain beyond the slider's limit.
        assert_eq!((PARAM.share(99.0), PARAM.share(-99.0)), (1.0, 0.0));
    }

    #[test]
    fn numbers_fit_their_field() {
        let cases = [
            (0.1_f32, "0.1"),
            (70.0, "70"),
            (2000.0, "2000"),
            (0.123_456_7, "0.1235"),
            (123.456_78, "123.46"),
            (-99.5, "-99.5"),
            (3.0e30, "3.0e30"),
        ];
        for (value, text) in cases {
            assert_eq!(shown(f64::from(value)), text);
        }
    }
}
