//! Fixes are tried: a script is checked again with each.

use steerbox_core::diagnostics::Fault;

use crate::syntax::text::Source;

/// Maximum number of fixes of a script that are tried.
const MAX_TRIED: usize = 16;

/// Removes the fixes after which a script has as many faults as before; `check` returns the faults of a text. The first
/// ones are tried.
pub(crate) fn tried(
    source: Source<'_>,
    mut faults: Vec<Fault>,
    check: impl Fn(&str) -> Vec<Fault>,
) -> Vec<Fault> {
    let (count, mut left) = (faults.len(), MAX_TRIED);
    for fault in faults.iter_mut().filter(|fault| fault.path == source.path) {
        let own = (fault.line, fault.column, fault.message.clone());
        fault.fixes.retain(|fix| {
            left = left.saturating_sub(1);
            if left == 0 {
                return true;
            }
            let after = fix.apply(source.text).map(|text| check(&text));
            after.is_some_and(|after| {
                let is_own = |fault: &Fault| own == (fault.line, fault.column, fault.message.clone());
                after.len() < count && !after.iter().any(is_own)
            })
        });
    }
    faults
}
