//! Keys of the scene, and the views of groups.

use steerbox_core::world::ParamValue;
use steerbox_project::reload::{Handle, KnobName};
use steerbox_project::session::Input;
use steerbox_scene::KeyAction;

use crate::model::live_session::LiveSession;

impl LiveSession {
    /// Executes a key of the scene.
    pub(crate) fn key(&mut self, action: &KeyAction) {
        match action {
            KeyAction::View(view) => {
                for group in self.groups_of_keys().collect::<Vec<_>>() {
                    self.set_view(group, *view);
                }
            }
            KeyAction::Switch(scripts) => {
                let on = ParamValue::Switch(!self.is_on(scripts));
                for handle in self.switched_by(scripts).cloned().collect::<Vec<_>>() {
                    self.run.set_value(&handle, &KnobName::Enabled, &on, false);
                }
            }
            KeyAction::Speed(factor) => self.speed = (self.speed * factor).clamp(0.05, 20.0),
        }
    }

    /// The groups whose views keys set: all but the player's.
    pub(crate) fn groups_of_keys(&self) -> impl Iterator<Item = usize> {
        let plans = &self.run.generation.scene.groups;
        let groups = 0..self.run.simulation.world().groups.len();
        groups.filter(|group| plans.get(*group).is_none_or(|plan| !plan.is_player))
    }

    /// The behaviors that a key switches, by their scripts.
    pub(crate) fn switched_by(&self, scripts: &[String]) -> impl Iterator<Item = &Handle> {
        let behaviors = self.run.generation.planned().map(|planned| &planned.handle);
        behaviors.filter(move |handle| scripts.contains(&handle.script))
    }

    /// Sets the view of a group, or none.
    pub(crate) fn set_view(&mut self, group: usize, view: Option<usize>) {
        if let Some(input) = self.view_input(group, view) {
            self.run.input(input);
        }
    }

    /// The input that sets the view of a group; `None` if there is no such group or view.
    pub(crate) fn view_input(&self, group: usize, view: Option<usize>) -> Option<Input> {
        let world = self.run.simulation.world();
        let view = view.map(|view| world.views.get(view).map(|view| view.name.clone()));
        let group = world.groups.get(group)?.name.clone();
        // A view that does not exist sets nothing.
        Some(Input::View(group, view.map_or(Some(None), |view| view.map(Some))?))
    }

    /// True if a key's view is active, or any of its behaviors runs.
    pub(crate) fn key_is_on(&self, action: &KeyAction) -> bool {
        match action {
            KeyAction::View(view) => {
                let groups = &self.run.simulation.world().groups;
                let mut others = groups.iter().zip(&self.run.generation.scene.groups);
                others.all(|(group, plan)| plan.is_player || group.view == *view)
            }
            KeyAction::Switch(scripts) => self.is_on(scripts),
            KeyAction::Speed(_) => false,
        }
    }

    /// True if any behavior with one of these scripts runs.
    pub(crate) fn is_on(&self, scripts: &[String]) -> bool {
        let mut behaviors = self.run.generation.planned();
        behaviors.any(|planned| planned.enabled && scripts.contains(&planned.handle.script))
    }
}
