//! Arguments that are one of several values, by its name.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Names, and what they stand for. Whether their case matters, the argument says.
pub(super) fn choice<T: Clone + Send + Sync + 'static>(
    choices: impl IntoIterator<Item = (PossibleValue, T)>,
) -> impl TypedValueParser<Value = T> {
    let choices: Vec<(PossibleValue, T)> = choices.into_iter().collect();
    let names: Vec<PossibleValue> = choices.iter().map(|(name, _)| name.clone()).collect();
    PossibleValuesParser::new(names).try_map(move |text| {
        // `PossibleValuesParser` has looked at the case, where it counts.
        let mut chosen = choices.iter().filter(|(name, _)| name.matches(&text, true));
        chosen.next().map(|(_, value)| value.clone()).ok_or("unknown")
    })
}
