//! Tuned values that a new generation replaces by other values of the files.

use steerbox_project::reload::{Generation, Handle, Knob, Planned};

/// Returns the tuned values of a generation, each with its behavior.
pub(crate) fn tuned_knobs(generation: &Generation) -> Vec<(Handle, Knob)> {
    let of = |planned: &Planned| {
        let tuned = planned.knobs.iter().filter(|knob| knob.tuned).cloned();
        tuned.map(|knob| (planned.handle.clone(), knob)).collect::<Vec<_>>()
    };
    generation.planned().flat_map(of).collect()
}

/// Returns a line for each of the values that are no longer tuned since the files contain another value.
pub(crate) fn replaced(tuned: &[(Handle, Knob)], generation: &Generation) -> Vec<String> {
    let line = |(handle, before): &(Handle, Knob)| {
        let planned = generation.planned().find(|planned| planned.handle == *handle)?;
        let now = planned.knobs.iter().find(|knob| knob.name == before.name)?;
        let is_replaced = !now.tuned && now.file != before.file && now.file != before.value;
        let (of, name) = (format!("{}.{}", handle.group, handle.script), before.name.as_str());
        let words = || format!("{of} {name}: the new value {} replaces the tuned {}", now.file, before.value);
        is_replaced.then(words)
    };
    tuned.iter().filter_map(line).collect()
}
