//! Decides what a report says of checks of recordings.

use crate::comparison::{Check, Grade};
use crate::report::table::{Cell, Report, Table};
use crate::schema;
use crate::statistics::Interval;

/// The report of checks, one after the other.
pub fn check_report(checks: &[Check]) -> Report {
    let mut tables = vec![findings(checks)];
    let alarms = alarms(checks);
    tables.extend((!alarms.rows.is_empty()).then_some(alarms));
    let headline = checks.iter().map(|check| {
        let verdict = match check.grade() {
            Grade::Good => "can be trusted",
            Grade::Unknown => "can be trusted as far as it tells",
            Grade::Doubtful => "can be trusted with care",
            Grade::Bad => "should not be compared",
        };
        format!("{} {verdict}.", check.label)
    });
    Report { headline: headline.collect(), tables }
}

fn findings(checks: &[Check]) -> Table {
    let rows = checks.iter().flat_map(|check| {
        check.findings.iter().map(|finding| {
            vec![
                Cell::text(&check.label),
                Cell::text(finding.subject),
                Cell::text(finding.grade.text()),
                Cell::text(&finding.found),
                Cell::some_text(&finding.advice),
            ]
        })
    });
    one_recording(Table::new(&schema::CHECKS, rows.collect()), checks)
}

fn alarms(checks: &[Check]) -> Table {
    let mut rows = Vec::new();
    for check in checks {
        for alarms in &check.false_alarms {
            let row = |of: &str, rate: f64, interval: Interval| {
                vec![
                    Cell::text(&check.label),
                    Cell::text(of),
                    Cell::text(alarms.split.text()),
                    Cell::Whole(alarms.splits),
                    Cell::Whole(alarms.operators),
                    Cell::Number(rate),
                    Cell::Number(interval.low),
                    Cell::Number(interval.high),
                ]
            };
            rows.push(row("the whole", alarms.total_rate, alarms.total_interval));
            rows.push(row("each operator", alarms.rate, alarms.interval));
        }
    }
    one_recording(Table::new(&schema::FALSE_ALARMS, rows), checks)
}

/// With a single recording, people need not be told which.
fn one_recording(mut table: Table, checks: &[Check]) -> Table {
    if checks.len() == 1 {
        table.shown.retain(|&column| column != 0);
    }
    table
}
