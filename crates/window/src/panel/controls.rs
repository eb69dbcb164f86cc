//! The head of the panel: the scene, its files, and what applies to the whole window.

use std::path::Path;

use egui::{Align, Button, Id, Key, Label, Layout, Rect, RichText, TextEdit, TextStyle, Ui, vec2};
use steerbox_picture::render::theme;

use super::dialog::focus;
use super::icons::Icon;
use super::parts::{HEIGHT, Kit};
use super::{coloring, compare, filming, grip, tuned};
use crate::commands::action::{SessionAction, ViewAction};
use crate::commands::keys;
use crate::model::dialog::Dialog;
use crate::model::panes::Pane;
use crate::model::switch::Switch;

/// Width of the head if the rest of the panel is beside it, points.
pub(super) const WIDTH: f32 = 330.0;
/// Offset of the second copy of the title, which makes it semibold, points.
const BOLD: f32 = 0.4;

pub(super) fn show(ui: &mut Ui, kit: &mut Kit<'_>) {
    let grip = title(ui, kit);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let scenes = ViewAction::ToggleDialog(Dialog::Scenes);
        kit.button(ui, "Scenes", "Open another scene (Ctrl+O)", scenes);
        kit.button(ui, "Plots", "Figures of the groups over time (G)", ViewAction::Toggle(Switch::Plots));
        compare::menu(ui, kit.session, kit.actions);
        filming::menu(ui, kit.session, kit.view, kit.actions);
        kit.icon(ui, Icon::Theme, "Switch between dark and light (N)", ViewAction::ToggleTheme);
        let help = ViewAction::ToggleDialog(Dialog::Help);
        kit.icon(ui, Icon::Keys, "Keys and mouse (H); all commands: Ctrl+K", help);
    });
    grip::grip_at(ui, grip, Pane::Controls, kit.view, kit.actions);
    tuned::show(ui, kit);
    switches(ui, kit);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        find(ui, kit);
        coloring::choice(ui, kit.session, kit.view, kit.actions);
        kit.icon(ui, Icon::Fit, "Fit the world in the window (F)", ViewAction::Fit);
    });
}

/// The scene's title and the folder of its project, each in one line. Returns the space of the grip, which follows the
/// buttons in the order of Tab.
fn title(ui: &mut Ui, kit: &Kit<'_>) -> Rect {
    let theme = theme::of(ui);
    let row = vec2(ui.available_width(), HEIGHT);
    let grip = ui.allocate_ui_with_layout(row, Layout::right_to_left(Align::Center), |ui| {
        let grip = grip::grip_space(ui);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let title = RichText::new(&kit.session.run.generation.scene.title).heading().color(theme.bright);
            let (place, galley, response) = Label::new(title).truncate().layout_in_ui(ui);
            for offset in [0.0, BOLD] {
                ui.painter().galley(place + vec2(offset, 0.0), galley.clone(), theme.bright);
            }
            if galley.elided {
                response.on_hover_text(galley.text());
            }
        });
        grip
    });
    let folder = kit.session.folder().map(Path::display);
    let words = folder.map_or_else(|| "Built-in scene".to_owned(), |folder| folder.to_string());
    let words = RichText::new(words).text_style(TextStyle::Small).color(theme.weak);
    ui.add(Label::new(words).truncate());
    grip.inner
}

/// A field for the number of a unit.
fn find(ui: &mut Ui, kit: &mut Kit<'_>) {
    let id = Id::unique("find a unit");
    let mut text: String = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    ui.label("Unit");
    if kit.view.unit_prompt {
        focus(ui, id);
        text.clear();
    }
    let field = TextEdit::singleline(&mut text).id(id).hint_text("number").desired_width(66.0);
    let field = ui.add(field).on_hover_text("Find a unit by its number (Ctrl+F)");
    if field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
        let typed = std::mem::take(&mut text);
        kit.actions.extend(match typed.trim() {
            "" => None,
            typed => Some(typed.parse().map_or_else(
                |_| SessionAction::Refuse(format!("`{typed}` is not the number of a unit")).into(),
                |unit| ViewAction::Find(unit).into(),
            )),
        });
    }
    ui.data_mut(|data| data.insert_temp(id, text));
}

/// The switches for the scene's own keys.
fn switches(ui: &mut Ui, kit: &mut Kit<'_>) {
    let scene = &kit.session.run.generation.scene;
    if scene.keys.is_empty() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for plan in &scene.keys {
            let text = format!("{}  {}", plan.key, keys::meaning(&plan.action, scene));
            let button = Button::selectable(kit.session.key_is_on(&plan.action), text);
            let button = ui.add(button.frame_when_inactive(true));
            kit.act(&button, SessionAction::SceneKey(plan.action.clone()));
        }
    });
}
