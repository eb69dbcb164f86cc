//! Everything that panel, keys and mouse can ask for.

use std::path::PathBuf;

use glam::{Vec2, Vec3};

use crate::app::model::dialog::Dialog;
use crate::app::model::drawing::Drawn;
use crate::app::model::history::Plotted;
use crate::app::model::log::FilePlace;
use crate::app::model::plots::{Quantity, Shown};
use crate::dynamics::Motion;
use crate::reload::{Handle, KnobName, KnownScene};
use crate::scene::{ColorBy, KeyAction, ParamValue, SceneEdit};
use crate::sim::UnitState;
use crate::world::Obstacle;

/// One command of the user. Each half is executed by one exhaustive match: an action without a handler does not compile.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) enum Action {
    /// Changes what is shown.
    View(ViewAction),
    /// Changes the session: its simulation, values and files.
    Session(SessionAction),
}

impl From<ViewAction> for Action {
    fn from(action: ViewAction) -> Self {
        Self::View(action)
    }
}

impl From<SessionAction> for Action {
    fn from(action: SessionAction) -> Self {
        Self::Session(action)
    }
}

/// A command that the view executes, with the session where it needs it.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) enum ViewAction {
    /// Close the card of the first start for good.
    CloseWelcome,
    /// Select an obstacle alone, or none.
    PickObstacle(Option<usize>),
    /// Move the selected obstacle, or the selected units, by so many points, y up.
    Nudge(Vec2),
    /// Make the radius of the selected obstacle larger by so many points.
    Resize(f32),
    /// Add an obstacle where the pointer is.
    AddObstacle(NewShape),
    /// Draw a polygon or a path.
    Draw(DrawStep),
    /// Remove the selected obstacle or units.
    RemoveSelected,
    /// Copy the selected obstacle or units.
    CopySelected,
    /// Carry out the edit of the open question, or drop it.
    Answer(bool),
    /// Add a unit of a group where the pointer is.
    AddAtPointer(Option<usize>),
    /// Show the whole world.
    Fit,
    /// Follow the player through space, or look at the whole of it.
    ToggleChase,
    /// Select these units alone; the last is inspected.
    Select(Vec<usize>),
    /// Select a unit beside others, or no longer.
    ToggleSelected(usize),
    /// Keep a unit's figures in view, or no longer; without a number, the inspected unit's.
    TogglePinned(Option<usize>),
    /// Select a unit by its number and show where it is.
    Find(usize),
    /// Open the script of the inspected unit's behavior at this place of its group.
    OpenScript(usize),
    /// Close the script.
    CloseScript,
    /// Plot the value of a line over time, or no longer.
    PlotLine(Plotted),
    /// Let the world fill the window, or no longer.
    TogglePresentation,
    /// Switch full screen.
    ToggleFullScreen,
    /// Show or hide the log.
    ToggleLog,
    /// Show or hide the plots.
    TogglePlots,
    /// Measure and show what rules cost, or no longer.
    ToggleCosts,
    /// Plot a quantity, or no longer.
    TogglePlot(Quantity),
    /// Choose whose values are plotted.
    PlotOf(Shown),
    /// Mark a span of time in all plots, seconds; or none.
    MarkSpan(Option<[f32; 2]>),
    /// Write what the plots show into a file.
    SavePlots,
    /// Keep the inspected unit in the middle of the view, or no longer.
    ToggleFollow,
    /// Ask for the number of a unit.
    AskUnit,
    /// Open a dialog in place of the open one, or close it.
    ToggleDialog(Dialog),
    /// Close the first of these that is open: a question, a dialog, the card, a drawing, errors, a script; else
    /// deselect; else leave full screen.
    Escape,
    /// Show the state of all files in the panel.
    ShowFiles,
    /// Show or hide the grid.
    ToggleGrid,
    /// Show or hide trails.
    ToggleTrails,
    /// Show or hide velocities and contributions of all units.
    ToggleVectors,
    /// Color units by this, or as the scene says.
    ColorBy(Option<ColorBy>),
    /// Color units by the next of what colors can show.
    NextColors,
    /// Show where selected units will be after each save, or no longer.
    TogglePreview,
    /// Run another scene in place of this one; whether tuned values may be discarded.
    OpenScene(KnownScene, bool),
    /// Show everything in the other theme.
    ToggleTheme,
    /// Show everything so many times as large, or as large as at first.
    Rescale(f32),
}

