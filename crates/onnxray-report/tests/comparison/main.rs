//! Comparisons and checks of recordings that were made for it.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

mod bad_input;
mod blocks;
mod busy;
mod checks;
mod comparability;
mod conditions;
mod coverage;
mod families;
mod figures;
mod in_turns;
#[path = "../../../../benches/profiles/launches.rs"]
mod launches;
mod made;
mod mixes;
mod modules;
mod pairs_by_hand;
mod points;
mod recomputed;
#[path = "../../../../benches/profiles/sequence.rs"]
mod sequence;
mod shown;
mod turned;
mod typical;
mod verdicts;
