//! The connection to the window, and the requests to refresh that follow from its news.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::PathBuf;

use crossbeam_channel::{Receiver, unbounded};
use lsp_server::{Request, RequestId};
use serde_json::Value;
use steerbox_project::link::{Command, Link, News, Sockets, State};

use super::client::Client;

/// The connection to the window of the project.
pub(super) struct Window {
    link: Option<Link>,
    /// Requests of the editor by the numbers of their commands.
    commands: BTreeMap<u64, RequestId>,
    /// The number of the last command.
    last: u64,
    /// Requests to the editor that it has not answered, by method; true if another change followed. There is never a second
    /// one of a kind, so that a slow editor does not accumulate them.
    refreshing: BTreeMap<String, bool>,
    projects: BTreeSet<PathBuf>,
    shows_scripts: bool,
}

impl Window {
    /// Starts to search for a window, if there are sockets. Also returns its news.
    ///
    /// # Errors
    /// If the system provides no thread.
    pub(super) fn new(sockets: Option<Sockets>) -> io::Result<(Self, Receiver<News>)> {
        let (sender, news) = unbounded();
        let link = match sockets {
            Some(sockets) => Some(Link::start(sockets, move |one| _ = sender.send(one))?),
            None => None,
        };
        let news = if link.is_some() { news } else { crossbeam_channel::never() };
        let (commands, refreshing, projects, shows_scripts) = Default::default();
        Ok((Self { link, commands, last: 0, refreshing, projects, shows_scripts }, news))
    }

    /// Sets the folders of the project.
    pub(super) fn set_projects(&mut self, projects: &BTreeSet<PathBuf>) {
        if self.projects != *projects {
            self.projects.clone_from(projects);
            self.link.iter().for_each(|link| link.set_projects(projects));
        }
    }

    /// Sets if the editor shows a script.
    pub(super) fn set_shows_scripts(&mut self, shows: bool) {
        if std::mem::replace(&mut self.shows_scripts, shows) != shows {
            self.link.iter().for_each(|link| link.set_shows_scripts(shows));
        }
    }

    /// Sends the command of a request.
    ///
    /// # Errors
    /// If no window is connected.
    pub(super) fn send(&mut self, id: RequestId, command: Command) -> Result<(), String> {
        let link = self.link.as_ref().ok_or("no window of this project runs")?;
        self.last += 1;
        link.send(self.last, command)?;
        self.commands.insert(self.last, id);
        Ok(())
    }

    /// Returns the request of a command, once.
    pub(super) fn take(&mut self, number: u64) -> Option<RequestId> {
        self.commands.remove(&number)
    }

    /// Returns all requests that have no answer yet, once.
    pub(super) fn take_all(&mut self) -> impl Iterator<Item = RequestId> + use<> {
        std::mem::take(&mut self.commands).into_values()
    }

    /// Notes that the editor answered a request. Returns the next one if there was a change since.
    pub(super) fn refreshed(&mut self, id: &RequestId) -> Option<Request> {
        let method = self.refreshing.keys().find(|method| RequestId::from((*method).clone()) == *id)?.clone();
        self.refreshing.remove(&method).filter(|is_outdated| *is_outdated)?;
        self.refresh(&method)
    }

    /// Returns a request to refresh, unless the editor has not answered the last one.
    fn refresh(&mut self, method: &str) -> Option<Request> {
        if let Some(is_outdated) = self.refreshing.get_mut(method) {
            *is_outdated = true;
            return None;
        }
        self.refreshing.insert(method.to_owned(), false);
        Some(Request { id: method.to_owned().into(), method: method.to_owned(), params: Value::Null })
    }

    /// Returns the requests to the editor that follow from a change of the state.
    pub(super) fn refreshes(
        &mut self,
        client: Client,
        before: Option<&State>,
        now: Option<&State>,
    ) -> Vec<Request> {
        let hints = |state: Option<&State>| state.map(|state| (state.files.clone(), state.unit.clone()));
        let lenses = |state: Option<&State>| state.map(|state| (state.uses.clone(), state.paused));
        let kinds = [
            ("workspace/inlayHint/refresh", client.refreshes_hints && hints(before) != hints(now)),
            ("workspace/codeLens/refresh", client.refreshes_lenses && lenses(before) != lenses(now)),
        ];
        let due = kinds.into_iter().filter(|(_, is_due)| *is_due);
        due.filter_map(|(method, _)| self.refresh(method)).collect()
    }
}

/// Returns the files whose failures changed.
pub(super) fn failing_paths(before: Option<&State>, now: Option<&State>) -> BTreeSet<PathBuf> {
    let all = |state: Option<&State>| state.map(|state| state.failing.clone()).unwrap_or_default();
    let (before, now) = (all(before), all(now));
    let changed =
        before.iter().filter(|one| !now.contains(one)).chain(now.iter().filter(|one| !before.contains(one)));
    changed.map(|failing| PathBuf::from(&failing.path)).collect()
}
