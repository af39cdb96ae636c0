//! Reports of mixes that were made up.

use super::MixResult;
use super::headline::said;
use crate::content::report::Report;
use crate::content::study::verified::VerifiedRatio;
use crate::document::{Cell, NoteKind};
use onnxray_analyzer::comparison::Verdict;
use onnxray_analyzer::study::Effect;
use onnxray_analyzer::study::{
    HeldOut, Mixing, Spread, Step, StudyOptions, Taken, Tried, TriedChange,
};
use onnxray_format::{
    LossInputs, LossMeasure, LossOutput, MixChange, MixRun, MixSource, SearchSetup, Setup, Stage,
};

fn run(changes: usize) -> MixRun {
    let source =
        |model: &str| MixSource { model: model.to_string(), sha256: None, external_sha256: None };
    let change = |number: usize| MixChange {
        tensor: Some(format!("t{number}")),
        operator_type: "MatMul".to_string(),
        nodes_a: vec![format!("a{number}")],
        nodes_b: vec![format!("b{number}"), "shared".to_string()],
        difference: None,
        needs: Vec::new(),
    };
    MixRun {
        a: source("encoder.onnx"),
        b: source("encoder-int8.onnx"),
        setup: Setup {
            engine: "ONNX Runtime".to_string(),
            engine_version: "1.22.1".to_string(),
            ..Setup::default()
        },
        search: SearchSetup {
            threads: 1,
            inputs: "random, seed 1".to_string(),
            loss_inputs: LossInputs { search: 4, held_out: 20 },
            cpu: None,
        },
        outputs: vec![LossOutput {
            name: "y".to_string(),
            measure: Some(LossMeasure::RelativeL2),
            reason: String::new(),
        }],
        aligned: 0,
        changes: (0..changes).map(change).collect(),
    }
}

fn mix(from_b: &[u32], ratio: f64, loss: f64) -> Tried {
    Tried {
        changes: from_b.to_vec(),
        launches: 2,
        ratio: Some(ratio),
        effect: Some(Effect { ratio, interval: (ratio * 0.99, ratio * 1.01), p: 0.01 }),
        loss: Some(loss),
        output: Some("y".to_string()),
        ..Tried::default()
    }
}

/// Of five changes; the first mix is the best one.
fn mixing(mixes: Vec<Tried>) -> Mixing {
    let best = mixes.first().cloned();
    let b = mixes.iter().find(|mix| mix.changes.len() == 5).cloned();
    let change = |number: u32| TriedChange {
        alone: mixes.iter().find(|mix| mix.changes == [number]).cloned(),
        without: None,
        in_b: None,
        in_best: None,
        is_taken: best.as_ref().is_some_and(|best| best.changes.contains(&number)),
        taken: Taken::Unknown,
    };
    Mixing {
        run: run(5),
        options: StudyOptions::default(),
        base_ns: Some(10e6),
        other_cores: None,
        limit: b.as_ref().and_then(|b| b.loss),
        changes: (0..5).map(change).collect(),
        b,
        mixes,
        best,
        predicted: None,
        next: Step::Nothing,
    }
}

const ALL: &[u32] = &[0, 1, 2, 3, 4];

fn verified(ratio: f64, verdict: Verdict) -> VerifiedRatio {
    let interval = Some((ratio - 0.005, ratio + 0.005));
    VerifiedRatio { ratio: Some(ratio), interval, verdict: Some(verdict) }
}

fn result(mixing: Mixing) -> MixResult {
    MixResult {
        mixing,
        held_out: None,
        verified: None,
        written: None,
        equals_a: None,
        equals_b: None,
    }
}

/// Losses on inputs that the search did not see, the mix's with this median.
fn held_out(median: f64) -> HeldOut {
    let mix = Spread { inputs: 20, median, range: (0.0011, 0.0052) };
    let b = Some(Spread { inputs: 20, median: 0.0050, range: (0.0030, 0.0062) });
    HeldOut { mix, b, worse: Some(3) }
}

/// B is faster than A, and a mix faster than both.
fn paying() -> Mixing {
    mixing(vec![mix(&[0, 2, 3, 4], 0.59, 0.0012), mix(ALL, 0.68, 0.0041), mix(&[], 1.0, 0.0)])
}

