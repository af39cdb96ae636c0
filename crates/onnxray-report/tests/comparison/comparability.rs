//! Whether recordings may be compared.

use crate::made::{compared, launches, model, operator, recording, run};
use crate::turned::{PLAN, in_turns as in_turns_made, recordings, rough};
use onnxray_analyzer::comparison::{Field, Meaning, Options, Recording, compare};
use onnxray_format::{Operator, Run};

type Change = fn(&mut Run);

fn with(change: impl Fn(&mut Run)) -> Recording {
    let mut made = launches(&model(), 3, 10, |_, _, _| 1_000);
    made.iter_mut().for_each(|launch| change(&mut launch.run));
    recording("changed", made)
}

#[test]
fn nothing_else_differs_between_twins() {
    let comparability = compared(&with(|_| {}), &with(|_| {})).comparability;
    assert_eq!(comparability.differences, []);
    assert!(comparability.is_comparable());
}

#[test]
fn configurations_that_differ_are_named_and_weighed() {
    let changes: [(Field, Change, Meaning); 8] = [
        (Field::Threads, |run| run.threads = Some(4), Meaning::NotComparable),
        (Field::Batch, |run| run.batch_size = Some(8), Meaning::NotComparable),
        (Field::Host, |run| run.host = Some("another".to_string()), Meaning::NotComparable),
        (Field::Cpu, |run| run.cpu = None, Meaning::Unknown),
        (Field::Engine, |run| run.engine = "another".to_string(), Meaning::Expected),
        (Field::Version, |run| run.engine_version = "2".to_string(), Meaning::Expected),
        (Field::Model, |run| run.model_sha256 = Some("fedcba987".to_string()), Meaning::Expected),
        (Field::Inputs, |run| run.inputs = Some("random, seed 2".to_string()), Meaning::Unknown),
    ];
    for (field, change, meaning) in changes {
        let (a, b) = (with(|_| {}), with(change));
        let comparability = compared(&a, &b).comparability;
        assert_eq!(comparability.differences.len(), 1, "{field:?}: {comparability:?}");
        assert_eq!(
            (comparability.differences[0].field, comparability.differences[0].meaning),
            (field, meaning)
        );
        assert_eq!(comparability.is_comparable(), meaning != Meaning::NotComparable);
        let options = Options { expected_differences: vec![field], ..Options::default() };
        let expected = compare(&a, &b, &options).unwrap().comparability;
        assert_eq!(expected.differences[0].meaning, Meaning::Expected);
        assert!(expected.is_comparable());
    }
}

/// Whoever records two in turns has said in what they differ, but for what a model decides.
#[test]
fn what_one_command_recorded_in_turns_differs_on_purpose() {
    let cases: [(Field, Change, bool); 4] = [
        (Field::Threads, |run| run.threads = Some(4), true),
        (
            Field::EngineOptions,
            |run| drop(run.engine_options.insert("arena".into(), "off".into())),
            true,
        ),
        (Field::Batch, |run| run.batch_size = Some(8), false),
        (Field::Host, |run| run.host = Some("another".to_string()), false),
    ];
    for (field, change, is_on_purpose) in cases {
        for in_turns in [true, false] {
            let [a, b] = in_turns_made(PLAN, rough(1, [1.0; 5])).map(|mut side| {
                for launch in &mut side {
                    launch.run.engine_options.insert("arena".into(), "on".into());
                }
                if side[0].run.recording == "b" {
                    side.iter_mut().for_each(|launch| change(&mut launch.run));
                }
                if !in_turns {
                    side.iter_mut().for_each(|launch| launch.run.interleaved = None);
                }
                side
            });
            let [a, b] = recordings([a, b]);
            let comparability = compared(&a, &b).comparability;
            assert_eq!(comparability.differences.len(), 1, "{field:?}: {comparability:?}");
            assert_eq!(comparability.is_comparable(), is_on_purpose && in_turns, "{field:?}");
        }
    }
}

/// Of two versions on two engines, the engine is one difference more.
#[test]
fn several_differences_are_not_all_the_point() {
    let other = with(|run| {
        run.model_sha256 = Some("fedcba987".to_string());
        run.engine_version = "2".to_string();
    });
    let comparability = compared(&with(|_| {}), &other).comparability;
    let meanings: Vec<Meaning> =
        comparability.differences.iter().map(|found| found.meaning).collect();
    assert_eq!(meanings, [Meaning::Expected, Meaning::Noted]);
}

/// The shape of an input that stands in the model is seen in its layers.
#[test]
fn layers_of_another_size_tell_of_another_input() {
    let mut larger = model();
    for operator in &mut larger {
        operator.outputs[0].shape = Some(vec![1, 128]);
    }
    let make =
        |operators: &[Operator]| recording("sized", launches(operators, 3, 10, |_, _, _| 1_000));
    let comparability = compared(&make(&model()), &make(&larger)).comparability;
    assert_eq!(comparability.differences[0].field, Field::Shapes);
    assert!(!comparability.is_comparable());
    // One wider layer is a version of the model.
    let mut wider = model();
    wider[1].outputs[0].shape = Some(vec![1, 128]);
    assert!(compared(&make(&model()), &make(&wider)).comparability.is_comparable());
}

/// The name of a file says nothing where its content is known.
#[test]
fn one_model_under_two_names_is_one_model() {
    let renamed = with(|run| run.model = "copy.onnx".to_string());
    assert_eq!(compared(&with(|_| {}), &renamed).comparability.differences, []);
}

#[test]
fn different_models_are_not_versions_of_each_other() {
    let others: Vec<Operator> = ["Conv", "Relu", "MaxPool", "Conv", "Flatten", "Gemm"]
        .iter()
        .enumerate()
        .map(|(at, kind)| operator(&format!("/net/{at}/{kind}"), kind))
        .map(|mut found| {
            found.outputs[0].shape = Some(vec![1, 7, 7]);
            found
        })
        .collect();
    let a = recording("a", launches(&model(), 3, 10, |_, _, _| 1_000));
    let mut made = launches(&others, 3, 10, |_, _, _| 1_000);
    // A provider may compile a file into what nothing of the other side aligns with.
    assert!(compared(&a, &recording("b", made.clone())).is_one_model());
    for launch in &mut made {
        launch.run.model_sha256 = Some("fedcba9876543210".to_string());
    }
    assert!(!compared(&a, &recording("b", made.clone())).is_one_model());
    made.iter_mut().for_each(|launch| launch.run.model_sha256 = None);
    assert!(!compared(&a, &recording("b", made)).is_one_model());
    assert!(compared(&a, &a).is_one_model());
    assert_eq!(run().model, "model.onnx");
}
