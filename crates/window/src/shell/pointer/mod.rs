//! The pointer's buttons and wheel, and keys by position, from the best available source: the display, or else the window.

#[cfg(all(unix, not(target_os = "macos")))]
mod display;
mod events;

use egui::Modifiers;
use glam::Vec2;
use minifb::{MouseButton, MouseMode, Window};

pub(crate) use events::PointerEvents;

use crate::model::frame_input::{ButtonChange, Buttons, PointerEvent};

/// Presses, releases and turns of the wheel over a window.
#[derive(Default)]
pub(crate) struct Presses {
    #[cfg(all(unix, not(target_os = "macos")))]
    display: Option<display::Display>,
    /// Buttons that were down, if only their state is known.
    held: Buttons,
}

impl Presses {
    /// Connects to the display of `window`, if possible.
    pub(crate) fn over(window: &mut Window) -> Self {
        // Other connections can access the window once its display has answered.
        window.update();
        Self {
            #[cfg(all(unix, not(target_os = "macos")))]
            display: display::Display::over(window.get_window_handle() as usize as u32),
            held: Buttons::default(),
        }
    }

    /// Returns all events since the last call. Call it before the window is updated, so that the pointer's
    /// position is never older than its events.
    pub(crate) fn events(&mut self) -> PointerEvents {
        #[cfg(all(unix, not(target_os = "macos")))]
        if let Some(display) = &mut self.display {
            if let Ok(events) = display.take() {
                return events;
            }
            self.display = None;
        }
        PointerEvents::default()
    }

    /// Changes derived from the state of the window, if the display reports no events.
    pub(crate) fn polled(&mut self, window: &Window, modifiers: Modifiers) -> Vec<PointerEvent> {
        if self.receives_events() {
            return Vec::new();
        }
        let position = place(window);
        let (now, before) = (buttons(window), self.held);
        self.held = now;
        let pairs = now.each().into_iter().zip(before.each());
        let changed = pairs.filter(|((_, down), (_, before))| down != before);
        let presses = changed.map(|((button, pressed), _)| {
            PointerEvent::Button(ButtonChange { button, pressed, position, modifiers })
        });
        let wheel = window.get_scroll_wheel().map(Vec2::from);
        let wheel = wheel.map(|notches| PointerEvent::Wheel(notches / scroll_per_notch(), modifiers));
        presses.chain(wheel).collect()
    }

    fn receives_events(&self) -> bool {
        #[cfg(all(unix, not(target_os = "macos")))]
        return self.display.is_some();
        #[cfg(not(all(unix, not(target_os = "macos"))))]
        return false;
    }
}

/// The pointer's position, pixels, also outside the window.
pub(crate) fn place(window: &Window) -> Vec2 {
    let place = window.get_mouse_pos(MouseMode::Pass);
    place.unwrap_or((-1.0, -1.0)).into()
}

/// Events per notch of the wheel: on X11, the library counts its press and its release.
fn scroll_per_notch() -> f32 {
    if cfg!(target_os = "linux") { 2.0 } else { 1.0 }
}

fn buttons(window: &Window) -> Buttons {
    let down = |button| window.get_mouse_down(button);
    Buttons {
        primary: down(MouseButton::Left),
        secondary: down(MouseButton::Right),
        middle: down(MouseButton::Middle),
        back: down(MouseButton::Back),
        forward: down(MouseButton::Forward),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_after_a_key_stay_after_it() {
        let wheel = |notches: f32| PointerEvent::Wheel(Vec2::Y * notches, Modifiers::NONE);
        let received = |before: &[f32], after: &[f32], has_key| PointerEvents {
            before_keys: before.iter().copied().map(wheel).collect(),
            after_keys: after.iter().copied().map(wheel).collect(),
            has_key,
            ..PointerEvents::default()
        };
        let mut all = received(&[1.0], &[], false);
        all.extend(received(&[2.0], &[3.0], true));
        all.extend(received(&[4.0], &[], false));
        let expected = received(&[1.0, 2.0], &[3.0, 4.0], true);
        assert_eq!((all.before_keys, all.after_keys), (expected.before_keys, expected.after_keys));
    }
}
