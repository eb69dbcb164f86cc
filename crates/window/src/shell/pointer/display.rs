//! Pointer events from an X display.
//!
//! The window library stores only the state of a button: a press and a release that arrive together
//! cancel out, and its interface does not show them. An input-only window over its
//! own, on a second connection, receives all events of the pointer, each with its
//! position and its modifiers. Keys and focus stay with the library: the display forwards keys to the
//! window below. This connection receives them as well, to order them relative to the pointer's events.

use egui::{Modifiers, PointerButton};
use glam::Vec2;
use x11rb::connection::Connection as _;
use x11rb::errors::ConnectionError;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    ButtonPressEvent, ChangeWindowAttributesAux, ConnectionExt as _, CreateWindowAux, EventMask,
    KEY_PRESS_EVENT, KeyButMask, WindowClass,
};
use x11rb::rust_connection::RustConnection;

use super::events::PointerEvents;
use crate::model::frame_input::{ButtonChange, PointerEvent};
use crate::shell::input::position::Layout;

/// Width and height of the input-only window: larger than any screen.
const EXTENT: u16 = i16::MAX as u16;

/// A connection that receives the events of the pointer over one window.
pub(super) struct Display {
    connection: RustConnection,
    layout: Layout,
}

impl Display {
    /// Connects to the pointer over a window; `None` if the display refuses.
    pub(super) fn over(window: u32) -> Option<Self> {
        Self::connect(window).ok()
    }

    fn connect(window: u32) -> anyhow::Result<Self> {
        let (connection, _) = x11rb::connect(None)?;
        let pad = connection.generate_id()?;
        let events = EventMask::BUTTON_PRESS | EventMask::BUTTON_RELEASE;
        let options = CreateWindowAux::new().event_mask(events);
        let class = WindowClass::INPUT_ONLY;
        let (place, size) = ((0, 0), (EXTENT, EXTENT));
        connection
            .create_window(0, pad, window, place.0, place.1, size.0, size.1, 0, class, 0, &options)?
            .check()?;
        connection.map_window(pad)?.check()?;
        let keys = ChangeWindowAttributesAux::new().event_mask(EventMask::KEY_PRESS | EventMask::KEY_RELEASE);
        connection.change_window_attributes(window, &keys)?.check()?;
        let layout = layout(&connection)?;
        Ok(Self { connection, layout })
    }

    /// Every event since the last call.
    ///
    /// # Errors
    /// If the connection is lost.
    pub(super) fn take(&mut self) -> Result<PointerEvents, ConnectionError> {
        let mut received =
            PointerEvents { is_by_position: self.layout.is_by_position(), ..PointerEvents::default() };
        let mut released = None;
        while let Some(event) = self.connection.poll_for_event()? {
            let events = if received.has_key { &mut received.after_keys } else { &mut received.before_keys };
            match event {
                Event::ButtonPress(event) => events.extend(meaning(&event, true)),
                Event::ButtonRelease(event) => events.extend(meaning(&event, false)),
                Event::KeyPress(event) | Event::KeyRelease(event) => {
                    let (code, is_pressed) = (event.detail, event.response_type & 0x7f == KEY_PRESS_EVENT);
                    received.has_key = true;
                    // While a key is held, a release and a press have the same time.
                    if is_pressed && released == Some((code, event.time)) {
                        received.keys.pop();
                    }
                    let key = self.layout.key(code);
                    received.keys.extend(key.map(|key| (key, is_pressed)));
                    released = key.filter(|_| !is_pressed).map(|_| (code, event.time));
                }
                // The layout has changed.
                Event::MappingNotify(_) => self.layout = layout(&self.connection).unwrap_or_default(),
                _ => {}
            }
        }
        Ok(received)
    }
}

/// Returns the layout of the keyboard.
fn layout(connection: &RustConnection) -> anyhow::Result<Layout> {
    let (first, last) = (connection.setup().min_keycode, connection.setup().max_keycode);
    let mapping = connection.get_keyboard_mapping(first, last - first + 1)?.reply()?;
    Ok(Layout::new(first, mapping.keysyms_per_keycode.into(), &mapping.keysyms))
}

/// Converts an event. A notch of the wheel is a press; its release is ignored.
fn meaning(event: &ButtonPressEvent, pressed: bool) -> Option<PointerEvent> {
    let modifiers = modifiers(event.state);
    let button = match event.detail {
        1 => PointerButton::Primary,
        2 => PointerButton::Middle,
        3 => PointerButton::Secondary,
        8 => PointerButton::Extra1,
        9 => PointerButton::Extra2,
        notch => {
            let notches = match notch {
                4 => Vec2::Y,
                5 => Vec2::NEG_Y,
                6 => Vec2::X,
                7 => Vec2::NEG_X,
                _ => return None,
            };
            return pressed.then_some(PointerEvent::Wheel(notches, modifiers));
        }
    };
    Some(PointerEvent::Button(ButtonChange {
        button,
        pressed,
        position: Vec2::new(event.event_x.into(), event.event_y.into()),
        modifiers,
    }))
}

fn modifiers(state: KeyButMask) -> Modifiers {
    let ctrl = state.contains(KeyButMask::CONTROL);
    Modifiers {
        alt: state.contains(KeyButMask::MOD1),
        ctrl,
        shift: state.contains(KeyButMask::SHIFT),
        mac_cmd: false,
        command: ctrl,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(detail: u8, state: KeyButMask) -> ButtonPressEvent {
        ButtonPressEvent { detail, state, event_x: 12, event_y: -3, ..ButtonPressEvent::default() }
    }

    #[test]
    fn buttons_are_reported_with_position_and_modifiers_and_the_wheel_once_per_notch() {
        let shift = event(3, KeyButMask::SHIFT | KeyButMask::BUTTON1);
        let Some(PointerEvent::Button(change)) = meaning(&shift, false) else {
            panic!("a button");
        };
        assert_eq!(change.button, PointerButton::Secondary);
        assert_eq!(change.position, Vec2::new(12.0, -3.0));
        assert_eq!((change.pressed, change.modifiers), (false, Modifiers::SHIFT));
        let notch = event(5, KeyButMask::default());
        let expected = PointerEvent::Wheel(Vec2::NEG_Y, Modifiers::NONE);
        assert_eq!(meaning(&notch, true), Some(expected));
        assert_eq!(meaning(&notch, false), None);
        assert_eq!(meaning(&event(77, KeyButMask::default()), true), None);
    }
}
