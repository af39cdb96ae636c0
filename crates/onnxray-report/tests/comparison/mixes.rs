//! Reports of mixes that recordings verify.

use crate::made::{compared, noisy_recording};
use onnxray_analyzer::comparison::Recording;
use onnxray_analyzer::study::Verified;
use onnxray_analyzer::study::{HeldOut, Spread, StudyOptions, descend};
use onnxray_format::{
    LossInputs, MixChange, MixQuality, MixRun, MixSource, MixTrial, MixVariant, SearchSetup, Setup,
    Stage,
};
use onnxray_report::{Cell, MixResult, MixVerified, Report, write_page, write_workbook};
use std::fs::File;

fn run() -> MixRun {
    let source =
        |model: &str| MixSource { model: model.to_string(), sha256: None, external_sha256: None };
    let change = |name: &str| MixChange {
        tensor: Some(name.to_string()),
        operator_type: "MatMul".to_string(),
        nodes_a: Vec::new(),
        nodes_b: Vec::new(),
        difference: None,
        needs: Vec::new(),
    };
    MixRun {
        a: source("a.onnx"),
        b: source("b.onnx"),
        setup: Setup { engine: "tract".to_string(), ..Setup::default() },
        search: SearchSetup {
            threads: 1,
            inputs: "files".to_string(),
            loss_inputs: LossInputs { search: 4, held_out: 20 },
            cpu: None,
        },
        outputs: Vec::new(),
        aligned: 0,
        changes: ["=A1", "<b>"].map(change).to_vec(),
    }
}

/// B takes 0.8 of A's time, A with the first change 0.7.
fn launch(number: u32) -> MixTrial {
    let known: [(&[u32], f64); 4] = [(&[], 1.0), (&[0], 0.7), (&[1], 1.1), (&[0, 1], 0.8)];
    let variant = |(from_b, ratio): (&[u32], f64)| MixVariant {
        costs: None,
        changes: from_b.to_vec(),
        ratio: Some(ratio * (1.0 + f64::from(number) / 1e4)),
        quality: MixQuality {
            loss: Some(0.01 * from_b.len() as f64),
            output: Some("y".to_string()),
            ..MixQuality::default()
        },
        failed: None,
    };
    let variants = known.map(variant).to_vec();
    MixTrial {
        stage: Stage::default(),
        number,
        base_ns: Some(1e6),
        rounds: 10,
        other_cores: None,
        variants,
    }
}

/// The mix next to a model that takes so much of its time.
fn pair(factor: f64) -> Verified {
    let base: Recording = noisy_recording(1, 8, [factor; 5]);
    let found = noisy_recording(2, 8, [1.0; 5]);
    Verified { comparison: compared(&base, &found), base, found }
}

fn spread(median: f64) -> Spread {
    Spread { inputs: 20, median, range: (median / 2.0, median * 2.0) }
}

fn result(next_to_b: f64) -> MixResult {
    let launches: Vec<MixTrial> = (0..8).map(launch).collect();
    let launches: Vec<&MixTrial> = launches.iter().collect();
    MixResult {
        mixing: descend(&run(), &launches, StudyOptions::default()),
        held_out: Some(HeldOut { mix: spread(0.01), b: Some(spread(0.02)), worse: Some(0) }),
        verified: Some(MixVerified { with_a: pair(1.5), with_b: pair(next_to_b) }),
        written: Some("mixed.onnx".to_string()),
        equals_a: Some(true),
        equals_b: None,
    }
}

#[test]
fn what_is_recommended_is_faster_than_the_better_model() {
    let faster = result(1.2);
    assert_eq!(faster.recommended().unwrap().changes, [0]);
    let report = faster.document(&None);
    let headline = &report.headline[0];
    assert!(headline.starts_with("mixed is 16.") && headline.contains(" than b ("), "{headline}");
    assert!(headline.contains(" and 33.") && headline.contains(" than a ("), "{headline}");
    let models = report.table("mix_models").unwrap();
    let ratio = |row: usize| models.cell("verified_ratio", row).and_then(Cell::as_number).unwrap();
    assert!((ratio(0) - 1.0 / 1.5).abs() < 0.01 && (ratio(1) - 1.0 / 1.2).abs() < 0.01);
    assert_eq!(models.cell("verified_ratio", 2), Some(&Cell::None));
    for key in ["causes", "layers"] {
        let caveat = report.table(key).unwrap().caveat.as_deref().unwrap();
        assert!(caveat.starts_with("A is b and B the mix"), "{caveat}");
    }

    let mut farther = result(1.2);
    let held_out = HeldOut { mix: spread(0.03), b: Some(spread(0.02)), worse: Some(20) };
    farther.held_out = Some(held_out);
    assert!(farther.recommended().is_none());

    let no_faster = result(1.0);
    assert!(no_faster.recommended().is_none());
    assert!(no_faster.document(&None).headline[0].starts_with("No mix of a and b is recommended"));
}

#[test]
fn a_mix_is_written_as_a_page_and_as_a_workbook() {
    let folder = tempfile::tempdir().unwrap();
    let [page, workbook] = ["mix.html", "mix.xlsx"].map(|name| folder.path().join(name));
    write_page(&result(1.2).page(), File::create(&page).unwrap()).unwrap();
    let file = File::create(workbook).unwrap();
    write_workbook(&result(1.2).workbook(), folder.path(), file).unwrap();
    assert!(!std::fs::read_to_string(page).unwrap().contains("<b>"));
}
