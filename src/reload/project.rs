//! A project: a scene and its scripts, and how contents become a generation that runs.
//!
//! Every file's newest content is a candidate. All candidates are tried together; one that is
//! faulty is set aside with its faults and what ran before stays in its place, until a set is left
//! that works as a whole. Candidates that were set aside are tried again whenever anything changes.

use std::collections::BTreeSet;
use std::sync::Arc;

use thiserror::Error;

use super::dry_run::dry_run;
use super::event::{Event, EventKind};
use super::generation::{FileState, Generation, Knob, Planned, Status};
use super::place::Place;
use super::scripts::Scripts;
use super::tuned::{Handle, KnobName, Tuned};
use crate::diagnostics::{Fault, closest};
use crate::scene::{self, ParamValue, Scene, ScriptUse};
use crate::script::{ParamRange, Program, Script, ScriptBehavior};
use crate::sim::{Behavior, Frozen, slot_key};

/// A project that cannot start: its scene does not read.
#[derive(Debug, Error)]
#[error("the scene cannot be opened")]
pub struct LoadError(pub Vec<Fault>);

/// A scene, its scripts and what is tuned.
pub struct Project {
    place: Place,
    scene: SceneFile,
    scripts: Scripts,
    tuned: Tuned,
    /// Behaviors by script and values, so that what did not change is not compiled again.
    folded: Vec<Folded>,
    /// What new behaviors are tried on: the scene at its start.
    trial: Option<(Arc<Scene>, Arc<Frozen>)>,
    number: u64,
    /// Files whose content changed since the last generation.
    fresh: BTreeSet<String>,
    turned: bool,
}

#[derive(Default)]
struct SceneFile {
    live: Option<Arc<Scene>>,
    candidate: Option<Result<Arc<Scene>, Vec<Fault>>>,
    /// The text of `live`, and of `candidate`.
    text: Option<Arc<str>>,
    newest: Option<Arc<str>>,
    gone: bool,
    status: Option<Status>,
    generation: u64,
}

struct Folded {
    script: Arc<Script>,
    values: Vec<(String, ParamValue)>,
    behavior: Arc<dyn Behavior>,
    used: bool,
}

/// A file that does not work, and why.
struct Blame(String, Vec<Fault>);

impl Project {
    /// A project without contents yet.
    pub fn new(place: Place) -> Self {
        let scripts = Scripts::new(place.folders.len());
        let mut project = Self {
            place,
            scene: SceneFile::default(),
            scripts,
            tuned: Tuned::default(),
            folded: Vec::new(),
            trial: None,
            number: 0,
            fresh: BTreeSet::new(),
            turned: false,
        };
        if project.place.scene.is_none() {
            let (name, text) = super::default_scene();
            project.scene.candidate = Some(scene::read(name, text).map(Arc::new));
        }
        project
    }

    /// Takes over the scene's content; `None` when the file is gone.
    pub fn set_scene(&mut self, text: Option<Result<Arc<str>, Fault>>) {
        let name = self.place.scene_name();
        self.fresh.insert(name.clone());
        self.scene.gone = text.is_none();
        self.scene.candidate = match text {
            None => None,
            Some(Err(fault)) => Some(Err(vec![fault])),
            Some(Ok(text))
                if self.scene.live.is_some() && self.scene.text.as_ref() == Some(&text) =>
            {
                None
            }
            Some(Ok(text)) => {
                let scene = scene::read(&name, &text).map(Arc::new);
                self.scene.newest = Some(text);
                Some(scene)
            }
        };
    }

    /// Takes over a script's content in the `rank`-th folder; `None` when the file is gone.
    pub fn set_script(&mut self, name: &str, rank: usize, text: Option<Result<Arc<str>, Fault>>) {
        self.fresh.insert(format!("{name}.rhai"));
        self.scripts.set(name, rank, text);
    }

    /// Whether contents that differ from what runs wait to be composed.
    pub fn has_news(&mut self) -> bool {
        let gone = self.scene.gone && self.scene.status != Some(Status::Missing);
        let scripts = self.scripts.iter_mut().any(|(name, file)| {
            let fresh = self.fresh.contains(&format!("{name}.rhai"));
            fresh && (file.candidate.is_some() || file.is_gone() || file.status != Status::Live)
        });
        let scene = self.fresh.contains(&self.place.scene_name());
        scripts
            || gone
            || (scene
                && (self.scene.candidate.is_some() || self.scene.status != Some(Status::Live)))
    }

