//! Work beside other work, also where the system makes no further thread.

use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// Work that was begun by [`beside`].
pub struct Beside<'scope, T>(Place<'scope, T>);

enum Place<'scope, T> {
    Thread(ScopedJoinHandle<'scope, Option<T>>),
    Here(Option<T>),
}

/// Does `work` in a thread of its own; where the system makes none, as within a limit of
/// processes, here and at once: what waits for something that follows would wait for ever.
pub fn beside<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Beside<'scope, T> {
    // A thread that cannot be made takes what it was to do along.
    let work = Arc::new(Mutex::new(Some(work)));
    let its_own = Arc::clone(&work);
    Beside(match Builder::new().spawn_scoped(scope, move || done(&its_own)) {
        Ok(thread) => Place::Thread(thread),
        Err(_) => Place::Here(done(&work)),
    })
}

fn done<T>(work: &Mutex<Option<impl FnOnce() -> T>>) -> Option<T> {
    let work = work.lock().unwrap_or_else(PoisonError::into_inner).take();
    work.map(|work| work())
}

impl<T> Beside<'_, T> {
    /// Waits for what comes of it; a panic goes on here.
    pub fn join(self) -> T {
        let done = match self.0 {
            Place::Thread(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Place::Here(done) => done,
        };
        // It is taken once, by whoever does it.
        done.unwrap_or_else(|| resume_unwind(Box::new("work was done by nobody")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_done_once() {
        let sum: u32 = std::thread::scope(|scope| {
            let runs: Vec<_> = (0..10).map(|number| beside(scope, move || number)).collect();
            runs.into_iter().map(Beside::join).sum()
        });
        assert_eq!(sum, 45);
    }
}
