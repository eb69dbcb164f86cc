//! Keys that a scene gives a meaning, and the views of groups.

use super::live_session::LiveSession;
use crate::scene::KeyAction;
use crate::session::Input;

impl LiveSession {
    /// Carries out what a key of the scene stands for.
    pub(super) fn key(&mut self, action: &KeyAction) {
        match action {
            KeyAction::View(view) => {
                let mut groups = self.run.generation.scene.groups.iter();
                let player = groups.position(|group| group.is_player);
                for group in 0..self.run.simulation.world().groups.len() {
                    if Some(group) != player {
                        self.set_view(group, *view);
                    }
                }
            }
            KeyAction::Switch(scripts) => {
                let on = !self.is_on(scripts);
                let handles: Vec<_> = (self.run.generation.planned())
                    .filter(|planned| scripts.contains(&planned.handle.script))
                    .map(|planned| planned.handle.clone())
                    .collect();
                for handle in handles {
                    self.switch(&handle, on);
                }
            }
            KeyAction::Speed(factor) => self.speed = (self.speed * factor).clamp(0.05, 20.0),
        }
    }

    pub(super) fn set_view(&mut self, group: usize, view: Option<usize>) {
        self.run.input(Input::View(group, view));
    }

    /// Whether a key's view is looked through, or any of its behaviors runs.
    pub(super) fn key_is_on(&self, action: &KeyAction) -> bool {
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

    /// Whether any behavior with one of these scripts runs.
    fn is_on(&self, scripts: &[String]) -> bool {
        let mut behaviors = self.run.generation.planned();
        behaviors.any(|planned| planned.enabled && scripts.contains(&planned.handle.script))
    }
}
