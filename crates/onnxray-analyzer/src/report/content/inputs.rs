//! What can be read, and what was.

use crate::report::table::{Cell, Report, Table};
use crate::schema;
use onnxray_import::{Importer, Launch, formats};
use std::collections::BTreeSet;

/// The formats that can be read.
pub fn formats_report() -> Report {
    let row = |importer: &Importer| {
        let format = importer.format;
        [format.name, format.title, format.files, format.tells].map(Cell::text).to_vec()
    };
    let rows = formats::ALL.into_iter().map(row).collect();
    Report { tables: vec![Table::new(&schema::FORMATS, rows)], ..Report::default() }
}

/// Launches as they were read.
pub fn inputs_report(launches: &[Launch]) -> Report {
    let row = |launch: &Launch| {
        let files = launch.files.iter().map(|file| file.display().to_string());
        let chunks = &launch.events.chunks;
        let threads: BTreeSet<u32> =
            chunks.iter().flat_map(|chunk| chunk.thread.iter().copied()).collect();
        let known = |count: usize| Some(count as u64).filter(|&count| count > 0);
        vec![
            Cell::Whole(u64::from(launch.run.launch)),
            Cell::text(launch.format.name),
            Cell::text(files.collect::<Vec<_>>().join("; ")),
            Cell::Whole(launch.operators.len() as u64),
            Cell::whole(known(launch.iterations.len())),
            Cell::whole(known(launch.events.len())),
            Cell::Whole(launch.averages.len() as u64),
            Cell::whole(known(threads.len())),
        ]
    };
    let rows = launches.iter().map(row).collect();
    Report { tables: vec![Table::new(&schema::INPUTS, rows)], ..Report::default() }
}
