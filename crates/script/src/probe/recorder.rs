//! The engine for probed programs, and the log of their probes.

use std::cell::RefCell;
use std::sync::{Arc, LazyLock};

use rhai::{Dynamic, Engine, ImmutableString};

use super::code::Code;
use super::value::ProbedValue;
use crate::interpret::engine;

/// The keyword of the custom syntax, which no script can contain.
pub(super) const PROBE: &str = "recorded value";

/// The action of a probe, with the index of its site, loop or function.
#[derive(Clone, Copy)]
pub(super) enum Probe {
    /// Records the value of its expression, and returns it.
    Value(usize),
    /// Records the value of an assigned expression; without one, that of the variable that the site names.
    After(usize),
    /// Counts an iteration.
    Iteration(usize),
    /// Counts a call.
    Enter(usize),
    /// Counts an execution of the statement after it.
    Reach(usize),
}

/// The number of entries stored per site, besides the last.
pub const MAX_ENTRIES: usize = 256;
/// The factor by which the limit of operations is raised, since probes count as operations.
const OPERATIONS: u64 = 8;

static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
    let mut engine = engine::build(OPERATIONS);
    register(&mut engine);
    engine
});

/// Returns the engine for probed programs: the usual one with probes and a higher limit.
pub(super) fn engine() -> &'static Engine {
    &ENGINE
}

/// A recorded value of a site.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The index of the function's call, from 0.
    pub call: u32,
    /// The iteration of each enclosing loop, from 0, outermost first.
    pub iterations: Vec<u32>,
    /// The value.
    pub value: ProbedValue,
}

/// The values of one site in a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SiteLog {
    /// The total number of values.
    pub count: u32,
    /// The first values.
    pub first: Vec<Entry>,
    /// The last value, if it is not among the first.
    pub last: Option<Entry>,
}

impl SiteLog {
    /// Returns the stored values in their order.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.first.iter().chain(&self.last)
    }
}

/// A call in progress.
struct Frame {
    /// Its depth in the call stack.
    level: usize,
    call: u32,
    /// The number of started iterations of each loop.
    iterations: Vec<u32>,
}

#[derive(Default)]
struct Recorder {
    code: Arc<Code>,
    logs: Vec<SiteLog>,
    frames: Vec<Frame>,
    /// The number of calls of each function so far.
    calls: Vec<u32>,
}

thread_local! {
    static RECORDER: RefCell<Recorder> = RefCell::default();
}

/// Runs a probed program and returns the log of each site.
pub(super) fn record<R>(code: &Arc<Code>, run: impl FnOnce() -> R) -> (R, Vec<SiteLog>) {
    RECORDER.set(Recorder {
        code: Arc::clone(code),
        logs: vec![SiteLog::default(); code.sites.len()],
        frames: Vec::new(),
        calls: vec![0; code.functions],
    });
    let result = run();
    (result, RECORDER.take().logs)
}

impl Recorder {
    fn enter(&mut self, level: usize, function: usize) {
        let calls = &mut self.calls[function];
        self.frames.retain(|frame| frame.level < level);
        self.frames.push(Frame { level, call: *calls, iterations: vec![0; self.code.loops.len()] });
        *calls += 1;
    }

    /// Returns the current call at a depth.
    fn frame(&mut self, level: usize) -> Option<&mut Frame> {
        while self.frames.last().is_some_and(|frame| frame.level > level) {
            self.frames.pop();
        }
        self.frames.last_mut()
    }

    fn iteration(&mut self, level: usize, number: usize) {
        let inner = self.code.loops[number].clone();
        if let Some(frame) = self.frame(level) {
            frame.iterations[number] += 1;
            frame.iterations[inner].fill(0);
        }
    }

    fn note(&mut self, level: usize, number: usize, value: ProbedValue) {
        let code = Arc::clone(&self.code);
        let site = &code.sites[number];
        let Some(frame) = self.frame(level) else {
            return;
        };
        let innermost = site.loops.last().filter(|_| site.is_ahead);
        let iteration = |at: &usize| frame.iterations[*at].saturating_sub(u32::from(innermost != Some(at)));
        let entry = Entry { call: frame.call, iterations: site.loops.iter().map(iteration).collect(), value };
        let log = &mut self.logs[number];
        log.count += 1;
        if log.first.len() < MAX_ENTRIES {
            log.first.push(entry);
        } else {
            log.last = Some(entry);
        }
    }
}

/// Registers the custom syntax of probes.
fn register(engine: &mut Engine) {
    let parse = |_: &[ImmutableString], _: &str, _: &mut Dynamic| Ok(None);
    engine.register_custom_syntax_with_state_raw(PROBE, parse, false, |context, inputs, state| {
        let value = inputs.first().map_or(Ok(Dynamic::UNIT), |input| input.eval_with_context(context))?;
        let Some(probe) = state.read_lock::<Probe>().map(|probe| *probe) else {
            return Ok(value);
        };
        let level = context.call_level();
        // Lists are counted before the recorder is borrowed.
        let note = |site, value: &Dynamic| {
            let value = ProbedValue::new(value);
            RECORDER.with_borrow_mut(|recorder| recorder.note(level, site, value));
        };
        match probe {
            Probe::Value(site) => {
                note(site, &value);
                return Ok(value);
            }
            Probe::After(site) if inputs.is_empty() => {
                let name = RECORDER.with_borrow(|recorder| recorder.code.sites[site].name.clone());
                if let Some(value) = name.and_then(|name| context.scope().get(&name)) {
                    note(site, value);
                }
            }
            Probe::After(site) => note(site, &value),
            Probe::Iteration(number) => RECORDER.with_borrow_mut(|it| it.iteration(level, number)),
            Probe::Enter(function) => RECORDER.with_borrow_mut(|it| it.enter(level, function)),
            Probe::Reach(site) => RECORDER.with_borrow_mut(|it| it.logs[site].count += 1),
        }
        Ok(Dynamic::UNIT)
    });
}
