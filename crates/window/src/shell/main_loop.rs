//! The window's main loop: input, frame, present.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use steerbox_project::link::Sockets;
use steerbox_project::session::Options;

use super::application::App;
use super::config::ConfigFile;
use super::screen::Screen;
use super::window::{Window, WindowError};
use crate::model::results::Results;

/// Size of the first window, points.
const SIZE: (f32, f32) = (1280.0, 800.0);

/// Opens the window, with results of a sweep beside the scene, and runs until it is closed, or `ended` is set. A point has `scale` pixels, 0.5 to 4; without
/// a scale, as many as the user chose in the last window, or for all programs.
///
/// # Errors
/// If there is no such scene, or no display.
pub fn open(
    options: Options,
    results: Option<Results>,
    scale: Option<f32>,
    ended: &AtomicBool,
) -> anyhow::Result<()> {
    let start = Instant::now();
    let screen = Screen::of_user();
    // The window library ends the process on such displays.
    let format = screen.format.map_err(WindowError::Depth)?;
    let mut app = App::with_config(options, ConfigFile::of_user())?;
    app.view.results = results;
    let scale = app.choose_scale(scale, screen.scale);
    let title = app.title();
    let pixels = |points: f32| (points * scale) as usize;
    let (width, height) = app.size().map_or(SIZE, |(width, height)| (width as f32, height as f32));
    let (width, height) = screen.fitting((pixels(width), pixels(height)));
    let mut window = Window::open(&title, (width, height), scale, format)?;
    app.open_to_editors(Sockets::of_user());
    // A pending write is completed, however the window ends.
    let ran = run(&mut app, &mut window, start, ended);
    app.finish();
    ran
}

fn run(app: &mut App, window: &mut Window, start: Instant, ended: &AtomicBool) -> anyhow::Result<()> {
    let (mut title, mut scale) = (app.title(), app.scale());
    let (mut last, mut first) = (Instant::now(), true);
    loop {
        let input = window.wait_frame();
        if !window.is_open() || ended.load(Ordering::Acquire) {
            return Ok(());
        }
        let now = Instant::now();
        let drawn = app.frame_if_new(&input, now - last, window.is_visible());
        last = now;
        if let Some(is_full) = window.full_screen_changed() {
            app.note_full_screen(is_full);
        }
        if let Err(reason) = window.set_full_screen(app.full_screen()) {
            app.refuse_full_screen(reason);
        }
        window.set_typing(app.types());
        if app.scale() != scale {
            scale = app.scale();
            window.set_scale(scale);
        }
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
                window.copy(text);
            }
        }
        window.present(app.canvas())?;
        if std::mem::take(&mut first) {
            app.opened(start.elapsed());
        }
    }
}
