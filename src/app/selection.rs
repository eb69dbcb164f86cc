//! Which units are looked at. None of it touches the simulation.

/// Units by their index.
#[derive(Clone, Debug, Default)]
pub(super) struct Selection {
    /// In the order in which they were selected: the last one is inspected.
    units: Vec<usize>,
    /// Units whose figures stay in view, whatever is selected.
    pinned: Vec<usize>,
}

impl Selection {
    /// The unit whose figures are shown in full.
    pub(super) fn inspected(&self) -> Option<usize> {
        self.units.last().copied()
    }

    /// All selected units, the inspected one last.
    pub(super) fn units(&self) -> &[usize] {
        &self.units
    }

    /// The pinned units, in the order in which they were pinned.
    pub(super) fn pinned(&self) -> &[usize] {
        &self.pinned
    }

    /// Selects these alone.
    pub(super) fn replace(&mut self, units: impl IntoIterator<Item = usize>) {
        self.units.clear();
        self.units.extend(units);
    }

    /// Selects a unit as well, or no longer.
    pub(super) fn toggle(&mut self, unit: usize) {
        toggle(&mut self.units, unit);
    }

    /// Pins a unit, or no longer.
    pub(super) fn toggle_pin(&mut self, unit: usize) {
        toggle(&mut self.pinned, unit);
    }

    /// Drops units that are not among the first `count`: a scene may have fewer than before.
    pub(super) fn keep_below(&mut self, count: usize) {
        self.units.retain(|unit| *unit < count);
        self.pinned.retain(|unit| *unit < count);
    }
}

fn toggle(units: &mut Vec<usize>, unit: usize) {
    match units.iter().position(|known| *known == unit) {
        Some(at) => {
            units.remove(at);
        }
        None => units.push(unit),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_that_was_selected_last_is_inspected() {
        let mut selection = Selection::default();
        selection.replace([4]);
        selection.toggle(9);
        assert_eq!((selection.inspected(), selection.units()), (Some(9), &[4, 9][..]));
        selection.toggle(9);
        assert_eq!(selection.inspected(), Some(4));
        selection.toggle_pin(7);
        selection.replace([]);
        assert_eq!((selection.inspected(), selection.pinned()), (None, &[7][..]));
        selection.keep_below(7);
        assert_eq!(selection.pinned(), [0; 0]);
    }
}
