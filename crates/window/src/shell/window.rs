//! The native window: opens, polls, paces and presents; independent of the content.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use egui::CursorIcon;
use minifb::{CursorStyle, InputCallback, Key, ScaleMode, WindowOptions};
use steerbox_core::diagnostics::printable;
use steerbox_picture::render::canvas::Canvas;

use super::clipboard::Clipboard;
use super::input::{Collector, Sample, position::has_position};
use super::pixel_format::PixelFormat;
use super::pointer::{self, PointerEvents, Presses};
use super::visibility::Visibility;
use crate::model::frame_input::FrameInput;

/// Time from one frame to the next.
const FRAME: Duration = Duration::from_nanos(1_000_000_000 / 60);
/// Interval of polling for input.
const POLL: Duration = Duration::from_millis(1);
/// Interval of polling without input, and the time without input after which it applies: shorter than a click,
/// and longer than the time to the next one.
const IDLE_POLL: Duration = Duration::from_millis(4);
const IDLE: Duration = Duration::from_secs(1);

/// The reason why there is no window.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WindowError {
    /// There is no display, or it refused a window.
    #[error("there is no display for a window ({0})")]
    Open(String),
    /// The display has too few colors.
    #[error(
        "the display has {0} bits per pixel, and a window needs at least 24: choose a deeper mode, or use `steerbox run`"
    )]
    Depth(u8),
    /// The display refused a picture.
    #[error("the display no longer accepts the picture of the window ({0})")]
    Present(String),
}

/// Restarts the process without an input method if one is configured; returns otherwise.
///
/// Opening a window with an input method whose daemon is not running ends the process, and a
/// process cannot change its own environment safely once it runs. Call this before
/// anything is printed or started.
pub fn settle_input_method() {
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;

        const VARIABLE: &str = "XMODIFIERS";
        const NONE: &str = "@im=none";
        let requested = std::env::var_os(VARIABLE).is_some_and(|value| value != NONE);
        if requested && let Ok(program) = std::env::current_exe() {
            let mut args = std::env::args_os();
            let mut command = std::process::Command::new(program);
            if let Some(name) = args.next() {
                command.arg0(name);
            }
            // Returns only on failure; the process then continues unchanged.
            let _ = command.args(args).env(VARIABLE, NONE).exec();
        }
    }
}

/// A window on the display.
pub(crate) struct Window {
    inner: minifb::Window,
    format: PixelFormat,
    /// The last picture in that format, if the canvas has another one.
    converted: Vec<u32>,
    typed: Rc<RefCell<Vec<Typed>>>,
    presses: Presses,
    collector: Collector,
    opened: Instant,
    deadline: Instant,
    visibility: Visibility,
    /// The last input and its time.
    latest: Sample,
    active: Instant,
    /// Without a window manager the window never receives the focus: it counts as focused until it does.
    had_focus: bool,
}

impl Window {
    /// Opens a window with a picture of `width` by `height` pixels, with `pixels_per_point` pixels
    /// per point of the panel.
    ///
    /// # Errors
    /// If there is no display, or it refuses.
    pub(crate) fn open(
        title: &str,
        (width, height): (usize, usize),
        pixels_per_point: f32,
        format: PixelFormat,
    ) -> Result<Self, WindowError> {
        let options =
            WindowOptions { resize: true, scale_mode: ScaleMode::UpperLeft, ..WindowOptions::default() };
        let mut inner = minifb::Window::new(title, width.max(1), height.max(1), options)
            .map_err(|error| WindowError::Open(reason(&error)))?;
        let typed = Rc::new(RefCell::new(Vec::new()));
        inner.set_input_callback(Box::new(Listener(Rc::clone(&typed))));
        let presses = Presses::over(&mut inner);
        // Other connections can access the window once its display has answered.
        inner.update();
        let visibility = Visibility::new(&inner);
        let now = Instant::now();
        Ok(Self {
            inner,
            format,
            converted: Vec::new(),
            typed,
            presses,
            collector: Collector::new(pixels_per_point).pasting(Clipboard::of_system()),
            opened: now,
            deadline: now,
            visibility,
            latest: Sample::default(),
            active: now,
            had_focus: false,
        })
    }

    /// False once the user has closed the window.
    pub(crate) fn is_open(&self) -> bool {
        self.inner.is_open()
    }

    /// Changes the title.
    pub(crate) fn set_title(&mut self, title: &str) {
        self.inner.set_title(&printable(title));
    }

    /// Sets the pixels per point of the panel from the next frame on.
    pub(crate) fn set_scale(&mut self, pixels_per_point: f32) {
        self.collector.set_scale(pixels_per_point);
    }

