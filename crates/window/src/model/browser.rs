//! The scenes that can be opened, with pictures of their state after some seconds.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use egui::{ColorImage, Context, TextureHandle, TextureOptions};
use glam::Vec2;
use steerbox_picture::render::camera::Camera;
use steerbox_picture::render::canvas::Canvas;
use steerbox_picture::render::picture::Picture;
use steerbox_picture::render::theme::{SceneColors, ThemeName};
use steerbox_picture::render::trails::Trails;
use steerbox_project::reload::{KnownScene, known_scenes, known_scenes_in};
use steerbox_project::session::{Options, Session};

use crate::model::search::fit;

/// Size of a picture, points.
pub(crate) const PICTURE_SIZE: egui::Vec2 = egui::vec2(248.0, 155.0);
/// Simulated seconds until a picture is drawn, and the limit of wall time for them.
const SECONDS: f32 = 6.0;
const MAX_WALL_TIME: Duration = Duration::from_millis(600);

/// A scene that can be opened.
pub(crate) struct Entry {
    pub(crate) scene: KnownScene,
    /// Its picture; `None` until it is drawn, or if the scene does not run.
    pub(crate) picture: Option<TextureHandle>,
}

/// The scenes that can be opened, while they are shown.
#[derive(Default)]
pub(crate) struct Browser {
    pub(crate) entries: Vec<Entry>,
    /// The scene whose opening must be confirmed, since it discards tuned values.
    pub(crate) unconfirmed: Option<usize>,
    pictures: Option<Pictures>,
}

/// The thread that draws the pictures; it ends when this is dropped.
struct Pictures {
    drawn: Receiver<(usize, Canvas)>,
    ended: Arc<AtomicBool>,
}

impl Drop for Pictures {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Release);
    }
}

impl Browser {
    /// Shows the scenes of a folder, by default `scenes/`, and the built-in ones. Pictures are drawn
    /// in a theme, with `scale` pixels per point.
    pub(crate) fn show(&mut self, folder: Option<&Path>, theme: ThemeName, scale: f32) {
        let known = folder.map_or_else(known_scenes, known_scenes_in);
        let entry = |scene| Entry { scene, picture: None };
        let entries = known.into_iter().map(entry).collect();
        *self = Self { entries, unconfirmed: None, pictures: None };
        self.draw_again(theme, scale);
    }

    /// Redraws the pictures in another theme; each old one stays until the new one is complete.
    pub(crate) fn draw_again(&mut self, theme: ThemeName, scale: f32) {
        let places: Vec<_> = self.entries.iter().map(|entry| entry.scene.place()).collect();
        let (sender, drawn) = channel();
        let ended = Arc::new(AtomicBool::new(false));
        let until = Arc::clone(&ended);
        let draws = move || {
            for (at, place) in places.into_iter().enumerate() {
                let options = place.map(|place| Options { threads: Some(1), ..Options::new(place) });
                let is_heard =
                    options.is_none_or(|options| draw(at, options, (theme, scale), &until, &sender));
                if !is_heard || until.load(Ordering::Acquire) {
                    return;
                }
            }
        };
        // Without a thread, only names are shown.
        let thread = thread::Builder::new().name("pictures".to_owned()).spawn(draws);
        self.pictures = thread.is_ok().then_some(Pictures { drawn, ended });
    }

    /// The scenes whose name or title matches `typed`, the best match first; all of them if `typed` is empty.
    pub(crate) fn found(&self, typed: &str) -> Vec<&Entry> {
        let fit = |entry: &Entry| {
            let words = [Some(entry.scene.name.as_str()), entry.scene.title.as_deref()];
            words.into_iter().flatten().filter_map(|words| fit(typed, words)).max()
        };
        let mut found: Vec<_> = self.entries.iter().filter_map(|entry| Some((fit(entry)?, entry))).collect();
        if !typed.trim().is_empty() {
            found.sort_by_key(|(fit, _)| -fit);
        }
        found.into_iter().map(|(_, entry)| entry).collect()
    }

    /// Receives the finished pictures. Returns true if there are any.
    pub(crate) fn receive(&mut self, context: &Context) -> bool {
        let Some(pictures) = &self.pictures else {
            return false;
        };
        let mut any = false;
        for (at, canvas) in pictures.drawn.try_iter() {
            let Some(entry) = self.entries.get_mut(at) else { continue };
            let rgb = canvas.pixels().iter().flat_map(|pixel| pixel.to_be_bytes().into_iter().skip(1));
            let image = ColorImage::from_rgb([canvas.width(), canvas.height()], &rgb.collect::<Vec<_>>());
            let texture = context.load_texture(&entry.scene.name, image, TextureOptions::LINEAR);
            entry.picture = Some(texture);
            any = true;
        }
        any
    }
}

/// Runs a scene for a while and sends its picture, unless it fails. Returns false if the receiver is gone.
fn draw(
    at: usize,
    options: Options,
    (theme, scale): (ThemeName, f32),
    ended: &AtomicBool,
    sender: &Sender<(usize, Canvas)>,
) -> bool {
    let Ok(mut session) = Session::<Trails>::open(options) else {
        return true;
    };
    let begin = Instant::now();
    let is_due = |session: &Session<Trails>| session.simulation.world().time() >= SECONDS;
    while !is_due(&session) && begin.elapsed() < MAX_WALL_TIME && session.simulation.step(ended) {}
    let size = PICTURE_SIZE * scale;
    let mut canvas = Canvas::new(size.x as usize, size.y as usize);
    let mut camera = Camera::default();
    camera.set_view(Vec2::ZERO, Vec2::new(size.x, size.y), scale, session.simulation.world());
    let trails = Some(session.simulation.observer());
    let scene = &session.generation.scene;
    let colors = SceneColors::new(scene, theme.theme());
    let picture = Picture::new(scene, &session.simulation, &camera, &colors);
    Picture { scale, trails, ..picture }.draw(&mut canvas);
    sender.send((at, canvas)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenes_of_a_folder_and_of_the_binary_are_listed_and_drawn_if_they_run() {
        let folder = tempfile::tempdir().unwrap();
        let good = "// One dot.\n(world: Plane(size: (90, 60)), bodies: {\"m\": Mover(length: 30)},
            groups: [(name: \"a\", body: \"m\", look: (shape: Dot, color: \"#ff0000\"))])";
        std::fs::write(folder.path().join("aaa.ron"), good).unwrap();
        std::fs::write(folder.path().join("aab.ron"), "(world:").unwrap();
        let mut browser = Browser::default();
        browser.show(Some(folder.path()), ThemeName::Paper, 1.0);
        let [first, second, third, ..] = &browser.entries[..] else { panic!("{}", browser.entries.len()) };
        assert_eq!((&*first.scene.name, &*first.scene.about), ("aaa", "One dot."));
        assert_eq!((&*second.scene.name, second.scene.title.as_ref()), ("aab", None));
        assert!(third.scene.file.is_none());
        let context = Context::default();
        while browser.entries[2].picture.is_none() {
            browser.receive(&context);
            thread::yield_now();
        }
        let drawn: Vec<_> = browser.entries[..2].iter().map(|entry| entry.picture.is_some()).collect();
        assert_eq!(drawn, [true, false]);
        let size = browser.entries[0].picture.as_ref().map(TextureHandle::size);
        assert_eq!(size, Some([PICTURE_SIZE.x as usize, PICTURE_SIZE.y as usize]));
    }
}