/// A command that the session executes.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) enum SessionAction {
    /// Pause or resume.
    TogglePause,
    /// Make one step and pause.
    Step,
    /// Look at a step of the past.
    LookAt(u64),
    /// Look at the step before.
    StepBack,
    /// Run what is recorded backwards, or no longer.
    PlayBackwards,
    /// Look at where something happened next, or before.
    Jump(bool),
    /// Return from the past to the present, or to that of the new run.
    ReturnToPresent,
    /// Go on from the step of the past that is looked at.
    GoOn,
    /// Return to the run that was before the past was changed.
    Discard,
    /// Pause as soon as an expression comes true; with an empty one, no longer.
    PauseWhen(String),
    /// Begin again from the scene.
    Restart,
    /// Simulated time runs this many times as fast as the scene says.
    Speed(f32),
    /// Tune a value.
    Tune(Handle, KnobName, ParamValue),
    /// Return a value to the file's.
    Untune(Handle, KnobName),
    /// Undo the last edit.
    Undo,
    /// Do once more what was undone last.
    Redo,
    /// Keep everything tuned under a name.
    SaveValues(String),
    /// Tune everything as it was kept under a name.
    LoadValues(String),
    /// Remove what was kept under a name.
    DeleteValues(String),
    /// Look at which names there are.
    ListValues,
    /// Run the scene under other rules beside this run.
    Compare(CompareWith),
    /// Begin the comparison that lies nearest, or end the one that goes on.
    ToggleCompare,
    /// Go on with one of two runs that are compared: with the second, if so.
    KeepRun(bool),
    /// Tell everything tuned as arguments of a command line.
    TellCommand,
    /// Show an obstacle like this while it is dragged.
    HoldObstacle(usize, Obstacle),
    /// Change an obstacle or a path of the scene.
    EditScene(SceneEdit),
    /// Let a scattered obstacle stand elsewhere; it is counted back from the last one, from 1.
    MoveScattered { back: usize, from: Obstacle, to: Obstacle },
    /// Show units where they are dragged to, by their keys.
    HoldUnits(Vec<(u64, Motion)>),
    /// Let go of units that were dragged.
    DropUnits { from: Vec<(u64, Motion)>, to: Vec<(u64, Motion)> },
    /// Add units.
    AddUnits(Vec<UnitState>),
    /// Remove units.
    RemoveUnits(Vec<usize>),
    /// Write everything tuned into the scene's file.
    Save,
    /// Let a group look through another view, or none.
    SetView(usize, Option<usize>),
    /// What a key of the scene does.
    Key(KeyAction),
    /// Set or clear the target.
    Target(Option<Vec3>),
    /// Dismiss the errors over the world until the next one.
    DismissErrors,
    /// Open a folder in the system's file manager.
    OpenFolder(PathBuf),
    /// Open a file at a line in the user's editor.
    Edit(FilePlace),
    /// Tell why a value was not taken.
    Refuse(String),
}

/// What is compared with.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) enum CompareWith {
    /// The values of the files, in place of those that are tuned.
    Files,
    /// Values that are kept under a name.
    Values(String),
    /// The rules of before the last save or slider.
    Earlier,
}

impl CompareWith {
    /// What B is, in words.
    pub(in crate::app) fn words(&self) -> String {
        match self {
            Self::Files => "values saved in the files".to_owned(),
            Self::Values(name) => format!("snapshot \"{name}\""),
            Self::Earlier => "rules before the last save".to_owned(),
        }
    }
}

/// The shapes that are added at the pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum NewShape {
    Circle,
    Box,
    Capsule,
}

/// A step of drawing.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) enum DrawStep {
    /// Begins.
    Begin(Drawn),
    /// Adds a corner there; at the first or the last one, it ends.
    Corner(Vec3),
    /// Adds a corner where the cursor is.
    CornerHere,
    /// Moves the cursor by so many points, y up.
    Move(Vec2),
    /// Takes the last corner back.
    Back,
    /// Makes what is drawn.
    End,
    /// Makes nothing.
    Cancel,
}
