//! The window's main loop: input, frame, present.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::session::Options;
use super::stage::Stage;
use super::window::Window;

/// Size of the window when it opens.
const SIZE: (usize, usize) = (1280, 800);

/// Opens the window and runs until it is closed, or `ended` is set.
///
/// # Errors
/// When there is no such scene, or no display.
pub fn open(options: Options, ended: &AtomicBool) -> anyhow::Result<()> {
    let start = Instant::now();
    let scale = options.scale.clamp(0.5, 4.0);
    let mut stage = Stage::new(options)?;
    let mut title = stage.title();
    let mut window = Window::open(&title, SIZE.0, SIZE.1, scale)?;
    let (mut last, mut first) = (Instant::now(), true);
    loop {
        let input = window.wait_frame();
        if !window.is_open() || ended.load(Ordering::Acquire) {
            stage.finish();
            return Ok(());
        }
        let now = Instant::now();
        let drawn = stage.frame_if_new(&input, now - last, window.is_visible());
        last = now;
        if stage.title() != title {
            title = stage.title();
            window.set_title(&title);
        }
        let Some(output) = drawn else {
            window.refresh(stage.canvas())?;
            continue;
        };
        window.set_cursor(output.cursor_icon);
        for command in output.commands {
            if let egui::OutputCommand::CopyText(text) = command {
                window.set_clipboard(text);
            }
        }
        window.present(stage.canvas())?;
        if std::mem::take(&mut first) {
            stage.opened(start.elapsed());
        }
    }
}
