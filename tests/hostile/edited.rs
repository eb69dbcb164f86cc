//! Edits that enlarge a scene, and the memory after they are undone.

use std::time::{Duration, Instant};

use steerbox_core::sim::UnitState;
use steerbox_project::reload::Place;
use steerbox_project::session::{Input, Keep, Options, Session};

use crate::ALONE;
use crate::watch::ALLOCATED;

/// Duplicates the first group; returns the keys of the copies.
fn duplicate(session: &mut Session) -> Vec<u64> {
    let copies: Vec<_> = {
        let world = session.simulation.world();
        let group = &world.groups[0];
        let mut free_key = world.free_keys();
        let copy = |unit: usize| {
            let state = session.simulation.unit_state(unit)?;
            Some(UnitState { key: free_key(state.key), at: usize::MAX, ..state })
        };
        group.units.clone().filter_map(copy).collect()
    };
    let keys = copies.iter().map(|state| state.key).collect();
    session.input(Input::AddUnits(copies));
    keys
}

fn steps(session: &mut Session, count: u32) {
    for _ in 0..count {
        session.simulation.start(1);
        session.simulation.finish(Duration::MAX);
    }
}

#[test]
fn memory_is_returned_after_units_that_were_added_are_removed() {
    let _alone = ALONE.lock();
    let keep = Keep { memory: 16 << 20, ..Keep::USUAL };
    let options = Options { keep, threads: Some(2), ..Options::new(Place::built_in("flock.ron")) };
    let mut session: Session = Session::open(options).unwrap();
    steps(&mut session, 5);
    let before = ALLOCATED.current_usage();
    let more = || ALLOCATED.current_usage().saturating_sub(before);
    for (doublings, made) in [(8, 0), (3, 40)] {
        let added: Vec<_> = (0..doublings).map(|_| duplicate(&mut session)).collect();
        let units = session.simulation.world().units.len();
        steps(&mut session, made);
        let most = more();
        assert!(most > units * 100, "{most} bytes for {units} units");
        for keys in added.into_iter().rev() {
            session.input(Input::RemoveUnits(keys));
        }
        steps(&mut session, made * 4);
        // The history of a larger world takes at most an eighth of its memory.
        let kept = if made > 0 { (2 << 20) + (1 << 20) } else { 1 << 20 };
        assert!(more() < kept, "{} of {most} bytes for {units} units are kept", more());
    }
}

/// Returns the resident memory of this process, bytes.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn resident() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").expect("the file is readable on Linux");
    let resident = pages.split(' ').nth(1).and_then(|count| count.parse::<usize>().ok());
    resident.expect("the second number") * 4096
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn pages_are_returned_to_the_system_after_many_units_are_removed() {
    let _alone = ALONE.lock();
    let keep = Keep { memory: 4 << 20, ..Keep::USUAL };
    let options = Options { keep, threads: Some(2), ..Options::new(Place::built_in("flock.ron")) };
    let mut session: Session = Session::open(options).unwrap();
    let before = resident();
    let added: Vec<_> = (0..8).map(|_| duplicate(&mut session)).collect();
    steps(&mut session, 2);
    let most = resident() - before;
    for keys in added.into_iter().rev() {
        session.input(Input::RemoveUnits(keys));
    }
    steps(&mut session, 2);
    // Pages are returned by another thread.
    let end = Instant::now() + Duration::from_secs(20);
    while resident() - before > most / 2 {
        assert!(Instant::now() < end, "{} of {most} bytes are resident", resident() - before);
        std::thread::yield_now();
    }
}
