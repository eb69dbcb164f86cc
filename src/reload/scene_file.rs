//! The scene of a project: the version that runs, and the newest content of its file.

use std::sync::Arc;

use super::generation::Status;
use crate::diagnostics::Fault;
use crate::scene::{self, Scene};

/// What is known of the scene's file.
#[derive(Clone, Default)]
pub(super) struct SceneFile {
    /// What runs.
    pub(super) live: Option<Arc<Scene>>,
    /// The newest content, if it is not what runs.
    pub(super) candidate: Option<Result<Arc<Scene>, Vec<Fault>>>,
    /// The text of `live`.
    text: Option<Arc<str>>,
    /// The text of `candidate`.
    newest: Option<Arc<str>>,
    pub(super) gone: bool,
    /// Nothing before the file was first seen.
    pub(super) status: Option<Status>,
    /// The generation since which `live` runs.
    pub(super) generation: u64,
    /// That a step of `live` is slow, if it is.
    pub(super) slow: Option<Fault>,
    /// The warnings about it in the last generation.
    pub(super) warned: Vec<Fault>,
}

impl SceneFile {
    /// Takes over the newest content; `None` when the file is gone. Whether that is news.
    pub(super) fn set(&mut self, name: &str, text: Option<Result<Arc<str>, Fault>>) -> bool {
        let known = match (&text, &self.candidate) {
            (Some(Ok(text)), _) => self.newest.as_ref() == Some(text),
            (Some(Err(fault)), Some(Err(known))) => known[..] == [fault.clone()],
            _ => false,
        };
        if known && !self.gone {
            return false;
        }
        self.gone = text.is_none();
        self.candidate = match text {
            None => None,
            Some(Err(fault)) => {
                self.newest = None;
                Some(Err(vec![fault]))
            }
            Some(Ok(text)) if self.live.is_some() && self.text.as_ref() == Some(&text) => None,
            Some(Ok(text)) => {
                let scene = scene::read(name, &text).map(Arc::new);
                self.newest = Some(text);
                Some(scene)
            }
        };
        true
    }

    /// Makes the candidate what runs, as generation `number`.
    pub(super) fn go_live(&mut self, scene: &Arc<Scene>, number: u64) {
        self.text = self.newest.take();
        self.live = Some(Arc::clone(scene));
        self.candidate = None;
        self.generation = number;
    }

    /// Notes that this program wrote `text`, which says what runs already.
    pub(super) fn wrote(&mut self, name: &str, text: &Arc<str>) {
        if let Ok(scene) = scene::read(name, text) {
            self.live = Some(Arc::new(scene));
            self.text = Some(Arc::clone(text));
        }
    }

    /// Whether another scene runs than this.
    pub(super) fn is_new(&self, scene: &Arc<Scene>) -> bool {
        !self.live.as_ref().is_some_and(|live| Arc::ptr_eq(live, scene))
    }
}
