//! What the name of a profile of one run tells: `PREFIX[NUMBER]_2026-11-28_19-31-35_613.json`.
//!
//! The runtime puts the local time behind the prefix that it is given, and programs may put the
//! number of the run before it.

use std::path::{Path, PathBuf};

/// The digits of a time are `0` here.
const TIME: &[u8] = b"0000-00-00_00-00-00";
const WITH_MILLISECONDS: &[u8] = b"0000-00-00_00-00-00_000";

/// What a name tells of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RunName {
    /// The folder, and what stands before the number.
    pub(super) prefix: (PathBuf, String),
    /// The number before the time, or at the end of a name without one.
    pub(super) number: Option<u64>,
    /// Milliseconds on the clock of the calendar.
    pub(super) time: Option<i64>,
}

impl RunName {
    /// `None` if the name has neither a number nor a time.
    pub(super) fn of(path: &Path) -> Option<RunName> {
        let name = path.file_name()?.to_string_lossy().into_owned();
        let end = name.to_ascii_lowercase().rfind(".json").unwrap_or(name.len());
        let stem = &name[..end];
        let stamped = [WITH_MILLISECONDS, TIME].into_iter().find_map(|form| {
            let (before, stamp) = stem.split_at_checked(stem.len().checked_sub(form.len())?)?;
            Some((before.strip_suffix('_').unwrap_or(before), Some(milliseconds(stamp, form)?)))
        });
        let (before, time) = stamped.unwrap_or((stem, None));
        let text = before.trim_end_matches(|digit: char| digit.is_ascii_digit());
        // A number that no counter reaches is a part of the text.
        let (text, number) = match before[text.len()..].parse() {
            Ok(number) => (text, Some(number)),
            Err(_) => (before, None),
        };
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        let is_one = number.is_some() || time.is_some();
        is_one.then(|| RunName { prefix: (folder, text.to_string()), number, time })
    }
}

/// The time of a stamp of this form.
fn milliseconds(stamp: &str, form: &[u8]) -> Option<i64> {
    let fits = |(byte, form): (u8, &u8)| match form {
        b'0' => byte.is_ascii_digit(),
        _ => byte == *form,
    };
    if !stamp.bytes().zip(form).all(fits) {
        return None;
    }
    let part = |from: usize, to: usize| stamp.get(from..to)?.parse::<i64>().ok();
    let (year, month, day) = (part(0, 4)?, part(5, 7)?, part(8, 10)?);
    let (hour, minute, second) = (part(11, 13)?, part(14, 16)?, part(17, 19)?);
    let is_time = (2000..2100).contains(&year)
        && (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && hour < 24
        && minute < 60
        && second <= 60;
    // Days of a calendar whose years begin in March, so that a leap day is the last of its year.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day;
    let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second;
    is_time.then(|| seconds * 1000 + part(20, 23).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(name: &str) -> Option<(String, Option<u64>, Option<i64>)> {
        RunName::of(Path::new(name)).map(|name| (name.prefix.1, name.number, name.time))
    }

    #[test]
    fn a_name_has_a_number_or_a_time() {
        // python3 -c 'from datetime import *; print((datetime(2026, 11, 28, 19, 31, 35, 613000)
        //   - datetime(2026, 2, 28)) / timedelta(milliseconds=1))' prints 23657495613.0.
        let (_, _, february) = parts("x_2026-02-28_00-00-00_000.json").unwrap();
        let time = Some(february.unwrap() + 23_657_495_613);
        let named = |prefix: &str, number| Some((prefix.to_string(), number, time));
        for (name, expected) in [
            ("a/run_profile_2026-11-28_19-31-35_613.json", named("run_profile", None)),
            ("run7_2026-11-28_19-31-35_613.json.gz", named("run", Some(7))),
            ("a.b_007_2026-11-28_19-31-35_613.JSON", named("a.b_", Some(7))),
            ("run_12.json", Some(("run_".to_string(), Some(12), None))),
            // No time, and no number that can be.
            (
                "x_2026-13-28_19-31-35_613.json",
                Some(("x_2026-13-28_19-31-35_".into(), Some(613), None)),
            ),
            ("x99999999999999999999.json", None),
            ("profile.json", None),
            ("größe.json", None),
        ] {
            assert_eq!(parts(name), expected, "{name}");
        }
        // A leap day: 2024-02-29 is between.
        let day = |name: &str| parts(name).unwrap().2.unwrap() / 86_400_000;
        assert_eq!(day("x_2024-03-01_00-00-00.json") - day("x_2024-02-28_00-00-00.json"), 2);
        assert_eq!(day("x_2025-03-01_00-00-00.json") - day("x_2025-02-28_00-00-00.json"), 1);
    }
}