    /// Where the files are.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Tunes a value; it counts from the next generation on.
    pub fn tune(&mut self, handle: Handle, knob: KnobName, value: ParamValue) {
        self.tuned.set(handle, knob, value);
        self.turned = true;
    }

    /// Returns a value to the file's.
    pub fn untune(&mut self, handle: &Handle, knob: &KnobName) {
        self.tuned.clear(handle, knob);
        self.turned = true;
    }

    /// The next generation from all contents.
    ///
    /// # Errors
    /// When no version of the scene works: nothing has run yet and nothing can.
    pub fn compose(&mut self) -> Result<Generation, LoadError> {
        let hot = self.number > 0;
        let mut aside = self.unreadable();
        let (scene, crews) = loop {
            let Some(scene) = self.chosen_scene(&aside) else {
                return Err(LoadError(
                    aside
                        .into_iter()
                        .flat_map(|Blame(_, faults)| faults)
                        .collect(),
                ));
            };
            self.want(&scene);
            aside.extend(
                self.unreadable()
                    .into_iter()
                    .filter(|new| !holds(&aside, &new.0))
                    .collect::<Vec<_>>(),
            );
            match self.crews(&scene, &aside, hot) {
                Ok(crews) => break (scene, crews),
                Err(blame) => aside.push(blame),
            }
        };
        Ok(self.commit(scene, crews, &aside, hot))
    }

    /// Candidates that do not even read.
    fn unreadable(&mut self) -> Vec<Blame> {
        let mut aside = Vec::new();
        if let Some(Err(faults)) = &self.scene.candidate {
            aside.push(Blame(self.place.scene_name(), faults.clone()));
        }
        for (name, file) in self.scripts.iter_mut() {
            if let Some(Err(faults)) = &file.candidate {
                aside.push(Blame(format!("{name}.rhai"), faults.clone()));
            }
        }
        aside
    }

    fn chosen_scene(&self, aside: &[Blame]) -> Option<Arc<Scene>> {
        match &self.scene.candidate {
            Some(Ok(scene)) if !holds(aside, &self.place.scene_name()) => Some(Arc::clone(scene)),
            _ => self.scene.live.clone(),
        }
    }

    fn want(&mut self, scene: &Scene) {
        for planned in scene.groups.iter().flat_map(|group| &group.behaviors) {
            self.scripts.want(&planned.script);
        }
    }

    fn is_new(&self, scene: &Arc<Scene>) -> bool {
        !self
            .scene
            .live
            .as_ref()
            .is_some_and(|live| Arc::ptr_eq(live, scene))
    }

    /// Every behavior of every group, or the file to blame.
    fn crews(
        &mut self,
        scene: &Arc<Scene>,
        aside: &[Blame],
        hot: bool,
    ) -> Result<Vec<Vec<Planned>>, Blame> {
        let names = self.scripts.names();
        let unknown = scene.unknown_scripts(&names);
        if !unknown.is_empty() && self.is_new(scene) {
            return Err(Blame(self.place.scene_name(), unknown));
        }
        let mut crews = Vec::new();
        for (index, group) in scene.groups.iter().enumerate() {
            let mut crew: Vec<Planned> = Vec::new();
            for used in &group.behaviors {
                let occurrence = crew
                    .iter()
                    .filter(|planned| planned.handle.script == used.script)
                    .count();
                let handle = Handle {
                    group: group.name.clone(),
                    script: used.script.clone(),
                    occurrence,
                };
                crew.push(self.plan(scene, index, used, handle, aside, hot)?);
            }
            crews.push(crew);
        }
        self.check_marks(scene, aside)?;
        Ok(crews)
    }

    fn plan(
        &mut self,
        scene: &Arc<Scene>,
        group: usize,
        used: &ScriptUse,
        handle: Handle,
        aside: &[Blame],
        hot: bool,
    ) -> Result<Planned, Blame> {
        let (script, is_new) = self.chosen_script(&used.script, aside);
        let mut knobs = self.knobs(&handle, used);
        let mut planned = Planned {
            key: slot_key(&used.script, handle.occurrence),
            behavior: None,
            gain: number(&knobs[0].value),
            enabled: knobs[1].value == ParamValue::Switch(true),
            knobs: Vec::new(),
            script: None,
            handle,
        };
        if let Some(script) = script {
            self.param_knobs(scene, used, &script, is_new, &planned.handle, &mut knobs)?;
            let values = (knobs.iter())
                .filter_map(|knob| match &knob.name {
                    KnobName::Param(name) => Some((name.clone(), knob.value.clone())),
                    _ => None,
                })
                .collect();
            planned.script = Some(Arc::clone(&script));
            planned.behavior = Some(self.behavior(scene, group, &script, values, hot && is_new)?);
        }
        planned.knobs = knobs;
        Ok(planned)
    }

