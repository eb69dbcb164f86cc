//! Fonts of the system in the window: characters that no font of the window contains are boxes until a thread has found
//! fonts for them.

use std::collections::BTreeSet;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use egui::Context;
use egui::epaint::text::{FallbackRequest, FontInsert, FontProvider};
use steerbox_picture::render::system_fonts::{self, Font};

use crate::model::log::{Log, Tone};

/// The fonts that were found, and the search for others.
#[derive(Default)]
pub(crate) struct FallbackFonts {
    chars: Arc<Mutex<Chars>>,
    search: Option<Receiver<(Vec<Font>, BTreeSet<char>)>>,
    /// Packages that the log has named.
    reported: BTreeSet<&'static str>,
}

/// The fonts for the layout of texts, and the characters for the search.
#[derive(Default)]
struct Chars {
    fonts: Vec<Font>,
    /// Characters that were drawn as boxes; and those that no font of the system contains.
    wanted: BTreeSet<char>,
    missing: BTreeSet<char>,
}

/// Passes the fonts to egui.
struct Provider(Arc<Mutex<Chars>>);

impl FontProvider for Provider {
    fn font_for(&self, request: &FallbackRequest<'_>) -> Option<FontInsert> {
        let c = request.cluster.chars().next()?;
        let mut chars = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let font = chars.fonts.iter().find_map(|font| font.with(c));
        if font.is_none() && !chars.missing.contains(&c) {
            chars.wanted.insert(c);
        }
        font
    }
}

impl FallbackFonts {
    /// Starts a search for characters of the last frame, and shows what one has found. Returns true if the picture changes.
    pub(crate) fn update(&mut self, context: &Context, log: &mut Log) -> bool {
        let Some((mut fonts, mut missing)) = self.search.as_ref().and_then(|search| search.try_recv().ok())
        else {
            self.start();
            return false;
        };
        self.search = None;
        for c in &missing {
            let package = system_fonts::package(*c);
            if self.reported.insert(package) {
                let text = format!(
                    "no font of this system contains `{c}` (U+{:04X}): install one, for example the package {package}",
                    u32::from(*c)
                );
                log.add(Tone::Warning, 0, text);
            }
        }
        let mut chars = self.chars.lock().unwrap_or_else(PoisonError::into_inner);
        chars.missing.append(&mut missing);
        chars.fonts.append(&mut fonts);
        drop(chars);
        self.install(context);
        true
    }

    /// Makes a context request fonts for all characters that it lacks, again if it did before.
    pub(crate) fn install(&self, context: &Context) {
        context.set_font_providers(vec![Arc::new(Provider(Arc::clone(&self.chars)))]);
    }

    fn start(&mut self) {
        if self.search.is_some() {
            return;
        }
        let mut chars = self.chars.lock().unwrap_or_else(PoisonError::into_inner);
        let wanted = std::mem::take(&mut chars.wanted);
        if wanted.is_empty() {
            return;
        }
        let (sender, receiver) = channel();
        let find = move || _ = sender.send(system_fonts::find(&wanted));
        let thread = thread::Builder::new().name("fonts".to_owned()).spawn(find);
        self.search = thread.is_ok().then_some(receiver);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_without_a_font_is_searched_once_and_its_package_named_once() {
        let (context, mut fonts, mut log) = (Context::default(), FallbackFonts::default(), Log::default());
        fonts.install(&context);
        // No font contains the last two characters of a private plane.
        for (text, searches) in [("a", 0), ("a\u{10fffc}", 1), ("\u{10fffc}", 0), ("\u{10fffd}", 1)] {
            let frame = || _ = context.run_ui(egui::RawInput::default(), |ui| _ = ui.label(text));
            frame();
            let mut found = 0;
            while {
                found += i32::from(fonts.update(&context, &mut log));
                fonts.search.is_some()
            } {
                thread::yield_now();
            }
            frame();
            assert_eq!((found, fonts.update(&context, &mut log)), (searches, false), "{text}");
        }
        let expected = "no font of this system contains `\u{10fffc}` (U+10FFFC): install one, for example the package fonts-noto-core";
        assert_eq!(log.lines().map(|line| &*line.text).collect::<Vec<_>>(), [expected]);
    }
}