#[test]
fn a_mix_that_pays_is_next_to_the_better_model_first() {
    let ratios = [verified(0.59, Verdict::Faster), verified(0.868, Verdict::Faster)];
    let said = said(&paying(), Some(&held_out(0.0031)), Some("mixed".to_string()), Some(ratios));
    assert_eq!(
        said,
        [
            "mixed is 13.2 % faster than encoder-int8 (95 % CI 12.7 to 13.7 %) and 41.0 % faster \
             than encoder (95 % CI 40.5 to 41.5 %); its outputs lose 0.0031 (median of 20, 0.0011 to \
             0.0052) in relative L2 on inputs that the search did not see, encoder-int8's 0.0050 \
             (median of 20, 0.0030 to 0.0062), and more than encoder-int8's on 3 of 20.",
            "It takes 4 of 5 changes from encoder-int8, all but t1.",
        ]
    );
}

/// What the search liked is farther than B on other inputs, or cannot be compared there.
#[test]
fn a_mix_that_loses_more_on_other_inputs_is_not_recommended() {
    let ratios = [verified(0.59, Verdict::Faster), verified(0.868, Verdict::Faster)];
    let far = said(&paying(), Some(&held_out(0.0051)), None, Some(ratios));
    assert_eq!(
        far[0],
        "No mix of encoder and encoder-int8 is recommended: the best one is faster, but it loses \
         0.0051 (median of 20, 0.0011 to 0.0052) on inputs that the search did not see, more than \
         0.0050."
    );
    let unknown = said(&paying(), None, None, Some(ratios));
    assert!(unknown[0].ends_with("on inputs that the search did not see."), "{unknown:?}");
    // Where all inputs are files there are no others.
    let mut files = paying();
    files.run.search.loss_inputs = LossInputs { search: 1, held_out: 0 };
    let told = said(&files, None, None, Some(ratios));
    assert!(told[0].contains("its outputs lose 0.0012 in relative L2, encoder-int8's"), "{told:?}");
    let report = result(files).document(&None);
    assert!(report.notes().any(|note| note.text.starts_with("losses are of the only input")));
}

#[test]
fn a_mix_that_was_not_faster_once_more_is_not_recommended() {
    let ratios = [verified(0.68, Verdict::Faster), verified(0.999, Verdict::Same)];
    let said = said(&paying(), Some(&held_out(0.0031)), None, Some(ratios));
    assert_eq!(
        said,
        [
            "No mix of encoder and encoder-int8 is recommended: the best one was faster than \
             encoder-int8 in the search, but not in the launches that verify it, -0.1 % (95 % CI \
             -0.6 to +0.4 %).",
            "encoder-int8 is 32.0 % faster than encoder (95 % CI 31.3 to 32.7 %); its outputs lose \
             0.0041 in relative L2.",
        ]
    );
}

#[test]
fn a_search_that_ended_early_says_so() {
    let mut early = paying();
    early.next = Step::Measure { stage: Stage::Single, number: 0, variants: vec![vec![1]] };
    let lines = said(&early, None, None, None);
    assert!(lines[0].contains("was 13.2 % faster than encoder-int8 in the search"), "{lines:?}");
    assert!(lines[0].ends_with("it was not verified."), "{lines:?}");
    assert_eq!(lines[2], "Out of time for other mixes: run the same command again to continue.");
    early.best = early.b.clone();
    let lines = said(&early, None, None, None);
    assert!(lines[0].starts_with("Out of time: of "), "{lines:?}");
}

#[test]
fn a_model_that_is_best_as_it_is_is_said_to_be() {
    let b = mixing(vec![mix(ALL, 0.68, 0.0041), mix(&[1], 0.9, 0.001), mix(&[], 1.0, 0.0)]);
    let lines = said(&b, None, None, None);
    assert!(lines[0].contains("is faster than encoder-int8 as it is: of 1 mix"), "{lines:?}");
    assert!(lines[1].starts_with("encoder-int8 is 32.0 % faster than encoder"), "{lines:?}");
    let mut a = mixing(vec![mix(&[], 1.0, 0.0), mix(ALL, 0.7, 0.02)]);
    let lines = said(&a, None, None, None);
    assert!(lines[0].contains("No mix of encoder and encoder-int8 is faster than encoder:"));
    a.limit = Some(0.01);
    a.b = a.b.map(|b| Tried { loses_too_much: true, ..b });
    let lines = said(&a, None, None, None);
    assert!(lines[1].ends_with("lose 0.020 in relative L2, more than 0.010."), "{lines:?}");
    a.b = a.b.map(|b| Tried { failed: Some("no kernel".to_string()), ratio: None, ..b });
    assert_eq!(said(&a, None, None, None)[1], "encoder-int8 failed: no kernel.");
    a.best = None;
    assert!(said(&a, None, None, None)[0].ends_with("and encoder-int8: nothing was measured."));
    a.best = Some(Tried { failed: Some("no kernel.".to_string()), ..mix(&[], 1.0, 0.0) });
    assert!(said(&a, None, None, None)[0].ends_with(": encoder failed, no kernel."));
}

