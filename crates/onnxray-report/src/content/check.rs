//! Decides what a report says of checks of recordings.

use crate::document::Unit::{Count, Share, Text};
use crate::document::{Cell, Column, Document, End, Table, Tone, Unit, column, columns};
use onnxray_analyzer::comparison::{Check, FalseAlarms, Finding, Grade};
use onnxray_analyzer::statistics::Interval;

/// The report of checks, one after the other.
pub fn check_report(checks: &[Check]) -> Document {
    let mut blocks = vec![findings(checks).into()];
    let alarms = alarms(checks);
    blocks.extend((!alarms.is_empty()).then(|| alarms.into()));
    Document {
        name: "check",
        headline: checks.iter().map(headline).collect(),
        blocks,
        ..Document::default()
    }
}

fn headline(check: &Check) -> String {
    format!("Trust in {}: {}.", check.label, trust(check.grade()))
}

/// How far a recording can be trusted, in a word or a few.
pub(crate) fn trust(grade: Grade) -> &'static str {
    match grade {
        Grade::Good => "good",
        Grade::Unknown => "good, as far as it could be checked",
        Grade::Doubtful => "moderate",
        Grade::Bad => "not to be compared",
    }
}

/// A row about a recording.
pub(super) struct Row<'a, Subject> {
    check: &'a Check,
    subject: Subject,
}

/// The rows of all recordings. With a single one, people need not be told which.
fn table<'a, Subject>(
    key: &'static str,
    title: &'static str,
    meaning: &'static str,
    columns: Vec<Column<Row<'a, Subject>>>,
    checks: &'a [Check],
    rows: impl Fn(&'a Check) -> Vec<Subject>,
) -> Table {
    const RECORDING: &str = "recording";
    let label = |row: &Row<'a, Subject>| Cell::text(&row.check.label);
    let mut all = vec![column(RECORDING, "Recording", Unit::Text, meaning, label)];
    all.extend(columns);
    let rows = checks
        .iter()
        .flat_map(|check| rows(check).into_iter().map(move |subject| Row { check, subject }));
    let table = Table::new(key, title, &all, rows);
    if checks.len() == 1 { table.hiding(&[RECORDING]) } else { table }
}

fn findings(checks: &[Check]) -> Table {
    let title = "Can this recording be trusted?";
    table("checks", title, "what was looked at", finding_columns(), checks, |check| {
        check.findings.iter().collect()
    })
    .essential(&["recording", "subject", "grade", "found"])
    .wrapping(&["found", "advice"])
}

columns! {
    pub(super) fn finding_columns<'a>: Row<'a, &'a Finding>;

    /// subject of the check
    "subject" "Subject" Text = |row| Cell::text(row.subject.subject);
    /// good, unknown, doubtful or bad
    "grade" "Grade" Text = |row| {
        let tone = match row.subject.grade {
            Grade::Good => Tone::Good,
            Grade::Unknown => Tone::Plain,
            Grade::Doubtful => Tone::Doubtful,
            Grade::Bad => Tone::Bad,
        };
        Cell::verdict(row.subject.grade.text(), tone)
    };
    /// observation
    "found" "Result" Text = |row| Cell::text(&row.subject.found);
    /// advice
    "advice" "Advice" Text = |row| Cell::some_text(&row.subject.advice);
}

/// False alarms of the whole, or of each operator.
pub(super) struct AlarmRate<'a> {
    of: &'static str,
    alarms: &'a FalseAlarms,
    rate: f64,
    interval: Interval,
}

fn alarms(checks: &[Check]) -> Table {
    let title = "A/A false positives: comparisons with itself";
    table("false_alarms", title, "what was split", alarm_columns(), checks, |check| {
        let rates = check.false_alarms.iter().flat_map(|alarms| {
            let rate = |of, rate, interval| AlarmRate { of, alarms, rate, interval };
            [
                rate("end to end", alarms.total_rate, alarms.total_interval),
                rate("each operator", alarms.rate, alarms.interval),
            ]
        });
        rates.collect()
    })
}

columns! {
    pub(super) fn alarm_columns<'a>: Row<'a, AlarmRate<'a>>;

    /// operators, or end to end
    "of" "Of" Text = |row| Cell::text(row.subject.of);
    /// how the recording is split
    "split" "Parts" Text = |row| Cell::text(row.subject.alarms.split.text());
    /// compared pairs of parts
    "splits" "Comparisons" Count = |row| Cell::Whole(row.subject.alarms.splits);
    /// compared operators, those with most time
    "operators" "Operators" Count = |row| Cell::Whole(row.subject.alarms.operators);
    /// share of comparisons with a false positive
    "rate" "Rate" Share = |row| Cell::Number(row.subject.rate);
    /// a 95 % interval
    ends END: End in ["low" "Low", "high" "High"] Share =
        |row| Cell::Number(END.of(row.subject.interval));
}
