//! What each source means to the units of each group, worked out once a step.

use super::kin::{Kin, Who};
use super::list::Source;
use crate::world::{View, World};

/// A slot that nobody stands in.
pub(super) const EMPTY: u32 = u32::MAX;

/// Whom a group looks for in a source, and how far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ask {
    /// How far to look for cells.
    pub(super) reach: f32,
    /// Greatest squared distance that counts; less than any if nobody does.
    pub(super) limit: f32,
    pub(super) who: Who,
    /// The slot of the player, where it is left out.
    pub(super) player: u32,
    /// The view, where it does not look all around.
    pub(super) view: Option<View>,
}

impl Ask {
    const EMPTY: Self = Self {
        reach: 0.0,
        limit: -1.0,
        who: Who::Everyone,
        player: EMPTY,
        view: None,
    };

    /// Whether it takes more than distances.
    pub(super) fn is_choosy(&self) -> bool {
        matches!(self.who, Who::Some(_))
    }
}

/// The asks of all groups, source by source.
#[derive(Clone, Debug, Default)]
pub(super) struct Asks {
    asks: Vec<Ask>,
    sources: usize,
}

impl Asks {
    /// Works them out for a world in which the player stands in slot `player`.
    pub(super) fn prepare(&mut self, world: &World, kin: &Kin, player: u32) {
        let views = (0..world.views.len()).map(Source::View);
        let sources = [Source::Neighbors, Source::Others, Source::Enemies];
        self.sources = sources.len() + views.len();
        self.asks.clear();
        for group in 0..world.groups.len() {
            let sources = sources.into_iter().chain(views.clone());
            (self.asks).extend(sources.map(|source| ask(source, group, world, kin, player)));
        }
    }

    #[inline(always)]
    pub(super) fn of(&self, group: usize, source: Source) -> &Ask {
        &self.asks[group * self.sources + source.place()]
    }
}

fn ask(source: Source, group: usize, world: &World, kin: &Kin, player: u32) -> Ask {
    let own = &world.groups[group];
    let who = kin.who(source, group, world);
    let view = match source {
        Source::Enemies => None,
        Source::View(view) => Some(view),
        Source::Neighbors | Source::Others => own.view,
    };
    let reach = match (source, view) {
        (Source::Enemies, _) => own.sense,
        (_, Some(view)) => world.views[view].view.radius(),
        (_, None) => return Ask::EMPTY,
    };
    let square = reach * reach;
    Ask {
        reach,
        // What is strictly nearer than the sense is no farther than the next lesser square.
        limit: match (source, who) {
            (_, Who::Nobody) => -1.0,
            (Source::Enemies, _) => square.next_down(),
            _ => square,
        },
        who,
        player: match source {
            Source::Others | Source::View(_) => player,
            Source::Neighbors | Source::Enemies => EMPTY,
        },
        view: view
            .map(|view| world.views[view].view)
            .filter(|view| !matches!(view, View::Around { .. })),
    }
}