#[test]
fn what_is_unknown_is_not_zero() {
    let report = result(mixing(vec![mix(&[], 1.0, 0.0)])).document(&None);
    let changes = report.table("mix_changes").unwrap();
    for key in ["alone_us", "alone_ratio", "alone_loss", "in_b_us", "in_mix_us", "difference"] {
        assert_eq!(changes.cell(key, 0), Some(&Cell::Unknown), "{key}");
    }
    let models = report.table("mix_models").unwrap();
    assert_eq!(models.len(), 2);
    assert_eq!(models.cell("latency_ms", 1), Some(&Cell::Unknown));
    assert_eq!(models.cell("equals", 1), Some(&Cell::Unknown));
    assert_eq!(report.figures("mix").unwrap().value("loss_limit"), Some(&Cell::Unknown));
}

/// By hand: the mix takes 5.9 ms, which is 0.8 of the time without the first change.
#[test]
fn what_a_change_adds_has_a_sign() {
    let mut mixing = paying();
    mixing.changes[0].in_best = Some(0.8);
    mixing.changes[1].in_best = Some(0.8);
    mixing.changes[1].alone = Some(mix(&[1], 1.1, 0.001));
    let report = result(mixing).document(&None);
    let changes = report.table("mix_changes").unwrap();
    let number = |key, row| changes.cell(key, row).and_then(Cell::as_number).unwrap();
    assert_eq!(changes.cell("change", 0), Some(&Cell::text("t0")));
    assert!((number("in_mix_us", 0) + 1475.0).abs() < 1e-6);
    // Without the second, the best mix takes 0.8 of the time with it.
    assert_eq!(changes.cell("change", 4), Some(&Cell::text("t1")));
    assert!((number("in_mix_us", 4) - 1475.0).abs() < 1e-6);
    assert!((number("in_mix_ratio", 4) - 1.25).abs() < 1e-12);
    assert!((number("alone_us", 4) - 1000.0).abs() < 1e-6);
    // A node that several changes have is one.
    assert_eq!(report.figures("mix").unwrap().value("nodes_taken"), Some(&Cell::Whole(5)));
}

#[test]
fn what_does_not_add_up_is_noted() {
    let noted = |predicted: f64| {
        let mixing = Mixing { predicted: Some(predicted), ..paying() };
        let report = result(mixing).document(&None);
        report.notes().find(|note| note.text.contains("do not add up")).cloned()
    };
    assert_eq!(noted(0.592), None);
    let text = noted(0.8).unwrap().text;
    assert!(text.contains("20.0 % faster, measured together 41.0 % faster"), "{text}");
    assert!(text.contains("only at their ends"), "{text}");
    assert!(!noted(0.4).unwrap().text.contains("only at their ends"));
}

#[test]
fn mixes_that_are_not_what_files_are_are_warned_of() {
    let report = (MixResult { equals_b: Some(false), ..result(paying()) }).document(&None);
    let warning = report.notes().find(|note| note.kind == NoteKind::Warning).unwrap();
    assert!(warning.text.contains("a mix of all of B"), "{}", warning.text);
}

#[test]
fn mixes_are_named_by_the_fewer_of_their_changes() {
    let run = run(8);
    let named = |from_b: &[u32]| super::words::mix(&run, from_b);
    assert_eq!(named(&[]), "A");
    assert_eq!(named(&[0, 1, 2, 3, 4, 5, 6, 7]), "B");
    assert_eq!(named(&[0, 2]), "2 from B");
    assert_eq!(named(&[0, 1, 2, 3, 4, 5, 7]), "all but 1 from B");
    let apart = |from_b: &[u32]| super::words::apart(&run, from_b);
    assert_eq!(apart(&[0, 2]), "t0, t2");
    assert_eq!(apart(&[0, 1, 2, 3, 4, 5, 7]), "t6");
    assert_eq!(apart(&[0, 1, 2, 3]), "");
}
