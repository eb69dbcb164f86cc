//! The list of all commands, filtered by the typed letters.

use std::borrow::Cow;

use steerbox_core::world::ParamValue;
use steerbox_picture::render::coloring;
use steerbox_project::reload::{KnobName, Planned, SCENE_TEMPLATES};
use steerbox_scene::GroupPlan;

use super::action::{Action, DrawStep, EditorAction, PlotFile, SessionAction, ViewAction};
use super::keys;
use super::synonyms::is_synonym;
use super::window_command::WindowCommand;
use crate::model::dialog::Dialog;
use crate::model::drawing::Drawn;
use crate::model::live_session::LiveSession;
use crate::model::log::FilePlace;
use crate::model::panes::{Dock, Pane};
use crate::model::plots::{Plot, PlotSubject, Plots, Quantity};
use crate::model::search::fit;
use crate::model::templates::RULES;
use crate::model::view_state::ViewState;

/// Maximum number of listed obstacles.
const MAX_OBSTACLES: usize = 100;

/// An entry of the list.
pub(crate) struct Listed {
    pub(crate) name: Cow<'static, str>,
    pub(crate) about: &'static str,
    pub(crate) keys: String,
    /// Its action, or the reason why it has no effect now.
    pub(crate) action: Result<Action, &'static str>,
}

impl Listed {
    pub(crate) fn new(name: impl Into<Cow<'static, str>>, action: impl Into<Action>) -> Self {
        Self { name: name.into(), about: "", keys: String::new(), action: Ok(action.into()) }
    }

    /// The command of the window with an action.
    pub(crate) fn of(action: impl Into<Action>, session: &LiveSession, view: &ViewState) -> Option<Self> {
        let action = action.into();
        let command = keys::commands().find(|command| command.action(session) == action)?;
        Some(Self::command(command, session, view))
    }

    fn command(command: &WindowCommand, session: &LiveSession, view: &ViewState) -> Self {
        Self {
            name: command.name.into(),
            about: command.about,
            keys: command.keys(),
            action: command.when.refusal(session, view).map_or_else(|| Ok(command.action(session)), Err),
        }
    }

    /// The score of its name as a match of typed letters; a synonym counts least.
    fn fit(&self, typed: &str) -> Option<i32> {
        fit(typed, &self.name).or_else(|| is_synonym(typed, &self.name).then_some(0))
    }
}

/// The commands that match `typed`, the best first; all commands if it is empty.
pub(crate) fn found(typed: &str, session: &LiveSession, view: &ViewState) -> Vec<Listed> {
    let fitting = all(session, view).into_iter().filter_map(|listed| Some((listed.fit(typed)?, listed)));
    let mut fitting: Vec<_> = fitting.collect();
    if !typed.trim().is_empty() {
        // Available commands come first.
        fitting.sort_by_key(|(fit, listed)| (listed.action.is_err(), -fit));
    }
    fitting.into_iter().map(|(_, listed)| listed).collect()
}

/// All commands.
fn all(session: &LiveSession, view: &ViewState) -> Vec<Listed> {
    let scene = &session.run.generation.scene;
    let mut all: Vec<_> = keys::commands()
        .filter(|command| command.action(session) != ViewAction::ToggleDialog(Dialog::Commands).into())
        .map(|command| Listed::command(command, session, view))
        .collect();
    all.extend(scene.keys.iter().map(|plan| Listed {
        keys: plan.key.to_string(),
        ..Listed::new(keys::meaning(&plan.action, scene), SessionAction::SceneKey(plan.action.clone()))
    }));
    all.extend(session.pause_when.as_ref().map(|watched| {
        let name = format!("Stop pausing when {}", watched.condition.text());
        Listed::new(name, SessionAction::PauseWhen(String::new()))
    }));
    all.extend(faults(session));
    all.extend(files(session, view));
    all.extend(additions(session, view));
    all.extend(scripts(session, view));
    session.run.generation.planned().for_each(|planned| all.extend(values(planned)));
    all.extend(more_units(session));
    all.extend(views(session));
    all.extend(obstacles_and_paths(session));
    all.extend(colors(session, view));
    all.extend(plots(session, view));
    all.extend(panes(session, view));
    all
}

