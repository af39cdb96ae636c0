//! Every table of every report, as its columns are declared.

use super::declared::Declared;
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

/// Tables of a search, with the comparison that verifies its result.
fn of_search(own: Vec<Declared>) -> Vec<Declared> {
    let setting = Declared::of("Studies: setting", &study::setting_columns());
    std::iter::once(setting).chain(own).chain(comparison::declared()).collect()
}

/// The reports of a command that prints JSON.
pub(super) struct Reports {
    pub command: &'static str,
    pub names: &'static [&'static str],
    pub tables: fn() -> Vec<Declared>,
}

const fn reports(
    command: &'static str,
    names: &'static [&'static str],
    tables: fn() -> Vec<Declared>,
) -> Reports {
    Reports { command, names, tables }
}

pub(super) const REPORTS: &[Reports] = &[
    reports("summary", &["summary"], of_recordings),
    reports("report", &["recording"], of_recordings),
    reports("compare", &["comparison", "models"], comparison::declared),
    reports("regressions", &["regressions"], regressions::declared),
    reports("check", &["check"], of_recordings),
    reports("sweep", &["sweep"], sweep::declared),
    reports("tune", &["tune"], || of_search(study::tune::declared())),
    reports("judge", &["judge"], || of_search(study::judge::declared())),
    reports("mix", &["mix"], || of_search(study::mix::declared())),
    reports("flops", &["flops"], || [of_recordings(), projection::declared()].concat()),
    reports("project", &["projection", "verification"], || {
        [projection::declared(), vec![profiles()], verification::declared()].concat()
    }),
    reports("sensitivity", &["loss"], study::sensitivity::declared),
    reports("profiles", &["profiles"], of_recordings),
    reports("inspect", &["inputs", "formats", "engines"], of_recordings),
];

/// Whether reports of a command have these columns, before there is one: measuring may take hours.
///
/// # Errors
///
/// If none of its tables has a column with one of the keys: the key, and those that there are.
pub fn check_columns(command: &str, keys: &[String]) -> Result<(), NoSuchColumn> {
    let reports = REPORTS.iter().filter(|reports| reports.command == command);
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
