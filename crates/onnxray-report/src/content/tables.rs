//! Every table of every report, as its columns are declared.

use super::declared::{Declared, Reports, reports};
use super::{
    check, comparison, inputs, profiles, projection, recording, regressions, study, sweep,
    verification,
};
use crate::document::NoSuchColumn;

/// Tables of recordings, and of what is found in them.
fn of_recordings() -> Vec<Declared> {
    let found = [
        profiles(),
        Declared::of("Formats", inputs::FORMATS),
        Declared::of("Inputs", inputs::INPUTS),
        Declared::of("Engines", inputs::ENGINES),
        Declared::of("Check", &check::finding_columns()),
        Declared::of("A/A false positives", &check::alarm_columns()),
    ];
    recording::declared().into_iter().chain(found).collect()
}

fn profiles() -> Declared {
    Declared::of("Profiles", &profiles::Row::columns())
}

/// What each command prints as JSON, in the order of `docs/columns.md`.
pub(super) const REPORTS: [&[Reports]; 3] = [
    &[
        reports("summary", &["summary"], of_recordings),
        reports("report", &["recording"], of_recordings),
        reports("compare", &["comparison", "models"], comparison::declared),
        reports("regressions", &["regressions"], regressions::declared),
        reports("check", &["check"], of_recordings),
        reports("sweep", &["sweep"], sweep::declared),
    ],
    study::REPORTS,
    &[
        reports("flops", &["flops"], || [of_recordings(), projection::declared()].concat()),
        reports("project", &["projection", "verification"], || {
            [projection::declared(), vec![profiles()], verification::declared()].concat()
        }),
        reports("profiles", &["profiles"], of_recordings),
        reports("inspect", &["inputs", "formats", "engines"], of_recordings),
    ],
];

/// The reports of all commands.
pub(super) fn all_reports() -> impl Iterator<Item = &'static Reports> {
    REPORTS.into_iter().flatten()
}

/// Whether reports of a command have these columns, before there is one: measuring may take hours.
///
/// # Errors
///
/// If none of its tables has a column with one of the keys: the key, and those that there are.
pub fn check_columns(command: &str, keys: &[String]) -> Result<(), NoSuchColumn> {
    let reports = all_reports().filter(|reports| reports.command == command);
    let tables = reports.flat_map(|reports| (reports.tables)());
    let mut known: Vec<&'static str> = Vec::new();
    for heading in tables.flat_map(|table| table.columns) {
        if !known.contains(&heading.key) {
            known.push(heading.key);
        }
    }
    match keys.iter().find(|key| !known.contains(&key.as_str())) {
        Some(key) => Err(NoSuchColumn { key: key.clone(), known }),
        None => Ok(()),
    }
}
