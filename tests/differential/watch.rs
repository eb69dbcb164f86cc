//! A behavior under observation: what each call gave, and what it left behind.

use std::sync::{Arc, Mutex};

use steerbox::sim::{Behavior, Contribution, Failure, MemoryLayout, Slot, UnitContext};

/// What one call of a behavior did.
#[derive(Clone, Debug)]
pub(crate) struct Deed {
    pub(crate) unit: usize,
    pub(crate) slot: usize,
    pub(crate) script: String,
    pub(crate) result: Result<Contribution, Failure>,
    pub(crate) memory: Vec<u32>,
    pub(crate) marks: u64,
    /// The draw after the last one of the behavior: equal if as many came before.
    pub(crate) next_draw: f32,
}

/// Where watched behaviors write down their deeds.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<Deed>>>);

impl Log {
    /// The same slots, watched.
    pub(crate) fn watch(&self, behaviors: &[Vec<Slot>]) -> Vec<Vec<Slot>> {
        let group_behaviors = |group_behaviors: &Vec<Slot>| {
            let slots = group_behaviors.iter().enumerate();
            slots.map(|(at, slot)| self.watch_slot(at, slot)).collect()
        };
        behaviors.iter().map(group_behaviors).collect()
    }

    fn watch_slot(&self, at: usize, slot: &Slot) -> Slot {
        let watched = slot.behavior.as_ref().map(|behavior| {
            let watched = Watched {
                behavior: Arc::clone(behavior),
                script: slot.script.clone(),
                slot: at,
                log: self.clone(),
            };
            Arc::new(watched) as Arc<dyn Behavior>
        });
        Slot { behavior: watched, ..slot.clone() }
    }

    /// Takes what was written since the last time, unit by unit.
    pub(crate) fn take(&self) -> Vec<Deed> {
        let mut deeds = std::mem::take(&mut *self.0.lock().expect("nobody panics"));
        deeds.sort_by_key(|deed| (deed.unit, deed.slot));
        deeds
    }
}

struct Watched {
    behavior: Arc<dyn Behavior>,
    script: String,
    slot: usize,
    log: Log,
}

impl Behavior for Watched {
    fn memory(&self) -> &MemoryLayout {
        self.behavior.memory()
    }

    fn decide(&self, context: &mut UnitContext, memory: &mut [u32]) -> Result<Contribution, Failure> {
        let result = self.behavior.decide(context, memory);
        let deed = Deed {
            unit: context.unit(),
            slot: self.slot,
            script: self.script.clone(),
            result: result.clone(),
            memory: memory.to_vec(),
            marks: context.marks(),
            next_draw: context.random(),
        };
        self.log.0.lock().expect("nobody panics").push(deed);
        result
    }
}
