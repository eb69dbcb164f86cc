//! Decides if a frame is drawn: only if the picture has changed.

use std::time::{Duration, Instant};

use glam::Vec2;

use crate::model::frame_input::FrameInput;

/// The state of the last frame, and the time of the next scheduled one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Redraw {
    size: (usize, usize),
    pointer: Option<Vec2>,
    visible: bool,
    /// True if the effects of the last frame's input appear in the next one.
    follow_up: bool,
    /// The time at which the panel requests the next frame.
    again: Option<Instant>,
}

impl Redraw {
    /// True if a frame with this input is to be drawn at `now`; `news`: the content has changed.
    pub(crate) fn is_due(&mut self, input: &FrameInput, news: bool, visible: bool, now: Instant) -> bool {
        // The panel must receive every event, even while the window is invisible.
        let events = !input.egui.events.is_empty();
        let moved = self.size != input.size || self.pointer != input.pointer.position;
        let appeared = visible && !self.visible;
        (self.size, self.pointer, self.visible) = (input.size, input.pointer.position, visible);
        let fresh = events || moved || appeared || news;
        let again = self.again.is_some_and(|again| again <= now);
        let due = fresh || again || self.follow_up;
        self.follow_up = if visible { fresh } else { self.follow_up };
        events || (visible && due)
    }

    /// Records that a frame was drawn, and the time until the requested next one.
    pub(crate) fn drawn(&mut self, now: Instant, again: Duration) {
        self.again = now.checked_add(again);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn input() -> FrameInput {
        FrameInput { size: (100, 100), ..FrameInput::default() }
    }

    /// A state after drawing, without pending changes.
    fn at_rest(now: Instant) -> Redraw {
        let mut redraw = Redraw::default();
        assert!(redraw.is_due(&input(), false, true, now), "the first frame");
        redraw.drawn(now, Duration::MAX);
        assert!(redraw.is_due(&input(), false, true, now), "the effects of the input");
        redraw.drawn(now, Duration::MAX);
        assert!(!redraw.is_due(&input(), false, true, now));
        redraw
    }

    #[test]
    fn nothing_is_drawn_while_nothing_changes() {
        let now = Instant::now();
        let mut redraw = at_rest(now);
        for hours in 0..100 {
            assert!(!redraw.is_due(&input(), false, true, now + hours * 3600 * SECOND));
        }
    }

    #[test]
    fn changes_are_drawn_with_their_effects_in_the_next_frame() {
        let now = Instant::now();
        let mut moved = input();
        moved.pointer.position = Some(Vec2::ONE);
        let mut wider = input();
        wider.size = (120, 100);
        let mut typed = input();
        typed.egui.events.push(egui::Event::WindowFocused(true));
        for (input, news) in [(moved, false), (wider, false), (typed, false), (input(), true)] {
            let mut redraw = at_rest(now);
            assert!(redraw.is_due(&input, news, true, now), "{input:?}");
            let after = FrameInput { egui: egui::RawInput::default(), ..input.clone() };
            assert!(redraw.is_due(&after, false, true, now), "after {input:?}");
            assert!(!redraw.is_due(&after, false, true, now));
        }
    }

    #[test]
    fn requested_redraws_are_drawn_in_time() {
        let now = Instant::now();
        let mut redraw = at_rest(now);
        redraw.drawn(now, SECOND);
        assert!(!redraw.is_due(&input(), false, true, now + SECOND / 2));
        assert!(redraw.is_due(&input(), false, true, now + SECOND));
    }

    #[test]
    fn an_invisible_window_draws_nothing_until_it_appears() {
        let now = Instant::now();
        let mut redraw = at_rest(now);
        assert!(!redraw.is_due(&input(), true, false, now));
        let mut typed = input();
        typed.egui.events.push(egui::Event::WindowFocused(false));
        assert!(redraw.is_due(&typed, true, false, now), "events are processed");
        assert!(!redraw.is_due(&input(), true, false, now));
        assert!(redraw.is_due(&input(), false, true, now));
    }
}
