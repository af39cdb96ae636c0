//! What a process removes that ends amid its work. It can do nothing after that, so that this is
//! a test in a process of its own.

use onnxray_failsafe::{WholeFile, remove_unfinished};
use std::fs;
use std::io::Write;
use std::mem;

#[test]
fn what_is_not_finished_goes_and_what_is_stays() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| {
        let mut file = WholeFile::create(&folder.path().join(name), true).unwrap();
        file.write_all(b"some of it").unwrap();
        file
    };
    file("finished").finish().unwrap();
    drop(file("given up"));
    let unfinished = [file("a"), file("b")];
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    remove_unfinished();
    let left = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(left.collect::<Vec<_>>(), ["finished"]);
    // They would wait for ever.
    mem::forget(unfinished);
}
