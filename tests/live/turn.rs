//! One test of recording at a time, whichever program runs the tests, and however many threads or
//! processes it takes for it.

use crate::load;
use std::cell::RefCell;
use std::fs::File;
use std::path::Path;
use std::rc::{Rc, Weak};

/// What a test holds while it is the only one.
pub(crate) type Turn = Rc<File>;

thread_local! {
    /// The turn of this thread's test, which may ask for it several times.
    static HELD: RefCell<Weak<File>> = const { RefCell::new(Weak::new()) };
}

/// Waits until no other test records.
pub(crate) fn turn() -> Turn {
    HELD.with_borrow_mut(|held| {
        held.upgrade().unwrap_or_else(|| {
            let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("live-tests.lock");
            let file =
                File::create(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            // The system lets go of it with the file.
            file.lock().unwrap();
            load::begin();
            let turn = Rc::new(file);
            *held = Rc::downgrade(&turn);
            turn
        })
    })
}