    /// The version of a script to try, and whether it does not run yet.
    fn chosen_script(&self, name: &str, aside: &[Blame]) -> (Option<Arc<Script>>, bool) {
        let Some(file) = self.scripts.get(name) else {
            return (None, false);
        };
        match &file.candidate {
            Some(Ok(script)) if !holds(aside, &format!("{name}.rhai")) => {
                (Some(Arc::clone(script)), true)
            }
            _ => (file.live.clone(), false),
        }
    }

    fn knob(&self, handle: &Handle, name: KnobName, file: ParamValue, range: ParamRange) -> Knob {
        let (value, tuned) = self.tuned.resolve(handle, &name, &file);
        Knob {
            name,
            value,
            file,
            range,
            tuned,
        }
    }

    /// Gain and switch.
    fn knobs(&self, handle: &Handle, used: &ScriptUse) -> Vec<Knob> {
        let most = (used.gain.abs() * 3.0).max(3.0);
        let gain = ParamRange::Number(used.gain.min(0.0) * 3.0, most);
        vec![
            self.knob(handle, KnobName::Gain, ParamValue::Number(used.gain), gain),
            self.knob(
                handle,
                KnobName::Enabled,
                ParamValue::Switch(used.enabled),
                ParamRange::Switch,
            ),
        ]
    }

    /// A knob for every parameter of the script, with what the scene sets.
    fn param_knobs(
        &self,
        scene: &Arc<Scene>,
        used: &ScriptUse,
        script: &Script,
        is_new: bool,
        handle: &Handle,
        knobs: &mut Vec<Knob>,
    ) -> Result<(), Blame> {
        let mut set = Vec::new();
        for setting in &used.params {
            let accepted = match script.param(&setting.name) {
                Some(param) => param
                    .accept(&setting.value)
                    .map_err(|message| (message, None)),
                None => Err(unknown_param(script, &setting.name)),
            };
            match accepted {
                Ok(value) => set.push((setting.name.as_str(), value)),
                Err((message, help)) => {
                    let mut fault = scene.fault(&setting.place, &message);
                    fault.help = help;
                    if self.is_new(scene) {
                        return Err(Blame(self.place.scene_name(), vec![fault]));
                    } else if is_new {
                        let fault = Fault::of_file(
                            &script.path,
                            format!("{}: {message}", fault_place(&fault)),
                        );
                        let help = "change the scene first, or keep the parameter";
                        return Err(Blame(script.path.clone(), vec![fault.help(help)]));
                    }
                }
            }
        }
        for param in &script.params {
            let file = set.iter().find(|(name, _)| *name == param.name);
            let file = file.map_or(&param.default, |(_, value)| value).clone();
            let mut knob = self.knob(
                handle,
                KnobName::Param(param.name.clone()),
                file,
                param.range.clone(),
            );
            // A value tuned under an older declaration may no longer fit.
            let accepted = param.accept(&knob.value);
            knob.tuned &= accepted.is_ok();
            knob.value = accepted.unwrap_or_else(|_| knob.file.clone());
            knobs.push(knob);
        }
        Ok(())
    }

    /// The behavior of a script under values, compiled unless it is known already.
    fn behavior(
        &mut self,
        scene: &Arc<Scene>,
        group: usize,
        script: &Arc<Script>,
        values: Vec<(String, ParamValue)>,
        trial: bool,
    ) -> Result<Arc<dyn Behavior>, Blame> {
        let known = self
            .folded
            .iter_mut()
            .find(|f| Arc::ptr_eq(&f.script, script) && f.values == values);
        let behavior = if let Some(folded) = known {
            folded.used = true;
            Arc::clone(&folded.behavior)
        } else {
            let blame = |faults| Blame(script.path.clone(), faults);
            let program = Program::fold(script, &values).map_err(blame)?;
            let behavior: Arc<dyn Behavior> = Arc::new(ScriptBehavior::new(program));
            let entry = Folded {
                script: Arc::clone(script),
                values,
                behavior: Arc::clone(&behavior),
                used: true,
            };
            self.folded.push(entry);
            behavior
        };
        if trial {
            let frozen = self.trial_of(scene, script);
            dry_run(&frozen, group, &*behavior, script)
                .map_err(|fault| Blame(script.path.clone(), vec![fault]))?;
        }
        Ok(behavior)
    }

