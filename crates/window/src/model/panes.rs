//! The panes of the window, their docks and sizes, and their arrangement around the world.

use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};
use steerbox_core::enum_with_all;

use super::switch::Switch;

enum_with_all! {
    /// A pane; of those in one dock, the first is the outermost.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub(crate) enum Pane {
        Controls,
        Notes,
        Log,
        Plots,
        Results,
        Editor,
    }
}

/// The place of a pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) enum Dock {
    Left,
    Right,
    Bottom,
    /// Over the world; of the plots alone.
    World,
}

impl Pane {
    /// Its name in tabs, and in commands.
    pub(crate) fn words(self) -> [&'static str; 2] {
        match self {
            Self::Controls => ["Panel", "the panel"],
            Self::Notes => ["Notes", "the notes"],
            Self::Log => ["Log", "the log"],
            Self::Plots => ["Plots", "the plots"],
            Self::Results => ["Results", "the results"],
            Self::Editor => ["Editor", "the editor"],
        }
    }

    /// The switch that opens it.
    pub(crate) fn switch(self) -> Option<Switch> {
        match self {
            Self::Controls | Self::Editor => None,
            Self::Notes => Some(Switch::Notes),
            Self::Log => Some(Switch::Log),
            Self::Plots => Some(Switch::Plots),
            Self::Results => Some(Switch::Results),
        }
    }

    /// Its possible docks, the default one first unless the window is wide.
    pub(crate) fn docks(self) -> &'static [Dock] {
        match self {
            Self::Controls => &[Dock::Right, Dock::Left, Dock::Bottom],
            Self::Notes => &[Dock::Left, Dock::Right, Dock::Bottom],
            Self::Log | Self::Results | Self::Editor => &[Dock::Bottom, Dock::Left, Dock::Right],
            Self::Plots => &[Dock::World, Dock::Left, Dock::Right, Dock::Bottom],
        }
    }

    /// Its size until the user sets one: width at a side, height at the bottom. 0 for a log that fits its content.
    fn default_size(self, dock: Dock) -> f32 {
        match (self, dock == Dock::Bottom) {
            (Self::Controls | Self::Notes | Self::Log, false) => 322.0,
            (Self::Controls | Self::Notes | Self::Editor, true) => 250.0,
            (Self::Log, true) => 0.0,
            (Self::Plots, false) => 360.0,
            (Self::Plots, true) => 220.0,
            (Self::Results, false) => 420.0,
            (Self::Results, true) => 300.0,
            (Self::Editor, false) => 480.0,
        }
    }
}

impl Dock {
    /// Its name in commands: "Dock the log …".
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::Bottom => "at the bottom",
            Self::World => "over the world",
        }
    }
}

/// The settings of a pane; `None` and 0 stand for its defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Placed {
    dock: Option<Dock>,
    /// Width at a side, and height at the bottom, points.
    width: f32,
    height: f32,
}

/// Docks and sizes of all panes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Panes {
    controls: Placed,
    notes: Placed,
    log: Placed,
    plots: Placed,
    results: Placed,
    editor: Placed,
    /// True in a wide window, where the editor and the plots are beside the world by default.
    #[serde(skip)]
    pub(crate) is_wide: bool,
}

impl Panes {
    /// Minimum and maximum size that the user can set, points.
    const LIMITS: [f32; 2] = [20.0, 4000.0];

    /// The dock of a pane.
    pub(crate) fn dock(&self, pane: Pane) -> Dock {
        let chosen = self[pane].dock.filter(|dock| pane.docks().contains(dock));
        chosen.unwrap_or(self.default_dock(pane))
    }

    fn default_dock(&self, pane: Pane) -> Dock {
        match pane {
            Pane::Editor if self.is_wide => Dock::Left,
            Pane::Plots if self.is_wide => Dock::Right,
            _ => pane.docks()[0],
        }
    }

    /// The size of a pane: its width at a side, its height at the bottom, points.
    pub(crate) fn size(&self, pane: Pane) -> f32 {
        let dock = self.dock(pane);
        let size = if dock == Dock::Bottom { self[pane].height } else { self[pane].width };
        if size > 0.0 { size } else { pane.default_size(dock) }
    }

    /// True unless it is a log that fits its content.
    pub(crate) fn is_sized(&self, pane: Pane) -> bool {
        self.size(pane) > 0.0
    }

