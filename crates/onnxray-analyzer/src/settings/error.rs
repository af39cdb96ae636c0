//! Why settings could not be read or written.

use onnxray_text::{file_failure, shown};
use std::path::PathBuf;

/// Problems that a message shows one by one.
pub(super) const MOST_SHOWN: usize = 20;

/// Why settings are not read or not written. Its text names the file first.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // the message of each says what it is
pub enum SettingsError {
    #[error("{}", file_failure(path, source))]
    Io { path: PathBuf, source: std::io::Error },

    #[error(
        "{}: expected an Excel workbook (.xlsx), a profile (.csv) or saved settings (.json), found {found}\n\
         hint: `onnxray project RECORDING -o FILE.xlsx` writes a workbook to edit",
        shown(path)
    )]
    NotSettings { path: PathBuf, found: String },

    #[error(
        "{}: the workbook of {report}, not of a projection\n\
         hint: give the one that `onnxray project RECORDING -o FILE.xlsx` writes",
        shown(path)
    )]
    OtherReport { path: PathBuf, report: &'static str },

    #[error(
        "{}: the workbook is protected with a password\n\
         hint: open it in a spreadsheet and save it as .xlsx without a password",
        shown(path)
    )]
    Encrypted { path: PathBuf },

    #[error(
        "{}: {reason}\n\
         hint: the file is cut off or damaged; open it in a spreadsheet and save it as .xlsx again",
        shown(path)
    )]
    Damaged { path: PathBuf, reason: String },

    #[error("{}: too large: {what}", shown(path))]
    TooLarge { path: PathBuf, what: String },

    #[error(
        "{}: expected a loss profile, which `onnxray sensitivity --save` writes, found {found}",
        shown(path)
    )]
    NotLoss { path: PathBuf, found: String },

    #[error(
        "{}: expected a name that ends in .json\n\
         hint: to edit settings in a spreadsheet, have -o FILE.xlsx write the workbook",
        shown(path)
    )]
    UnknownTarget { path: PathBuf },

    #[error("{}: {}", shown(path), listed(problems, *more))]
    Problems {
        path: PathBuf,
        /// The first ones, each with its sheet and cell, line and column, or path
        /// in the document.
        problems: Vec<String>,
        /// How many there are besides.
        more: usize,
    },
}

fn listed(problems: &[String], more: usize) -> String {
    let mut text = match problems {
        [only] if more == 0 => return only.clone(),
        _ => format!("{} problems, so that nothing is taken from it", problems.len() + more),
    };
    for problem in problems {
        text.push_str("\n  ");
        text.push_str(problem);
    }
    if more > 0 {
        text.push_str(&format!("\n  and {more} more"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_problems_are_told_at_once() {
        let error = |count: usize, more| SettingsError::Problems {
            path: "r.xlsx".into(),
            problems: (0..count).map(|at| format!("'S'!A{at}: bad")).collect(),
            more,
        };
        assert_eq!(error(1, 0).to_string(), "r.xlsx: 'S'!A0: bad");
        assert_eq!(
            error(2, 3).to_string(),
            "r.xlsx: 5 problems, so that nothing is taken from it\n  'S'!A0: bad\n  'S'!A1: bad\n  \
             and 3 more"
        );
    }
}