/// Moves each pane to its other docks.
fn panes(session: &LiveSession, view: &ViewState) -> impl Iterator<Item = Listed> {
    let others = move |pane: Pane| {
        let others = pane.docks().iter().filter(move |dock| view.layout.panes.dock(pane) != **dock);
        others.map(move |dock| {
            let name = match dock {
                Dock::World => format!("Show {} {}", pane.words()[1], dock.words()),
                _ => format!("Dock {} {}", pane.words()[1], dock.words()),
            };
            Listed::new(name, ViewAction::DockPane(pane, *dock))
        })
    };
    let has_notes = session.run.generation.scene.notes.is_some();
    let is_known = move |pane: &Pane| match pane {
        Pane::Results => view.results.is_some(),
        Pane::Notes => has_notes,
        _ => true,
    };
    Pane::ALL.into_iter().filter(is_known).flat_map(others)
}

/// Opens the scripts of the selected unit, and closes the open script.
fn scripts(session: &LiveSession, view: &ViewState) -> Vec<Listed> {
    let world = session.run.simulation.world();
    let group = view.selection.inspected().and_then(|unit| world.units.group.get(unit));
    let planned = group.and_then(|group| session.run.generation.behaviors.get(*group as usize));
    let open = planned.into_iter().flatten().enumerate().map(|(at, planned)| {
        Listed::new(format!("Open script {}", planned.handle.script), ViewAction::OpenScript(at))
    });
    let close = view.shows_script().then(|| Listed::new("Close the script", ViewAction::CloseScript));
    open.chain(close).collect()
}

/// Edits files in the window.
fn files(session: &LiveSession, view: &ViewState) -> impl Iterator<Item = Listed> {
    view.editable(session).into_iter().map(|file| {
        let name = format!("Edit {file}");
        Listed::new(name, EditorAction::Open(FilePlace { file, line: 1, column: 1 }))
    })
}

/// New rules, scenes and groups, and the script in the editor as a rule of each group.
fn additions(session: &LiveSession, view: &ViewState) -> Vec<Listed> {
    let rules = RULES
        .iter()
        .enumerate()
        .map(|(at, (name, ..))| Listed::new(format!("New rule: {name}"), EditorAction::NewRule(at)));
    let scenes = SCENE_TEMPLATES.iter().enumerate().map(|(at, template)| {
        Listed::new(format!("New scene: {}", template.title), EditorAction::NewScene(at))
    });
    let group = Listed::new("Add a group to the scene", EditorAction::AddGroup);
    let script = view.editor.open_name().and_then(|name| name.strip_suffix(".rhai"));
    let groups = session.run.newest().scene.groups.iter().filter(|plan| !plan.is_player);
    let added = script.into_iter().flat_map(|script| {
        groups.clone().map(move |plan| {
            let (group, script) = (plan.common.name.clone(), script.to_owned());
            Listed::new(format!("Add rule {script} to {group}"), EditorAction::AddRule { group, script })
        })
    });
    rules.chain(scenes).chain([group]).chain(added).collect()
}

/// Switches a behavior, and resets its tuned values.
pub(crate) fn values(planned: &Planned) -> Vec<Listed> {
    let handle = &planned.handle;
    let which = if handle.occurrence > 0 { format!(" ({})", handle.occurrence + 1) } else { String::new() };
    let of = format!("{}{which} of {}", handle.script, handle.group);
    let on = planned.enabled;
    let switch = SessionAction::Tune(handle.clone(), KnobName::Enabled, ParamValue::Switch(!on));
    let switch = Listed::new(format!("Switch {} {of}", if on { "off" } else { "on" }), switch);
    let tuned = planned.knobs.iter().filter(|knob| knob.tuned).map(|knob| {
        let name = format!("Reset {} of {of}", knob.name.as_str());
        Listed::new(name, SessionAction::ResetValue(handle.clone(), knob.name.clone()))
    });
    std::iter::once(switch).chain(tuned).collect()
}

/// Adds a unit to each group.
fn more_units(session: &LiveSession) -> Vec<Listed> {
    let plans = session.run.generation.scene.groups.iter().enumerate().filter(|(_, plan)| !plan.is_player);
    let add = |(at, plan): (usize, &GroupPlan)| {
        let name = format!("Add a unit of {} at the pointer", plan.common.name);
        Listed::new(name, ViewAction::AddAtPointer(Some(at)))
    };
    plans.map(add).collect()
}

/// Selects obstacles, redraws paths, and reverts edits of both.
fn obstacles_and_paths(session: &LiveSession) -> Vec<Listed> {
    let world = session.run.simulation.world();
    let obstacles = (0..world.obstacles.len().min(MAX_OBSTACLES))
        .map(|at| Listed::new(format!("Select obstacle {}", at + 1), ViewAction::SelectObstacle(Some(at))));
    let paths = world.paths.iter().map(|path| {
        let drawn = Drawn::Path(Some(path.name.clone()));
        Listed::new(format!("Redraw path {}", path.name), ViewAction::Draw(DrawStep::Begin(drawn)))
    });
    let changes = session.revertible_edits().into_iter();
    let changes = changes.map(|(words, back)| Listed::new(format!("Revert: {words}"), back));
    paths.chain(obstacles).chain(changes).collect()
}