    /// Moves a pane to a dock; the default one is not stored.
    pub(crate) fn move_to(&mut self, pane: Pane, dock: Dock) {
        self[pane].dock = Some(dock).filter(|dock| *dock != self.default_dock(pane));
    }

    /// Sets the size of a pane in its dock, points; 0 restores the default.
    pub(crate) fn resize(&mut self, pane: Pane, size: f32) {
        let is_bottom = self.dock(pane) == Dock::Bottom;
        let placed = &mut self[pane];
        *(if is_bottom { &mut placed.height } else { &mut placed.width }) = size;
    }

    /// Every size clamped to its range, and those that are not numbers replaced by the default.
    pub(crate) fn clamped(mut self) -> Self {
        let [least, most] = Self::LIMITS;
        for pane in Pane::ALL {
            let Placed { width, height, .. } = &mut self[pane];
            for size in [width, height] {
                *size = if size.is_nan() || *size == 0.0 { 0.0 } else { size.clamp(least, most) };
            }
        }
        self
    }
}

impl Index<Pane> for Panes {
    type Output = Placed;

    fn index(&self, pane: Pane) -> &Placed {
        match pane {
            Pane::Controls => &self.controls,
            Pane::Notes => &self.notes,
            Pane::Log => &self.log,
            Pane::Plots => &self.plots,
            Pane::Results => &self.results,
            Pane::Editor => &self.editor,
        }
    }
}

impl IndexMut<Pane> for Panes {
    fn index_mut(&mut self, pane: Pane) -> &mut Placed {
        match pane {
            Pane::Controls => &mut self.controls,
            Pane::Notes => &mut self.notes,
            Pane::Log => &mut self.log,
            Pane::Plots => &mut self.plots,
            Pane::Results => &mut self.results,
            Pane::Editor => &mut self.editor,
        }
    }
}

/// The sizes of a pane in its dock, points: wanted, least and greatest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sizes {
    pub(crate) wanted: f32,
    pub(crate) least: f32,
    pub(crate) most: f32,
}

/// A dock and the panes that are tabs of one strip in it.
type Tabs = (Dock, Vec<Pane>);

/// A part of a dock: a pane, or several as tabs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Strip {
    pub(crate) dock: Dock,
    pub(crate) panes: Vec<Pane>,
    /// Its width or height, and the range to which the user can change it, points.
    pub(crate) size: f32,
    pub(crate) range: [f32; 2],
}

/// Arranges panes in `docks` of one axis: strips, outermost first, that occupy at most `room` points. Panes become tabs of
/// one strip if their least sizes do not fit beside each other.
pub(crate) fn arrange(
    panes: &Panes,
    open: &[Pane],
    docks: &[Dock],
    room: f32,
    sizes: impl Fn(Pane) -> Sizes,
) -> Vec<Strip> {
    let room = room.max(1.0);
    let mut strips: Vec<Tabs> = Vec::new();
    for dock in docks {
        let docked = Pane::ALL.into_iter().filter(|pane| open.contains(pane) && panes.dock(*pane) == *dock);
        strips.extend(docked.map(|pane| (*dock, vec![pane])));
    }
    let least = |strip: &Tabs| strip.1.iter().map(|pane| sizes(*pane).least).fold(0.0, f32::max);
    while strips.iter().map(least).sum::<f32>() > room && strips.len() > 1 {
        strips = merged(strips, docks);
    }
    let sized = strips.into_iter().map(|(dock, panes)| {
        let all = || panes.iter().map(|pane| sizes(*pane));
        let least = all().map(|size| size.least).fold(0.0, f32::max).min(room);
        let most = all().map(|size| size.most).fold(least, f32::max).min(room);
        let size = all().map(|size| size.wanted).fold(0.0, f32::max).clamp(least, most);
        Strip { dock, panes, size, range: [least, most] }
    });
    fit(sized.collect(), room)
}

/// Merges the strips of the innermost dock with several of them into one; if there is none, all strips.
fn merged(strips: Vec<Tabs>, docks: &[Dock]) -> Vec<Tabs> {
    let count = |dock: Dock| strips.iter().filter(|strip| strip.0 == dock).count();
    let several = docks.iter().rev().copied().find(|dock| count(*dock) > 1);
    let mut result: Vec<Tabs> = Vec::new();
    for (dock, panes) in strips {
        match result.last_mut() {
            Some(last) if several.is_none_or(|several| several == dock && several == last.0) => {
                last.1.extend(panes);
            }
            _ => result.push((dock, panes)),
        }
    }
    result
}

