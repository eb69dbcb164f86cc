//! Two pieces of work on two threads.

use std::thread;

/// Does `work` on a thread of its own while `rest` is done here; after it, where the system gives no thread.
pub(crate) fn beside(work: impl FnOnce() + Send, rest: impl FnOnce()) {
    let mut work = Some(work);
    let mut run = || {
        if let Some(work) = work.take() {
            work();
        }
    };
    thread::scope(|scope| {
        let _ = thread::Builder::new().spawn_scoped(scope, &mut run);
        rest();
    });
    run();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_done_once() {
        let (mut a, mut b) = (0, 0);
        beside(|| a += 1, || b += 1);
        assert_eq!((a, b), (1, 1));
    }
}
