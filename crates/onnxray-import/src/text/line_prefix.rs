//! What a log has in front of each line of a table: times, process numbers, levels.

/// What stood in front of a table's heading.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LinePrefix(String);

impl LinePrefix {
    /// `before` is what a line has in front of the heading.
    pub(crate) fn new(before: &str) -> LinePrefix {
        LinePrefix(before.trim_end().to_string())
    }

    /// A line without what the log has in front of it. Times and numbers there differ from
    /// line to line.
    pub(crate) fn strip<'a>(&self, line: &'a str) -> &'a str {
        let prefix = self.0.as_bytes();
        let Some(&mark) = prefix.last() else { return line.trim() };
        let alike = |(a, b): (&u8, &u8)| a == b || (a.is_ascii_digit() && b.is_ascii_digit());
        let rest = match line.get(prefix.len()..) {
            Some(rest) if line.as_bytes().iter().zip(prefix).all(alike) => rest,
            _ => {
                // The mark that ends it, as often as it is in it.
                let mark = format!("{} ", char::from(mark));
                let marks = self.0.matches(&mark).count() + 1;
                line.splitn(marks + 1, &mark).nth(marks).unwrap_or(line)
            }
        };
        rest.trim()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_numbers_may_differ() {
        let prefix = LinePrefix::new("[05/08/2024-14:05:14] [I]    ");
        assert_eq!(prefix.strip("[05/08/2024-14:05:15] [I]   16.15  a [b] c"), "16.15  a [b] c");
        assert_eq!(prefix.strip("[5/8/2024-14:05:15] [I]  16.15  a"), "16.15  a");
        assert_eq!(prefix.strip("nothing"), "nothing");
        assert_eq!(LinePrefix::new("  ").strip("  a: b "), "a: b");
    }
}
