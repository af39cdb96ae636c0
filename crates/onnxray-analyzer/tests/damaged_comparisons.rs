//! The JSON of comparisons with its parts in any order, cut, and with bytes of others.

#[path = "comparisons/checked.rs"]
mod checked;

use checked::{PIECES, check};
use proptest::collection::vec;
use proptest::prelude::*;

/// Texts; more by `ONNXRAY_MUTATIONS`.
fn mutations() -> u32 {
    std::env::var("ONNXRAY_MUTATIONS").ok().and_then(|count| count.parse().ok()).unwrap_or(500)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(mutations()))]

    #[test]
    fn whatever_it_is_nothing_is_found_that_was_not_read(
        pieces in vec(0..PIECES.len(), 0..24),
        changes in vec((any::<prop::sample::Index>(), any::<u8>()), 0..3),
        cut in proptest::option::of(any::<prop::sample::Index>()),
    ) {
        let mut text: Vec<u8> = pieces.into_iter().flat_map(|piece| PIECES[piece].bytes()).collect();
        for (at, byte) in changes {
            if !text.is_empty() {
                let at = at.index(text.len());
                text[at] = byte;
            }
        }
        if let Some(cut) = cut {
            text.truncate(cut.index(text.len() + 1));
        }
        check(text);
    }

    #[test]
    fn whole_documents_are_read_one_after_the_other(
        layers in vec(0..4usize, 0..6),
        copies in 1..4usize,
    ) {
        let of = ["slower", "same", "inconclusive", "faster"];
        let rows: Vec<String> = layers
            .iter()
            .enumerate()
            .map(|(at, &verdict)| {
                let verdict = of[verdict];
                format!(r#"{{"layer":"l{at}","verdict":"{verdict}","a_share":0.1,"b_share":0.1,"p":0.001}}"#)
            })
            .collect();
        let document = format!(
            "{{\"report\":\"comparison\",\"schema_version\":1,\"layers\":[{}]}}\n",
            rows.join(",")
        );
        check(document.repeat(copies).into_bytes());
    }
}
