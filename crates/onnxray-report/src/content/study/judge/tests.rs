//! Sentences on judgements that were made up.

use super::{Evidence, Expected, JudgeResult, headline};
use onnxray_analyzer::study::{JudgeOptions, Word, judge};
use onnxray_format::{JudgeRun, JudgeTrial, Judged, MixQuality, Objective, Stage, Trial, Variant};
use std::time::Duration;

/// A launch in which B and A's copy take this much longer than A, in logarithms.
fn trial(number: usize, candidate: f64) -> JudgeTrial {
    let variant = |side: Judged, logarithm: f64| Variant {
        changes: vec![side],
        ratio: Some(logarithm.exp()),
        costs: None,
        quality: MixQuality { loss: Some(0.0), ..MixQuality::default() },
        failed: None,
    };
    Trial {
        stage: Stage::Single,
        number: number as u32,
        base_ns: Some(1e6),
        rounds: 20,
        other_cores: None,
        variants: vec![variant(Judged::Candidate, candidate), variant(Judged::Control, 0.0)],
    }
}

/// The sentence on launches in which B took this much longer; `first` is the word to be confirmed.
fn said(candidates: &[f64], first: Option<Option<Word>>) -> String {
    let run = JudgeRun { has_control: true, ..JudgeRun::default() };
    let trials: Vec<JudgeTrial> =
        candidates.iter().enumerate().map(|(number, own)| trial(number, *own)).collect();
    let options = JudgeOptions { objective: Objective::Latency, threshold: 0.01, max_loss: 0.01 };
    let found = judge(&run, &trials.iter().collect::<Vec<_>>(), options);
    assert_eq!(found.word, Word::Inconclusive, "{found:?}");
    let result = JudgeResult {
        judgement: Ok(Evidence::Measured(Box::new(found))),
        held_out: None,
        verified: None,
        known_cause: None,
        names: ["a", "b"].map(String::from),
        expected: Expected::NotSlower,
        spent: Duration::from_secs(10),
        launches: candidates.len(),
        command: String::new(),
        first,
    };
    headline::headline(&result).remove(0)
}

#[test]
fn what_is_open_says_one_thing_to_do() {
    let (longer, thousand) = ("--time-limit", "how many more launches would decide is unknown");
    let near = [0.0, 0.011, 0.0, 0.011, 0.0, 0.011];
    let once = said(&near, None);
    assert!(
        once.contains("more would decide if the spread stays; run it again to go on, or"),
        "{once}"
    );
    assert!(once.contains(longer) && !once.contains(thousand), "{once}");
    // A repeated bundle keeps no launches for another run.
    let repeated = said(&near, Some(Some(Word::Same)));
    assert!(
        repeated.contains("would decide if the spread stays; give it a larger --time-limit"),
        "{repeated}"
    );
    let wide = said(&[-2.0, 2.0, -2.0, 2.0, -2.0, 2.0], None);
    assert!(wide.contains(thousand) && wide.contains("larger --threshold"), "{wide}");
    let single = said(&[0.0], None);
    assert!(single.contains("too few launches") && single.contains("run it again"), "{single}");
    assert!(!single.contains(thousand), "{single}");
}
