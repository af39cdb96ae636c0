//! Compares headings as people write them.

/// Whether two texts are the same but for case, white space and underscores.
pub(crate) fn is(text: &str, words: &str) -> bool {
    folded(text).eq(folded(words))
}

/// Whether a text begins with words, whatever its case, spaces and underscores.
pub(crate) fn begins(text: &str, words: &str) -> bool {
    let mut text = folded(text);
    folded(words).all(|letter| text.next() == Some(letter))
}

/// The letter that tells most texts from words that they are compared with.
pub(crate) fn initial(text: &str) -> Option<char> {
    folded(text).next()
}

fn folded(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| !c.is_whitespace() && *c != '_').flat_map(char::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_whatever_their_case_and_spaces() {
        assert!(is(" Weight_Shape", "weight shape") && is("weightshape", "weight shape"));
        assert!(!is("weight shapes", "weight shape") && !is("weight", "weight shape"));
        assert!(begins("Budget (share of …)", "budget") && !begins("bud", "budget"));
    }
}