    /// The scene at its start, with the marks of a script to try.
    fn trial_of(&mut self, scene: &Arc<Scene>, script: &Script) -> Arc<Frozen> {
        let known = self.trial.take().filter(|(of, _)| Arc::ptr_eq(of, scene));
        let mut frozen = known.map_or_else(
            || {
                let mut frozen = Frozen::new(scene::build(scene, None));
                frozen.sort();
                Arc::new(frozen)
            },
            |(_, frozen)| frozen,
        );
        if script
            .marks
            .iter()
            .any(|mark| frozen.world.marks.bit(mark).is_none())
        {
            let world = &mut Arc::make_mut(&mut frozen).world;
            for mark in &script.marks {
                let _ = world.marks.intern(mark);
            }
        }
        self.trial = Some((Arc::clone(scene), Arc::clone(&frozen)));
        frozen
    }

    /// Every mark that the scene's looks and its scripts name.
    fn marks(&self, scene: &Scene, aside: &[Blame]) -> Vec<String> {
        let looks = scene
            .groups
            .iter()
            .flat_map(|group| group.look.marks.iter().map(|(name, _)| name.clone()));
        let mut marks: Vec<String> = looks.collect();
        for used in scene.groups.iter().flat_map(|group| &group.behaviors) {
            if let (Some(script), _) = self.chosen_script(&used.script, aside) {
                marks.extend(script.marks.iter().cloned());
            }
        }
        let mut known = BTreeSet::new();
        marks.retain(|mark| known.insert(mark.clone()));
        marks
    }

    fn check_marks(&self, scene: &Arc<Scene>, aside: &[Blame]) -> Result<(), Blame> {
        let count = self.marks(scene, aside).len();
        if count <= 64 {
            return Ok(());
        }
        let name = self.place.scene_name();
        let fault = Fault::of_file(
            &name,
            format!("scene and scripts name {count} marks, but there are only 64"),
        );
        Err(Blame(name, vec![fault]))
    }

    /// Makes what works live, and notes what happened to every file.
    fn commit(
        &mut self,
        scene: Arc<Scene>,
        crews: Vec<Vec<Planned>>,
        aside: &[Blame],
        hot: bool,
    ) -> Generation {
        let marks = self.marks(&scene, aside);
        let scene_is_new = self.is_new(&scene);
        let any_script = self.scripts.iter_mut().any(|(name, file)| {
            matches!(&file.candidate, Some(Ok(_))) && !holds(aside, &format!("{name}.rhai"))
        });
        if scene_is_new || any_script || self.turned {
            self.number += 1;
        }
        self.turned = false;
        let mut events = Vec::new();
        let mut changed = Vec::new();
        self.commit_scene(&scene, scene_is_new, aside, hot, &mut events);
        self.commit_scripts(&scene, aside, hot, &mut events, &mut changed);
        self.fresh.clear();
        for planned in crews.iter().flatten() {
            for knob in &planned.knobs {
                self.tuned.settle(&planned.handle, &knob.name, &knob.file);
            }
        }
        self.folded
            .retain_mut(|folded| std::mem::take(&mut folded.used));
        let files = self.files(&scene);
        Generation {
            number: self.number,
            scene,
            crews,
            marks,
            files,
            events,
            changed,
            polling: None,
        }
    }

    fn commit_scene(
        &mut self,
        scene: &Arc<Scene>,
        is_new: bool,
        aside: &[Blame],
        hot: bool,
        events: &mut Vec<Event>,
    ) {
        let name = self.place.scene_name();
        let was = self.scene.status.take();
        let rejected = aside.iter().find(|Blame(file, _)| *file == name);
        let status = match rejected {
            Some(Blame(_, faults)) => Status::Rejected(faults.clone()),
            None if self.scene.gone => Status::Missing,
            None => Status::Live,
        };
        if is_new {
            self.scene.text = self.scene.newest.take();
            self.scene.live = Some(Arc::clone(scene));
            self.scene.candidate = None;
            self.scene.generation = self.number;
        }
        let good = if hot && is_new {
            EventKind::Reconciled
        } else {
            EventKind::Live
        };
        let fresh = self.fresh.contains(&name);
        self.note(&name, was.as_ref(), &status, (good, is_new, fresh), events);
        self.scene.status = Some(status);
    }