/// Shrinks strips, the innermost first, until they fit; the world retains the rest.
fn fit(mut strips: Vec<Strip>, room: f32) -> Vec<Strip> {
    let mut excess = strips.iter().map(|strip| strip.size).sum::<f32>() - room;
    for strip in strips.iter_mut().rev() {
        let less = excess.clamp(0.0, (strip.size - strip.range[0]).max(0.0));
        strip.size -= less;
        excess -= less;
    }
    for strip in &mut strips {
        strip.range[1] = strip.range[1].min(strip.size + (-excess).max(0.0)).max(strip.range[0]);
    }
    strips
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(pane: Pane) -> Sizes {
        let least = if pane == Pane::Editor { 300.0 } else { 240.0 };
        Sizes { wanted: least + 100.0, least, most: 600.0 }
    }

    fn sides(panes: &Panes, open: &[Pane], room: f32) -> Vec<(Dock, Vec<Pane>, f32, [f32; 2])> {
        let strips = arrange(panes, open, &[Dock::Right, Dock::Left], room, sizes);
        strips.into_iter().map(|strip| (strip.dock, strip.panes, strip.size, strip.range)).collect()
    }

    fn moved(moves: &[(Pane, Dock)]) -> Panes {
        let mut panes = Panes::default();
        for (pane, dock) in moves {
            panes.move_to(*pane, *dock);
        }
        panes
    }

    #[test]
    fn panes_of_a_side_stand_beside_each_other_while_there_is_room() {
        let panes = moved(&[(Pane::Editor, Dock::Right), (Pane::Log, Dock::Left)]);
        let (controls, editor) = (Pane::Controls, Pane::Editor);
        let all = [controls, editor, Pane::Log];
        let expected = |editor_size, most| {
            let editor = (Dock::Right, vec![editor], editor_size, [300.0, most]);
            let log = (Dock::Left, vec![Pane::Log], 340.0, [240.0, 340.0]);
            vec![(Dock::Right, vec![controls], 340.0, [240.0, 340.0]), editor, log]
        };
        assert_eq!(sides(&panes, &all, 1080.0), expected(400.0, 400.0));
        // The innermost shrinks first.
        let shrunk = sides(&panes, &all, 1000.0);
        assert_eq!(shrunk.iter().map(|strip| strip.2).collect::<Vec<_>>(), [340.0, 400.0, 260.0]);
        assert_eq!(sides(&panes, &[controls], 900.0)[0].3, [240.0, 600.0], "it can grow into the room");
    }

    #[test]
    fn without_room_panes_become_tabs_of_their_dock_and_then_of_one() {
        let panes = moved(&[(Pane::Editor, Dock::Right), (Pane::Log, Dock::Left)]);
        let all = [Pane::Controls, Pane::Editor, Pane::Log];
        let of =
            |room| sides(&panes, &all, room).into_iter().map(|strip| (strip.0, strip.1)).collect::<Vec<_>>();
        let [right, left] = [Dock::Right, Dock::Left];
        let pair = vec![Pane::Controls, Pane::Editor];
        assert_eq!(of(700.0), [(right, pair.clone()), (left, vec![Pane::Log])]);
        let three = vec![Pane::Controls, Pane::Editor, Pane::Log];
        assert_eq!(of(500.0), [(right, three.clone())]);
        assert_eq!(of(0.0), [(right, three)], "in a window without any room, too");
        assert_eq!(sides(&panes, &all, 0.0)[0].2, 1.0);
    }

    #[test]
    fn each_axis_has_its_own_size_and_the_default_is_not_stored() {
        let mut panes = Panes::default();
        panes.resize(Pane::Editor, 300.0);
        panes.move_to(Pane::Editor, Dock::Left);
        assert_eq!((panes.dock(Pane::Editor), panes.size(Pane::Editor)), (Dock::Left, 480.0));
        panes.resize(Pane::Editor, 500.0);
        panes.move_to(Pane::Editor, Dock::Bottom);
        assert_eq!(panes.size(Pane::Editor), 300.0);
        assert_eq!(panes[Pane::Editor].dock, None);
        panes.move_to(Pane::Log, Dock::World);
        assert_eq!(panes.dock(Pane::Log), Dock::Bottom, "only the plots float");
        panes.resize(Pane::Log, f32::NAN);
        panes.resize(Pane::Controls, -7.0);
        let clamped = panes.clamped();
        assert_eq!((clamped.size(Pane::Log), clamped.size(Pane::Controls)), (0.0, 20.0));
    }
}
