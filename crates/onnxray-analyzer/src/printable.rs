//! Text from traces and models, made safe to show, and lists made short.

/// Control characters would reach the terminal as commands; what turns the
/// direction of writing would make a name look like another.
pub fn printable(text: &str) -> String {
    let hidden = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        if hidden(letter) {
            shown.extend(letter.escape_default());
        } else {
            shown.push(letter);
        }
    }
    shown
}

/// The first of a list of names, and how many more there are.
pub fn first_of(names: &[String]) -> String {
    const MOST: usize = 8;
    let shown = names.iter().take(MOST).map(String::as_str).collect::<Vec<_>>().join(", ");
    match names.len() {
        0..=MOST => shown,
        all => format!("{shown} and {} more", all - MOST),
    }
}

/// A probability for people: no test is as sure as 0.000 looks.
pub(crate) fn probability(p: f64) -> String {
    if p < 0.0005 { "<0.001".to_string() } else { format!("{p:.3}") }
}

/// Text of a file in a message: safe to show, and not longer than it helps.
pub(crate) fn quoted(text: &str) -> String {
    const MOST: usize = 60;
    let mut short: String = text.chars().take(MOST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    format!("\"{}\"", printable(&short))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_and_none_commands_the_terminal() {
        assert_eq!(quoted(&"x".repeat(100)).chars().count(), 63);
        assert_eq!(quoted("a\u{1b}[1m\u{202e}"), "\"a\\u{1b}[1m\\u{202e}\"");
    }
}
