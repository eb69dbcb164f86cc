//! Turns window and pointer events into ordered input, returned once per frame.

use std::collections::VecDeque;

use egui::{Event, Key, Modifiers, MouseWheelSource, MouseWheelUnit, Pos2, Rect, TouchPhase};
use glam::Vec2;
use minifb::Key as Raw;

use super::keys;
use crate::model::frame_input::{ButtonChange, Buttons, FrameInput, KeyChange, Pointer, PointerEvent};
use crate::shell::clipboard::Clipboard;

/// Lines that egui scrolls for one notch of the wheel.
const LINES_PER_NOTCH: f32 = 1.0;

/// The state of a window, polled once per frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Sample {
    /// The pointer in pixels, also outside the window.
    pub(crate) pointer: Vec2,
    /// True if the window has the keyboard focus.
    pub(crate) focused: bool,
    /// Size of the window in pixels.
    pub(crate) size: (usize, usize),
}

/// Gathers input between frames.
pub(crate) struct Collector {
    pixels_per_point: f32,
    sample: Sample,
    /// True if egui has received a position of the pointer over the window.
    inside: bool,
    position: Option<Vec2>,
    modifiers: Modifiers,
    modifier_keys: Vec<Raw>,
    held: Vec<Key>,
    events: Vec<Event>,
    /// Buttons that are down.
    buttons: Buttons,
    changes: Vec<ButtonChange>,
    keys: Vec<KeyChange>,
    wheel: Vec2,
    clipboard: Clipboard,
    /// True if letters are typed as text.
    typing: bool,
    /// Frames that ended early. The panel evaluates the pointer and the pressed buttons at the end of a frame: so
    /// a frame ends before the pointer leaves the position of a press or a release, and contains at most one
    /// click and one pressed key, but any number of typed letters.
    finished: VecDeque<FrameInput>,
}

impl Collector {
    /// A collector for a window with the keyboard focus, at `pixels_per_point` pixels per point of egui.
    pub(crate) fn new(pixels_per_point: f32) -> Self {
        Self {
            pixels_per_point: pixels_per_point.max(0.1),
            sample: Sample { focused: true, ..Sample::default() },
            inside: false,
            position: None,
            modifiers: Modifiers::NONE,
            modifier_keys: Vec::new(),
            held: Vec::new(),
            events: Vec::new(),
            buttons: Buttons::default(),
            changes: Vec::new(),
            keys: Vec::new(),
            wheel: Vec2::ZERO,
            clipboard: Clipboard::default(),
            typing: false,
            finished: VecDeque::new(),
        }
    }

    /// Sets the pixels per point of egui from the next frame on.
    pub(crate) fn set_scale(&mut self, pixels_per_point: f32) {
        self.pixels_per_point = pixels_per_point.max(0.1);
    }

    /// Pastes from a clipboard, in place of one that only this window has.
    #[must_use]
    pub(crate) fn pasting(self, clipboard: Clipboard) -> Self {
        Self { clipboard, ..self }
    }

    /// Copies a text into the clipboard.
    pub(crate) fn copy(&mut self, text: String) {
        self.clipboard.copy(text);
    }

    /// Updates the state of the window.
    pub(crate) fn sample(&mut self, sample: Sample) {
        if sample.focused != self.sample.focused {
            self.focus(sample.focused);
        }
        self.sample = sample;
        self.point(sample.pointer);
    }

    /// Adds events of the pointer, in the order in which they occurred.
    pub(crate) fn pointer(&mut self, event: PointerEvent) {
        match event {
            PointerEvent::Button(change) => {
                self.point(change.position);
                self.press_button(change);
            }
            PointerEvent::Wheel(notches, modifiers) => self.turn_wheel(notches, modifiers),
        }
    }

    /// The modifiers that are held now.
    pub(crate) fn modifiers(&self) -> Modifiers {
        self.modifiers
    }

    /// Sets if letters are typed as text; if so, one frame may contain any number of them.
    pub(crate) fn set_typing(&mut self, typing: bool) {
        self.typing = typing;
    }

    /// Adds a press or a release of `key`. An earlier click or press is put into a separate frame before it, since it
    /// may change the receiver of this one.
    pub(crate) fn key(&mut self, key: Raw, pressed: bool) {
        if !self.changes.is_empty() || (pressed && self.needs_frame(key)) {
            self.end_frame();
        }
        if is_modifier(key) {
            self.modifier_keys.retain(|held| *held != key);
            if pressed {
                self.modifier_keys.push(key);
            }
            self.update_modifiers();
        } else if let Some(key) = keys::translate(key) {
            self.change_key(key, pressed);
        }
    }

    /// True if the press of a key must be in a later frame than the keys that are pressed already.
    fn needs_frame(&self, key: Raw) -> bool {
        let Some(key) = keys::translate(key).filter(|key| !self.held.contains(key)) else {
            return false;
        };
        let is_text = |key: Key, modifiers: Modifiers| {
            self.typing && !modifiers.command && !matches!(key, Key::Enter | Key::Escape | Key::Tab)
        };
        let mut before = self.keys.iter().filter(|change| change.pressed && !change.repeat);
        before.any(|change| !(is_text(change.key, change.modifiers) && is_text(key, self.modifiers)))
    }

    /// Adds a typed character; control characters and shortcuts are ignored.
    pub(crate) fn character(&mut self, character: char) {
        if character.is_control() || self.modifiers.ctrl || self.modifiers.alt {
            return;
        }
        if let Some(Event::Text(text)) = self.events.last_mut() {
            text.push(character);
        } else {
            self.events.push(Event::Text(character.to_string()));
        }
    }

