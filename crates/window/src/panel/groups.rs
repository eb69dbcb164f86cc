//! Groups, their views, and their behaviors.

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{
    Button, CollapsingHeader, ComboBox, Id, Key, PopupCloseBehavior, RichText, ScrollArea, Sense, TextEdit,
    Ui, vec2,
};
use steerbox_picture::render::theme;
use steerbox_project::reload::{SCENE_TEMPLATES, SceneTemplate};
use steerbox_scene::ListItem;

use super::parts::Kit;
use super::{behavior, hint, icons, item};
use crate::commands::action::{Action, EditorAction, SessionAction, ViewAction};
use crate::commands::palette::Listed;
use crate::model::live_session::LiveSession;
use crate::model::templates::RULES;
use crate::model::view_state::ViewState;

/// Maximum height of the menu of scripts, points.
const MENU: f32 = 260.0;
const MENU_WIDTH: f32 = 200.0;
/// The life time of a chosen view.
const VIEW: &str = "The view lasts until the scene changes. Save to scene does not write it: \
    write `view` in the group's text.";

pub(super) fn show(ui: &mut Ui, session: &LiveSession, view: &ViewState, actions: &mut Vec<Action>) {
    let scene = &session.run.generation.scene;
    for (index, (plan, group_behaviors)) in
        scene.groups.iter().zip(&session.run.generation.behaviors).enumerate()
    {
        let world = session.run.simulation.world();
        let count = world.groups.get(index).map_or(0, |group| group.units.len());
        let title = RichText::new(format!("{}  ({count})", plan.common.name))
            .strong()
            .color(theme::of(ui).legible(view.colors.group(index)));
        let header = CollapsingHeader::new(title).icon(icons::fold).id_salt(&plan.common.name);
        let header = header.default_open(true).show(ui, |ui| {
            view_of(ui, session, index, actions);
            if group_behaviors.is_empty() && !plan.is_player {
                hint::weak(ui, "Without rules, its units do not steer: add one");
            }
            for (slot, planned) in group_behaviors.iter().enumerate() {
                behavior::show(ui, session, view, (index, slot), planned, actions);
            }
            if !plan.is_player {
                add_rule(ui, session, view, &plan.common.name, actions);
            }
        });
        if !plan.is_player {
            let title = header.header_response.interact(Sense::click_and_drag());
            let item = (&ListItem::Group(plan.common.name.clone()), index);
            item::show(ui, &mut Kit { session, view, actions }, item, (&title, &title), || {
                let name = format!("Add a unit of {}", plan.common.name);
                vec![Listed::new(name, ViewAction::AddAtPointer(Some(index)))]
            });
        }
        ui.add_space(2.0);
    }
    if scene.groups.is_empty() {
        hint::weak(ui, "This scene has no units: add a group");
    }
    ui.horizontal(|ui| {
        if ui.button("Add group").on_hover_text("Adds it to the text of the scene, unsaved").clicked() {
            actions.push(EditorAction::AddGroup.into());
        }
        ui.menu_button("New rule", |ui| {
            for (at, (name, ..)) in RULES.iter().enumerate() {
                if ui.button(*name).clicked() {
                    actions.push(EditorAction::NewRule(at).into());
                }
            }
        });
        ui.menu_button("New scene", |ui| {
            for (at, SceneTemplate { title: name, .. }) in SCENE_TEMPLATES.iter().enumerate() {
                if ui.button(*name).clicked() {
                    actions.push(EditorAction::NewScene(at).into());
                }
            }
        });
    });
}

/// A menu of all rules, to add one of them to a group.
fn add_rule(ui: &mut Ui, session: &LiveSession, view: &ViewState, group: &str, actions: &mut Vec<Action>) {
    let menu = MenuButton::from_button(Button::new("Add rule"));
    let menu = menu.config(MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside));
    let id = Id::unique(("search of rules", group));
    let (button, _) = menu.ui(ui, |ui| {
        ui.set_width(MENU_WIDTH);
        let mut words: String = ui.data(|data| data.get_temp(id)).unwrap_or_default();
        let field =
            ui.add(TextEdit::singleline(&mut words).id(id).hint_text("Search").desired_width(f32::INFINITY));
        field.request_focus();
        let is_entered = ui.input(|input| input.key_pressed(Key::Enter));
        let wanted = words.trim().to_lowercase().replace(' ', "_");
        ui.data_mut(|data| data.insert_temp(id, words));
        ScrollArea::vertical().max_height(MENU).show(ui, |ui| {
            let rules =
                view.known_rules(session).into_iter().filter(|rule| rule.to_lowercase().contains(&wanted));
            for (at, script) in rules.enumerate() {
                let is_chosen = at == 0 && is_entered && !wanted.is_empty();
                let row = Button::new(&script).min_size(vec2(ui.available_width(), 0.0));
                if ui.add(row).clicked() || is_chosen {
                    actions.push(EditorAction::AddRule { group: group.to_owned(), script }.into());
                    ui.close();
                }
            }
        });
    });
    if button.clicked() {
        ui.data_mut(|data| data.remove::<String>(id));
    }
}

fn view_of(ui: &mut Ui, session: &LiveSession, index: usize, actions: &mut Vec<Action>) {
    let world = session.run.simulation.world();
    let Some(group) = world.groups.get(index).filter(|_| !world.views.is_empty()) else {
        return;
    };
    let name = |view: Option<usize>| view.map_or("none", |view| world.views[view].name.as_str());
    ui.horizontal(|ui| {
        ui.label(RichText::new("View").color(theme::of(ui).weak));
        let menu = ComboBox::from_id_salt(("view", index)).selected_text(name(group.view));
        let menu = menu.show_ui(ui, |ui| {
            for view in (0..world.views.len()).map(Some).chain([None]) {
                if ui.selectable_label(view == group.view, name(view)).clicked() {
                    actions.push(SessionAction::SetView(index, view).into());
                }
            }
        });
        hint::text(&menu.response, VIEW);
    });
}
