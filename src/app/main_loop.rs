//! The window's main loop: input, frame, present.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::application::App;
use super::window::Window;
use crate::session::Options;

/// Size of the window when it opens.
const SIZE: (usize, usize) = (1280, 800);

/// Opens the window and runs until it is closed, or `ended` is set. Points of the panel are `scale` pixels,
/// 0.5 to 4.
///
/// # Errors
/// When there is no such scene, or no display.
pub fn open(options: Options, scale: f32, ended: &AtomicBool) -> anyhow::Result<()> {
    let start = Instant::now();
    let mut app = App::new(options)?;
    let mut title = app.title();
    let mut window = Window::open(&title, SIZE.0, SIZE.1, scale.clamp(0.5, 4.0))?;
    let (mut last, mut first) = (Instant::now(), true);
    loop {
        let input = window.wait_frame();
        if !window.is_open() || ended.load(Ordering::Acquire) {
            app.finish();
            return Ok(());
        }
        let now = Instant::now();
        let drawn = app.frame_if_new(&input, now - last, window.is_visible());
        last = now;
        if app.title() != title {
            title = app.title();
            window.set_title(&title);
        }
        let Some(output) = drawn else {
            window.refresh(app.canvas())?;
            continue;
        };
        window.set_cursor(output.cursor_icon);
        for command in output.commands {
            if let egui::OutputCommand::CopyText(text) = command {
                window.set_clipboard(text);
            }
        }
        window.present(app.canvas())?;
        if std::mem::take(&mut first) {
            app.opened(start.elapsed());
        }
    }
}
