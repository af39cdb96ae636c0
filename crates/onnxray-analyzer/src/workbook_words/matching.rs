//! Compares headings as people write them.

use super::{heading, sheet};

/// Words of ours, and their former wording in the Neural Engine's profiles and in workbooks of
/// earlier versions.
const FORMER: [(&str, &str); 6] = [
    (heading::TARGET, "aim to weight sparse ratio"),
    (heading::MODEL_TARGET, "aim to weight sparse ratio, all operators"),
    (heading::MINIMUM, "minimum level"),
    (heading::MAXIMUM, "maximum level"),
    (sheet::OPERATORS, "Operator profiling"),
    (sheet::TYPES, "Layer types"),
];

/// The words, and those that stood for them before.
pub(crate) fn wordings(words: &str) -> impl Iterator<Item = &str> {
    let former = FORMER.iter().filter(move |(now, _)| *now == words);
    std::iter::once(words).chain(former.map(|&(_, former)| former))
}

/// True if a text is these words or their former wording, whatever the case, white space and
/// underscores.
pub(crate) fn is(text: &str, words: &str) -> bool {
    wordings(words).any(|words| folded(text).eq(folded(words)))
}

/// True if a text begins with the words, as [`is`] compares them.
pub(crate) fn begins(text: &str, words: &str) -> bool {
    wordings(words).any(|words| {
        let mut text = folded(text);
        folded(words).all(|letter| text.next() == Some(letter))
    })
}

/// First letter as comparisons see it, by which texts are indexed.
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

    #[test]
    fn words_of_earlier_versions_are_found() {
        for words in [heading::TARGET, "aim to weight sparse ratio"] {
            assert!(is(words, heading::TARGET) && !is(words, heading::MODEL_TARGET), "{words}");
        }
        assert!(begins("Minimum level (least)", heading::MINIMUM));
        for (sheet, former) in
            [(sheet::OPERATORS, "Operator profiling"), (sheet::TYPES, "Layer types")]
        {
            assert!(is(sheet, sheet) && is(former, sheet), "{former}");
        }
        assert!(!is("target sparsity", "aim to weight sparse ratio"), "not the other way round");
    }
}