    /// Requests full screen, or its end.
    ///
    /// # Errors
    /// With a message for the user if the window manager does not support full screen or cannot be reached.
    pub(crate) fn set_full_screen(&mut self, is_full: bool) -> Result<(), &'static str> {
        self.visibility.set_full_screen(is_full)
    }

    /// The state of full screen, if the window manager changed it without a request.
    pub(crate) fn full_screen_changed(&mut self) -> Option<bool> {
        self.visibility.full_screen_changed()
    }

    /// Sets if letters are typed as text from now on.
    pub(crate) fn set_typing(&mut self, typing: bool) {
        self.collector.set_typing(typing);
    }

    /// Sets the pointer's shape.
    pub(crate) fn set_cursor(&mut self, cursor: CursorIcon) {
        self.inner.set_cursor_style(cursor_style(cursor));
    }

    /// Copies a text into the clipboard of the system.
    pub(crate) fn copy(&mut self, text: String) {
        self.collector.copy(text);
    }

    /// Gathers input until the next frame is due, 60 times a second, and returns all of it.
    ///
    /// Deadlines are absolute, so that the pace does not drift; one that was missed by more than a
    /// frame is dropped, not made up for.
    pub(crate) fn wait_frame(&mut self) -> FrameInput {
        loop {
            self.collect(minifb::Window::update);
            let left = self.deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || !self.is_open() {
                break;
            }
            let idle = self.active.elapsed() > IDLE;
            std::thread::sleep(left.min(if idle { IDLE_POLL } else { POLL }));
        }
        let now = Instant::now();
        self.deadline += FRAME;
        if self.deadline < now {
            self.deadline = now + FRAME;
        }
        self.collector.take((now - self.opened).as_secs_f64())
    }

    /// True if the window is visible, as far as the display reports it.
    pub(crate) fn is_visible(&mut self) -> bool {
        self.visibility.is_visible()
    }

    /// Presents an unchanged `canvas` again if its picture was lost.
    ///
    /// # Errors
    /// As [`Window::present`].
    pub(crate) fn refresh(&mut self, canvas: &Canvas) -> Result<(), WindowError> {
        if self.visibility.is_lost() {
            self.present(canvas)?;
        }
        Ok(())
    }

    /// Shows `canvas` from the top left of the window.
    ///
    /// # Errors
    /// If the display refuses the picture; the window stays unchanged.
    pub(crate) fn present(&mut self, canvas: &Canvas) -> Result<(), WindowError> {
        if canvas.pixels().is_empty() {
            return Ok(());
        }
        self.visibility.shown();
        let (width, height) = (canvas.width(), canvas.height());
        // Presenting polls too, and the next poll would discard its events.
        let mut converted = std::mem::take(&mut self.converted);
        let pixels = self.format.converted(canvas.pixels(), &mut converted);
        let shown = self.collect(|window| window.update_with_buffer(pixels, width, height));
        self.converted = converted;
        shown.map_err(|error| WindowError::Present(reason(&error)))
    }

    /// Updates the window and collects its input.
    fn collect<T>(&mut self, update: impl FnOnce(&mut minifb::Window) -> T) -> T {
        let mut received = self.presses.events();
        let updated = update(&mut self.inner);
        if !self.typed.borrow().is_empty() {
            // The keys may be newer than the reported events: this collects all events before them.
            received.extend(self.presses.events());
        }
        let PointerEvents { before_keys, mut after_keys, keys, is_by_position, .. } = received;
        let active = self.inner.is_active();
        self.had_focus |= active;
        let sample = Sample {
            pointer: pointer::place(&self.inner),
            focused: active || !self.had_focus,
            size: self.inner.get_size(),
        };
        let is_pressed = !before_keys.is_empty() || !after_keys.is_empty() || !keys.is_empty();
        let is_active = is_pressed || !self.typed.borrow().is_empty();
        if sample != self.latest || is_active {
            (self.latest, self.active) = (sample, Instant::now());
        }
        for event in before_keys {
            self.collector.pointer(event);
        }
        let mut typed = self.typed.take();
        if is_by_position {
            typed.retain(|typed| !matches!(typed, Typed::Key(key, _) if has_position(*key)));
        }
        // After the modifiers that are pressed with them.
        let at = typed.iter().take_while(|typed| matches!(typed, Typed::Key(_, true))).count();
        typed.splice(at..at, keys.into_iter().map(|(key, pressed)| Typed::Key(key, pressed)));
        for typed in typed {
            match typed {
                Typed::Key(key, pressed) => self.collector.key(key, pressed),
                Typed::Character(character) => self.collector.character(character),
            }
        }
        let modifiers = self.collector.modifiers();
        after_keys.extend(self.presses.polled(&self.inner, modifiers));
        for event in after_keys {
            self.collector.pointer(event);
        }
        self.collector.sample(sample);
        updated
    }
}

/// A key or character, in order of arrival.
enum Typed {
    Key(Key, bool),
    Character(char),
}

/// Receives every key event, also those between two polls.
struct Listener(Rc<RefCell<Vec<Typed>>>);

impl InputCallback for Listener {
    fn add_char(&mut self, code: u32) {
        if let Some(character) = char::from_u32(code) {
            self.0.borrow_mut().push(Typed::Character(character));
        }
    }

    fn set_key_state(&mut self, key: Key, pressed: bool) {
        self.0.borrow_mut().push(Typed::Key(key, pressed));
    }
}

/// The window library's message, without the part that is in our message already.
fn reason(error: &minifb::Error) -> String {
    match error {
        minifb::Error::WindowCreate(text) | minifb::Error::UpdateFailed(text) => text.clone(),
        other => other.to_string(),
    }
}

fn cursor_style(cursor: CursorIcon) -> CursorStyle {
    match cursor {
        CursorIcon::Text | CursorIcon::VerticalText => CursorStyle::Ibeam,
        CursorIcon::Crosshair | CursorIcon::Cell => CursorStyle::Crosshair,
        CursorIcon::PointingHand | CursorIcon::Grab => CursorStyle::OpenHand,
        CursorIcon::Grabbing => CursorStyle::ClosedHand,
        CursorIcon::ResizeHorizontal
        | CursorIcon::ResizeColumn
        | CursorIcon::ResizeEast
        | CursorIcon::ResizeWest => CursorStyle::ResizeLeftRight,
        CursorIcon::ResizeVertical
        | CursorIcon::ResizeRow
        | CursorIcon::ResizeNorth
        | CursorIcon::ResizeSouth => CursorStyle::ResizeUpDown,
        CursorIcon::Move | CursorIcon::AllScroll => CursorStyle::ResizeAll,
        _ => CursorStyle::Arrow,
    }
}
