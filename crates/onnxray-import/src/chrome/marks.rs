//! Which events mark iterations.

use super::event::Single;
use super::label::Label;
use super::trace::{EventTrace, Mark};
use std::cmp::Reverse;

/// Names of the events that mark iterations; `*` stands for any text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkPattern(String);

impl MarkPattern {
    /// A pattern of the whole name.
    pub fn new(pattern: &str) -> MarkPattern {
        MarkPattern(pattern.to_string())
    }

    /// Whether events of this name mark iterations.
    pub fn matches(&self, name: &str) -> bool {
        let mut parts = self.0.split('*');
        let first = parts.next().unwrap_or_default();
        let Some(mut rest) = name.strip_prefix(first) else { return false };
        let Some(last) = parts.next_back() else { return rest.is_empty() };
        // The shortest text in place of each star leaves most to the others.
        for part in parts {
            let Some(found) = rest.find(part) else { return false };
            rest = &rest[found + part.len()..];
        }
        rest.ends_with(last)
    }

    /// As it was given.
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl EventTrace {
    /// Makes marks of the executions of these labels.
    pub fn mark_rows(&mut self, is_mark: impl Fn(&Label) -> bool) {
        let is_mark: Vec<bool> = self.labels.iter().map(is_mark).collect();
        if !is_mark.contains(&true) {
            return;
        }
        for rows in &mut self.chunks {
            let all = 0..rows.label.len();
            let (marks, others): (Vec<usize>, Vec<usize>) =
                all.partition(|&row| is_mark[rows.label[row] as usize]);
            if marks.is_empty() {
                continue;
            }
            self.marks.extend(marks.into_iter().map(|row| Single {
                label: rows.label[row],
                thread: rows.thread[row],
                start: rows.start[row],
                duration: rows.duration[row],
            }));
            *rows = rows.select(&others);
        }
        self.chunks.retain(|rows| !rows.label.is_empty());
    }

    /// Leaves the marks of these labels, in order of thread and start, and of those that lie in
    /// others the outer ones. Returns the others.
    pub fn keep_marks(&mut self, is_kept: impl Fn(&Label) -> bool) -> Vec<Mark> {
        let is_kept: Vec<bool> = self.labels.iter().map(is_kept).collect();
        let (mut marks, mut others): (Vec<Mark>, Vec<Mark>) = std::mem::take(&mut self.marks)
            .into_iter()
            .partition(|mark| is_kept[mark.label as usize]);
        marks.sort_by_key(|mark| (mark.thread, mark.start, Reverse(mark.duration)));
        for mark in marks {
            let end = |mark: &Mark| mark.start.saturating_add_unsigned(mark.duration);
            let around = self.marks.last().filter(|last| last.thread == mark.thread);
            match around.is_some_and(|last| end(&mark) <= end(last)) {
                true => others.push(mark),
                false => self.marks.push(mark),
            }
        }
        others
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_text() {
        for (pattern, name, expected) in [
            ("step[*]", "step[DECODE bs=32]", true),
            ("step[*", "step[DECODE bs=32]", true),
            ("step[DECODE*", "step[EXTEND bs=1]", false),
            ("*_model", "execute_model", true),
            ("*_model", "execute_models", false),
            ("execute_model", "execute_model", true),
            ("execute_model", "execute_model 2", false),
            ("a*b*c", "a b b c", true),
            ("a*b*c", "ac", false),
            ("a*a", "a", false),
            ("*", "", true),
            ("", "", true),
            ("", "a", false),
            ("größe*", "größe 3", true),
        ] {
            assert_eq!(MarkPattern::new(pattern).matches(name), expected, "{pattern} {name}");
        }
    }
}
