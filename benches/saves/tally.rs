//! Latencies of saves by pattern.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::patterns::Pattern;

/// Times from the end of a save to its generation.
#[derive(Debug, Default)]
pub(crate) struct Tally(BTreeMap<Pattern, Vec<Duration>>);

impl Tally {
    pub(crate) fn add(&mut self, pattern: Pattern, time: Duration) {
        self.0.entry(pattern).or_default().push(time);
    }

    pub(crate) fn print(&mut self, title: &str) {
        println!("\n| {title} | saves timed | p50 | p99 | worst |");
        println!("|---|--:|--:|--:|--:|");
        let mut all = Vec::new();
        for (pattern, times) in &mut self.0 {
            all.extend_from_slice(times);
            row(pattern.name(), times);
        }
        row("**all**", &mut all);
    }
}

fn row(name: &str, times: &mut [Duration]) {
    times.sort_unstable();
    let at = |share: f64| {
        let index = (times.len().saturating_sub(1) as f64 * share).round() as usize;
        times.get(index).map_or(0.0, |time| time.as_secs_f64() * 1e3)
    };
    let (median, tail, worst) = (at(0.5), at(0.99), at(1.0));
    println!("| {name} | {} | {median:.1} ms | {tail:.1} ms | {worst:.1} ms |", times.len());
}
