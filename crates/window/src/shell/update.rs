//! The update of the view once per frame: input before the steps, selection and figures after them.

use std::time::Duration;

use steerbox_core::world::Controls;

use crate::commands::keyboard;
use crate::model::frame_input::FrameInput;
use crate::model::live_session::LiveSession;
use crate::model::view_state::ViewState;

impl ViewState {
    /// Executes the actions of keys and mouse that the panel does not use.
    pub(crate) fn interact(
        &mut self,
        context: &egui::Context,
        input: &FrameInput,
        session: &mut LiveSession,
    ) {
        self.keyboard = self.receiver(context);
        let pressed = input.pressed().filter_map(|change| keyboard::action_of(*change, session, self));
        let mut actions: Vec<_> = pressed.collect();
        let plane = session.run.simulation.world().arena.is_plane();
        // While something is drawn, the arrows move its cursor.
        let controls = keyboard::controls(input, self.keyboard, plane);
        session.control(if self.drawing.is_some() { Controls::default() } else { controls });
        self.point(context, input, session, &mut actions);
        for action in actions {
            self.act(session, action);
        }
    }

    /// Updates selection and figures after the last step, and moves the view along with the followed unit.
    pub(crate) fn follow(&mut self, session: &mut LiveSession, seconds: f32) {
        let world = session.run.simulation.world();
        self.selection.follow(&world.units.key);
        self.selection.follow_obstacle(&world.obstacles);
        self.follow_figures(session);
        self.follow_films(session, Duration::ZERO);
        // The first reload closes the card.
        self.prefs.welcome &= !session.reloaded;
        let inspected = self.selection.inspected();
        self.following &= inspected.is_some();
        let followed = inspected.filter(|_| self.following);
        self.camera.follow(session.run.simulation.world(), &session.poses, followed, seconds);
    }
}