    /// Returns the input since the last call, with one click at most; `time` is in seconds.
    pub(crate) fn take(&mut self, time: f64) -> FrameInput {
        let finished = self.finished.pop_front();
        let mut input = finished.unwrap_or_else(|| self.finish());
        input.time = time;
        input.egui.time = Some(time);
        input
    }

    /// The input since the end of the last frame.
    fn finish(&mut self) -> FrameInput {
        self.events.extend(self.clipboard.late().map(Event::Paste));
        let (width, height) = self.sample.size;
        let points = egui::vec2(width as f32, height as f32) / self.pixels_per_point;
        let mut egui = egui::RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, points)),
            events: std::mem::take(&mut self.events),
            focused: self.sample.focused,
            ..egui::RawInput::default()
        };
        let viewport = egui.viewports.entry(egui.viewport_id).or_default();
        viewport.native_pixels_per_point = Some(self.pixels_per_point);
        FrameInput {
            egui,
            size: self.sample.size,
            time: 0.0,
            focused: self.sample.focused,
            pointer: Pointer {
                position: self.position,
                held: self.buttons,
                changes: std::mem::take(&mut self.changes),
                wheel: std::mem::take(&mut self.wheel),
            },
            held: self.held.clone(),
            keys: std::mem::take(&mut self.keys),
            modifiers: self.modifiers,
        }
    }

    fn focus(&mut self, focused: bool) {
        self.events.push(Event::WindowFocused(focused));
        if !focused {
            self.clipboard.cancel();
            // Another window has the focus now and receives the releases: all keys are released here.
            self.modifier_keys.clear();
            self.update_modifiers();
            for key in self.held.clone() {
                self.change_key(key, false);
            }
        }
    }

    fn point(&mut self, pointer: Vec2) {
        let size = Vec2::new(self.sample.size.0 as f32, self.sample.size.1 as f32);
        let over = pointer.cmpge(Vec2::ZERO).all() && pointer.cmplt(size).all();
        // A drag continues outside the window; buttons pressed elsewhere do not start one.
        let drags = self.inside && self.buttons.any();
        if self.position != Some(pointer) && !self.changes.is_empty() {
            self.end_frame();
        }
        if over || drags {
            if self.position != Some(pointer) || !self.inside {
                self.events.push(Event::PointerMoved(self.points(pointer)));
            }
            self.position = Some(pointer);
        } else {
            if self.inside {
                self.events.push(Event::PointerGone);
            }
            self.position = None;
        }
        self.inside = over || drags;
    }

    fn end_frame(&mut self) {
        let finished = self.finish();
        self.finished.push_back(finished);
    }

    fn press_button(&mut self, change: ButtonChange) {
        let ButtonChange { button, pressed, position, modifiers } = change;
        if pressed && self.changes.iter().any(|change| !change.pressed) {
            self.end_frame();
        }
        // A click may change the receiver of a text that is to be pasted.
        self.clipboard.cancel();
        self.buttons.set(button, pressed);
        self.changes.push(change);
        let pos = self.points(position);
        self.events.push(Event::PointerButton { pos, button, pressed, modifiers });
    }

    fn turn_wheel(&mut self, notches: Vec2, modifiers: Modifiers) {
        self.wheel += notches;
        self.events.push(Event::MouseWheel {
            unit: MouseWheelUnit::Line,
            delta: egui::vec2(notches.x, notches.y) * LINES_PER_NOTCH,
            phase: TouchPhase::Move,
            source: MouseWheelSource::Wheel,
            modifiers,
        });
    }

    fn change_key(&mut self, key: Key, pressed: bool) {
        let repeat = pressed && self.held.contains(&key);
        if pressed && !repeat {
            self.held.push(key);
        } else if !pressed {
            self.held.retain(|held| *held != key);
        }
        let modifiers = self.modifiers;
        self.keys.push(KeyChange { key, pressed, repeat, modifiers });
        let event = match key {
            Key::C if pressed && modifiers.command => Some(Event::Copy),
            Key::X if pressed && modifiers.command => Some(Event::Cut),
            Key::V if pressed && modifiers.command => self.clipboard.paste().map(Event::Paste),
            _ => Some(Event::Key { key, physical_key: None, pressed, repeat, modifiers }),
        };
        self.events.extend(event);
    }

    fn update_modifiers(&mut self) {
        let down = |keys: [Raw; 2]| self.modifier_keys.iter().any(|held| keys.contains(held));
        let ctrl = down([Raw::LeftCtrl, Raw::RightCtrl]);
        let modifiers = Modifiers {
            alt: down([Raw::LeftAlt, Raw::RightAlt]),
            ctrl,
            shift: down([Raw::LeftShift, Raw::RightShift]),
            mac_cmd: false,
            command: ctrl,
        };
        if modifiers != self.modifiers {
            self.modifiers = modifiers;
            self.events.push(Event::ModifiersChanged(modifiers));
        }
    }

    fn points(&self, pixels: Vec2) -> Pos2 {
        Pos2::new(pixels.x, pixels.y) / self.pixels_per_point
    }
}

fn is_modifier(key: Raw) -> bool {
    matches!(
        key,
        Raw::LeftShift | Raw::RightShift | Raw::LeftCtrl | Raw::RightCtrl | Raw::LeftAlt | Raw::RightAlt
    )
}