/// The views of each group.
fn views(session: &LiveSession) -> Vec<Listed> {
    let world = session.run.simulation.world();
    let choices = |(index, group): (usize, &steerbox_core::world::Group)| {
        let (now, name) = (group.view, group.name.clone());
        let views = (0..world.views.len()).map(Some).chain([None]).filter(move |view| *view != now);
        views.map(move |view| {
            let words = view.map_or("none", |view| world.views[view].name.as_str());
            Listed::new(format!("View of {name}: {words}"), SessionAction::SetView(index, view))
        })
    };
    let groups = world.groups.iter().enumerate().filter(|_| !world.views.is_empty());
    groups.flat_map(choices).collect()
}

/// The values that colors of units can show.
fn colors(session: &LiveSession, view: &ViewState) -> Vec<Listed> {
    let choices = coloring::choices(&session.run.generation.scene, session.run.simulation.world());
    let others = choices.into_iter().filter(|shown| view.color_by.as_ref() != Some(shown));
    let others = others.map(|shown| {
        let name = format!("Color units by {}", coloring::words(&shown).0);
        Listed::new(name, ViewAction::ColorBy(Some(shown)))
    });
    let plain = view.color_by.as_ref();
    let plain = plain.map(|_| Listed::new("Color units as in the scene", ViewAction::ColorBy(None)));
    others.chain(plain).collect()
}

/// The quantities and subjects of plots.
fn plots(session: &LiveSession, view: &ViewState) -> Vec<Listed> {
    let world = session.run.simulation.world();
    let quantities = Quantity::all().map(|quantity| {
        let verb = if view.plots.chosen.contains(&quantity) { "Stop plotting" } else { "Plot" };
        Listed::new(format!("{verb} {}", quantity.words().0), ViewAction::TogglePlot(quantity))
    });
    let groups = world.groups.iter().enumerate();
    let groups = groups.map(|(at, group)| (PlotSubject::Group(at), format!("Plots of {}", group.name)));
    let whole =
        [(PlotSubject::Groups, "Plots of all groups"), (PlotSubject::Unit, "Plots of the selected unit")];
    let whole = whole.map(|(shown, name)| (shown, name.to_owned()));
    let of = whole.into_iter().chain(groups).filter(|(shown, _)| *shown != view.plots.shown);
    let of = of.map(|(shown, name)| Listed::new(name, ViewAction::PlotOf(shown)));
    let span = view
        .plots
        .span
        .map(|_| Listed::new("Clear the marked span in the plots", ViewAction::MarkSpan(None)));
    quantities.chain(of).chain(span).chain(kinds_and_files(&view.plots)).collect()
}

/// The other kinds of each visible plot, and its files.
fn kinds_and_files(plots: &Plots) -> Vec<Listed> {
    let visible = if plots.open { plots.plots() } else { Vec::new() };
    let of_plot = |plot: &Plot| {
        let title = plots.title(&plot.name);
        let kinds = plots.kinds_of(plot).into_iter().filter(|kind| *kind != plot.kind);
        let kinds = kinds.map(|kind| {
            let action = ViewAction::PlotAs(plot.name.clone(), kind.clone());
            Listed::new(format!("Plot {title} {}", kind.words()), action)
        });
        let files = PlotFile::all().map(|file| {
            let name = format!("Save the plot of {title} as {}", file.extension().to_uppercase());
            Listed::new(name, ViewAction::SavePlot(Some(plot.name.clone()), file))
        });
        kinds.chain(files).collect::<Vec<_>>()
    };
    visible.iter().flat_map(of_plot).collect()
}

/// Opens the locations of the last errors.
fn faults(session: &LiveSession) -> Vec<Listed> {
    let mut places: Vec<&FilePlace> = Vec::new();
    for line in session.log.lines() {
        places.extend(line.place.as_ref().filter(|place| !places.contains(place)));
    }
    let last = places.into_iter().rev().take(3);
    let open = |place: &FilePlace| {
        let name = format!("Open {} at line {} in your editor", place.file, place.line);
        Listed::new(name, SessionAction::OpenInEditor(place.clone()))
    };
    last.map(open).collect()
}
