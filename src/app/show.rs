//! The window's main loop: input, swap, steps, picture, panel, present.

use std::time::Instant;

use super::canvas::Canvas;
use super::egui_paint::Painter;
use super::frame;
use super::log::Tone;
use super::session::{Options, Session};
use super::shown::Shown;
use super::theme;
use super::window::Window;

/// Size of the window when it opens.
const SIZE: (usize, usize) = (1280, 800);

/// Opens the window and runs until it is closed.
///
/// # Errors
/// When the scene does not read, or there is no display.
pub fn open(options: Options) -> anyhow::Result<()> {
    let start = Instant::now();
    let scale = options.scale.clamp(0.5, 4.0);
    let mut session = Session::start(options)?;
    let title = |session: &Session| format!("{} – steerbox", session.generation.scene.title);
    let mut shown_title = title(&session);
    let mut window = Window::open(&shown_title, SIZE.0, SIZE.1, scale)?;
    let context = egui::Context::default();
    theme::apply(&context);
    let (mut canvas, mut painter) = (Canvas::new(SIZE.0, SIZE.1), Painter::new());
    let mut shown = Shown::default();
    let mut last = Instant::now();
    loop {
        let input = window.wait_frame();
        if !window.is_open() {
            return Ok(());
        }
        let begin = Instant::now();
        let passed = begin - last;
        last = begin;
        session.receive();
        shown.interact(&context, &input, &mut session);
        session.advance(passed.as_secs_f32());
        let output = frame::draw(
            &mut canvas,
            &context,
            &mut painter,
            &input,
            &mut session,
            &mut shown,
        );
        window.set_cursor(output.cursor_icon);
        for command in output.commands {
            if let egui::OutputCommand::CopyText(text) = command {
                window.set_clipboard(text);
            }
        }
        shown.frame_time = (shown.frame_time * 9 + begin.elapsed()) / 10;
        shown.frame_every = (shown.frame_every * 9 + passed) / 10;
        window.present(&canvas)?;
        if !std::mem::replace(&mut shown.ready, true) {
            let ready = format!(
                "first frame after {:.0} ms",
                start.elapsed().as_secs_f32() * 1000.0
            );
            session.log.say(Tone::Plain, 0, ready);
        }
        if title(&session) != shown_title {
            shown_title = title(&session);
            window.set_title(&shown_title);
        }
    }
}
