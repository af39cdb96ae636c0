//! Which tests record side by side, whichever program runs the tests, and however many threads or
//! processes it takes for it.
//!
//! Almost all do: what they assert holds for any times, and `.ci/run` runs them beside a load. A test
//! that is to be alone says so, and why, in its first line.

use crate::load;
use std::cell::RefCell;
use std::fs::File;
use std::path::Path;
use std::rc::{Rc, Weak};

/// What a test holds until it is over.
pub(crate) struct Held {
    is_alone: bool,
    /// The system lets go of its lock with the file.
    _file: File,
}

pub(crate) type Turn = Rc<Held>;

thread_local! {
    /// The turn of this thread's test, which may ask for it several times.
    static HELD: RefCell<Weak<Held>> = const { RefCell::new(Weak::new()) };
}

/// Waits until no other test of a live program runs.
pub(crate) fn alone() -> Turn {
    let turn = of_this_test(true);
    assert!(turn.is_alone, "a test is alone from its first line on");
    turn
}

/// Waits until no test runs that is alone.
pub(crate) fn beside_others() -> Turn {
    of_this_test(false)
}

fn of_this_test(is_alone: bool) -> Turn {
    HELD.with_borrow_mut(|held| {
        held.upgrade().unwrap_or_else(|| {
            let file = taken(Path::new(env!("CARGO_TARGET_TMPDIR")), is_alone);
            load::begin();
            let turn = Rc::new(Held { is_alone, _file: file });
            *held = Rc::downgrade(&turn);
            turn
        })
    })
}

/// A lock in a folder, which one has alone or several share.
fn taken(folder: &Path, is_alone: bool) -> File {
    let open = |name: &str| {
        let path = folder.join(name);
        File::create(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    // Who waits holds the door, so that nobody passes who came later.
    let door = open("live-tests.door");
    door.lock().unwrap();
    let file = open("live-tests.lock");
    match is_alone {
        true => file.lock().unwrap(),
        false => file.lock_shared().unwrap(),
    }
    file
}

#[cfg(test)]
mod tests {
    use super::taken;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
    use std::thread::scope;

    #[test]
    fn several_share_a_turn_and_who_is_alone_shares_it_with_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let (folder, inside) = (folder.path(), AtomicUsize::new(0));
        drop([taken(folder, false), taken(folder, false)]);
        let takes_turns = |is_alone: bool| {
            for _ in 0..100 {
                let _turn = taken(folder, is_alone);
                let others = inside.fetch_add(1, SeqCst);
                assert!(!is_alone || others == 0, "{others} beside the one that is alone");
                inside.fetch_sub(1, SeqCst);
            }
        };
        scope(|scope| {
            for is_alone in [true, false, false, true] {
                scope.spawn(move || takes_turns(is_alone));
            }
        });
    }
}
