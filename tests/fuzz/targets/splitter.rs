//! Any bytes as a trace: where slices are cut changes nothing.

#![no_main]

use onnxray_import::chrome::{
    Argument, EventFormat, EventTrace, Label, Options, Role, read_events,
};
use onnxray_import::{Figure, Source};

struct Everything;

impl EventFormat for Everything {
    const FACTS: usize = 1;
    const FIGURES: &'static [Figure] = &[];

    fn argument(key: &[u8]) -> Argument {
        match key {
            b"op" => Argument::Fact(0),
            _ => Argument::Skip,
        }
    }

    fn role(_: &Label) -> Role {
        Role::Operator
    }
}

fn read(bytes: &[u8], slice_bytes: usize) -> Option<EventTrace> {
    let source = Source::from_bytes("input", bytes.to_vec()).ok()?;
    read_events::<Everything>(source, &Options { slice_bytes, workers: 1, ..Options::default() }).ok()
}

/// Label, thread, start and duration of each event.
fn events(trace: &EventTrace) -> Vec<(&[u8], &str, i64, u64)> {
    let rows = trace.chunks.iter().flat_map(|rows| {
        (0..rows.label.len()).map(|row| {
            (
                &trace.labels[rows.label[row] as usize].0[..],
                trace.threads[rows.thread[row] as usize].thread.as_str(),
                rows.start[row],
                rows.duration[row],
            )
        })
    });
    rows.collect()
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // What expands has too many small slices.
    if bytes.starts_with(&[0x1f, 0x8b]) || bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        return;
    }
    let Some(whole) = read(bytes, 1 << 20) else { return };
    // What is damaged may be damaged differently where it is cut.
    if !whole.damage.is_empty() {
        return;
    }
    for slice_bytes in [64, 100, 64 + bytes.len() / 3] {
        let cut = read(bytes, slice_bytes).expect("what reads whole reads in slices");
        assert_eq!(events(&cut), events(&whole));
        assert_eq!(cut.damage, whole.damage);
        assert_eq!(cut.members, whole.members);
    }
});
