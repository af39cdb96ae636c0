//! Whether the recording can be trusted, in one line, and what to do if not.

use crate::content::check;
use crate::document::Line;
use onnxray_analyzer::comparison::{Check, Finding, Grade};

/// The most serious finding, and where the others are.
pub(super) fn trust(checked: &Check, words: Option<&str>) -> Line {
    let grade = checked.grade();
    let line = Line::new("Trust").part(0, check::trust(grade).to_string());
    let mut worst = checked.findings.iter().filter(|finding| finding.grade == grade);
    // What is good or unknown asks for nothing.
    let first = worst.next().filter(|_| grade > Grade::Unknown);
    let command = match words.filter(|words| words.chars().count() <= SHORT) {
        Some(words) => format!("onnxray check {words}"),
        None => "onnxray check RECORDING".to_string(),
    };
    // The first one was taken: these are the others.
    let more = match (worst.count(), first) {
        _ if grade == Grade::Good => None,
        (0, Some(_)) => Some(format!("details: {command}")),
        (1, Some(_)) => Some(format!("1 other: {command}")),
        (count, Some(_)) => Some(format!("{count} others: {command}")),
        (_, None) => Some(command),
    };
    let Some(Finding { subject, found, advice, .. }) = first else {
        return line.part(1, more.filter(|_| words.is_some()));
    };
    // After what was seen comes what follows from it, or what it is part of.
    let seen = found.split([';', ':', '(']).next().unwrap_or_default().trim_end();
    let advice = Some(advice.clone()).filter(|advice| !advice.is_empty());
    let is_short = advice.as_ref().is_none_or(|advice| advice.chars().count() <= SHORT);
    // A long advice gives way to the command that shows it.
    let (of_advice, of_more) = if is_short { (2, 3) } else { (3, 2) };
    // Their number says what it is of.
    let seen = match *subject {
        "launches" => seen.to_string(),
        subject => format!("{subject}: {seen}"),
    };
    line.part(1, seen)
        .behind("; ", of_advice, advice)
        .part(of_more, more.filter(|_| words.is_some()))
}

/// The same as a sentence, for pages and sheets, which have room for it.
pub(crate) fn sentence(checked: &Check) -> String {
    format!("Trust {}.", trust(checked, None).texts().join(": "))
}

/// Characters that leave room for something else in a line.
const SHORT: usize = 30;
