//! Observed behaviors: the result and the side effects of each call.

use std::sync::{Arc, Mutex};

use steerbox_core::sim::{
    BatchDecisions, BatchMemory, Behavior, Contribution, Event, Failure, Handled, MemoryLayout, Slot,
    UnitContext,
};

/// The record of one call of a behavior.
#[derive(Clone, Debug)]
pub(crate) struct Deed {
    pub(crate) unit: usize,
    pub(crate) slot: usize,
    pub(crate) script: String,
    /// True for the call of a handler of events.
    pub(crate) is_event: bool,
    pub(crate) result: Result<Contribution, Failure>,
    pub(crate) memory: Vec<u32>,
    /// Details of a call for a single unit; `None` in a batch.
    pub(crate) alone: Option<Alone>,
    pub(crate) work: u64,
}

/// Details of a call for a single unit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Alone {
    pub(crate) marks: u64,
    /// The draw after the last one of the behavior: equal if the number of draws is.
    pub(crate) next_draw: f32,
}

/// The log of observed behaviors.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<Deed>>>);

impl Log {
    /// Wraps the slots to observe them; they decide for one unit at a time.
    pub(crate) fn watch(&self, behaviors: &[Vec<Slot>]) -> Vec<Vec<Slot>> {
        self.watched(behaviors, false)
    }

    /// Wraps the slots to observe them; they decide for batches if possible.
    pub(crate) fn watch_batches(&self, behaviors: &[Vec<Slot>]) -> Vec<Vec<Slot>> {
        self.watched(behaviors, true)
    }

    fn watched(&self, behaviors: &[Vec<Slot>], in_batches: bool) -> Vec<Vec<Slot>> {
        let group_behaviors = |group_behaviors: &Vec<Slot>| {
            let slots = group_behaviors.iter().enumerate();
            slots.map(|(at, slot)| self.watch_slot(at, slot, in_batches)).collect()
        };
        behaviors.iter().map(group_behaviors).collect()
    }

    fn watch_slot(&self, at: usize, slot: &Slot, in_batches: bool) -> Slot {
        let watched = slot.behavior.as_ref().map(|behavior| {
            let watched = Watched {
                behavior: Arc::clone(behavior),
                script: slot.script.clone(),
                slot: at,
                in_batches,
                log: self.clone(),
            };
            Arc::new(watched) as Arc<dyn Behavior>
        });
        Slot { behavior: watched, ..slot.clone() }
    }

    /// Removes and returns the records since the last call, in unit order; those of events are last.
    pub(crate) fn take(&self) -> Vec<Deed> {
        let mut deeds = std::mem::take(&mut *self.0.lock().expect("nobody panics"));
        // Handlers run one after the other, so that their order is that of the log.
        deeds
            .sort_by_key(|deed| (deed.is_event, if deed.is_event { (0, 0) } else { (deed.unit, deed.slot) }));
        deeds
    }
}

struct Watched {
    behavior: Arc<dyn Behavior>,
    script: String,
    slot: usize,
    in_batches: bool,
    log: Log,
}

impl Behavior for Watched {
    fn is_ordered(&self) -> bool {
        self.behavior.is_ordered()
    }

    fn memory(&self) -> &MemoryLayout {
        self.behavior.memory()
    }

    fn handled(&self) -> Handled {
        self.behavior.handled()
    }

    fn handle(&self, event: Event, context: &mut UnitContext, memory: &mut [u32]) -> Result<(), Failure> {
        let result = self.behavior.handle(event, context, memory);
        let deed = Deed {
            unit: context.unit(),
            slot: self.slot,
            script: format!("{} at {event:?}", self.script),
            is_event: true,
            result: result.clone().map(|()| Contribution::None),
            memory: memory.to_vec(),
            work: context.work(),
            alone: Some(Alone { marks: context.marks(), next_draw: context.random() }),
        };
        self.log.0.lock().expect("nobody panics").push(deed);
        result
    }

    fn decide(&self, context: &mut UnitContext, memory: &mut [u32]) -> Result<Contribution, Failure> {
        let result = self.behavior.decide(context, memory);
        let deed = Deed {
            unit: context.unit(),
            slot: self.slot,
            script: self.script.clone(),
            is_event: false,
            result: result.clone(),
            memory: memory.to_vec(),
            work: context.work(),
            alone: Some(Alone { marks: context.marks(), next_draw: context.random() }),
        };
        self.log.0.lock().expect("nobody panics").push(deed);
        result
    }

    fn decide_batch(
        &self,
        context: &mut UnitContext,
        units: &[[u32; 2]],
        memory: &mut BatchMemory<'_>,
        decisions: &mut BatchDecisions,
    ) {
        if !self.in_batches {
            return;
        }
        self.behavior.decide_batch(context, units, memory, decisions);
        let words = memory.words.clone();
        for (lane, [unit, _]) in units.iter().enumerate() {
            if let Some((contribution, work)) = decisions.of(lane) {
                let row = memory.rows.get(lane * memory.stride..);
                let own = row.and_then(|row| row.get(words.clone()));
                let deed = Deed {
                    unit: *unit as usize,
                    slot: self.slot,
                    script: self.script.clone(),
                    is_event: false,
                    result: Ok(contribution),
                    memory: own.unwrap_or_default().to_vec(),
                    work,
                    alone: None,
                };
                self.log.0.lock().expect("nobody panics").push(deed);
            }
        }
    }
}