    fn commit_scripts(
        &mut self,
        scene: &Scene,
        aside: &[Blame],
        hot: bool,
        events: &mut Vec<Event>,
        changed: &mut Vec<String>,
    ) {
        let names: Vec<String> = self
            .scripts
            .iter_mut()
            .map(|(name, _)| name.clone())
            .collect();
        for name in names {
            let path = format!("{name}.rhai");
            let fresh = self.fresh.contains(&path);
            let number = self.number;
            let Some(file) = self.scripts.get_mut(&name) else {
                continue;
            };
            let rejected = aside.iter().find(|Blame(blamed, _)| *blamed == path);
            let mut is_new = false;
            let status = if let Some(Blame(_, faults)) = rejected {
                Status::Rejected(faults.clone())
            } else if let Some(Ok(script)) = file.candidate.take() {
                file.live = Some(script);
                file.generation = number;
                is_new = true;
                changed.push(name.clone());
                Status::Live
            } else if file.is_embedded() && file.status != Status::Missing && !fresh {
                file.status.clone()
            } else if file.is_gone() || file.live.is_none() {
                Status::Missing
            } else {
                Status::Live
            };
            let was = std::mem::replace(&mut file.status, status.clone());
            let is_used = scene
                .groups
                .iter()
                .flat_map(|group| &group.behaviors)
                .any(|used| used.script == name);
            if is_used || (hot && fresh) {
                self.note(
                    &path,
                    hot.then_some(&was),
                    &status,
                    (EventKind::Live, is_new, fresh),
                    events,
                );
            }
        }
    }

    /// Adds the event of a file, if anything happened to it.
    fn note(
        &self,
        path: &str,
        was: Option<&Status>,
        status: &Status,
        (good, is_new, fresh): (EventKind, bool, bool),
        events: &mut Vec<Event>,
    ) {
        let changed = was != Some(status);
        let (kind, error) = match status {
            Status::Live if is_new || changed => (good, None),
            Status::Rejected(faults) if fresh || changed => {
                (EventKind::Rejected, faults.first().cloned())
            }
            Status::Missing if changed => (EventKind::Missing, None),
            _ => return,
        };
        events.push(Event {
            kind,
            path: path.to_owned(),
            generation: self.number,
            error,
        });
    }

    /// The scene, then every script that it uses or that is at fault.
    fn files(&mut self, scene: &Scene) -> Vec<FileState> {
        let mut files = vec![FileState {
            path: self.place.scene_name(),
            status: self.scene.status.clone().unwrap_or(Status::Live),
            generation: self.scene.generation,
            embedded: self.place.scene.is_none(),
        }];
        let used: BTreeSet<&str> = scene
            .groups
            .iter()
            .flat_map(|group| &group.behaviors)
            .map(|used| used.script.as_str())
            .collect();
        for (name, file) in self.scripts.iter_mut() {
            if used.contains(name.as_str()) || matches!(file.status, Status::Rejected(_)) {
                files.push(FileState {
                    path: format!("{name}.rhai"),
                    status: file.status.clone(),
                    generation: file.generation,
                    embedded: file.is_embedded(),
                });
            }
        }
        files
    }
}

fn holds(aside: &[Blame], file: &str) -> bool {
    aside.iter().any(|Blame(blamed, _)| blamed == file)
}

fn number(value: &ParamValue) -> f32 {
    match value {
        ParamValue::Number(v) => *v,
        ParamValue::Integer(v) => *v as f32,
        _ => 1.0,
    }
}

fn unknown_param(script: &Script, name: &str) -> (String, Option<String>) {
    let names = || script.params.iter().map(|param| param.name.as_str());
    let message = format!("{} has no parameter \"{name}\"", script.path);
    let help = match closest(name, names()) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None if script.params.is_empty() => "it declares none".to_owned(),
        None => format!("it has {}", names().collect::<Vec<_>>().join(", ")),
    };
    (message, Some(help))
}

fn fault_place(fault: &Fault) -> String {
    format!("{}:{}:{}", fault.path, fault.line, fault.column)
}
