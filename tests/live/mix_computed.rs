//! Mixes at random: each is a valid model, and computes what a second implementation says, to the
//! last bit. Models are made by `mix_models.py`; the implementation is `mix_reference.py`.

use crate::onnxruntime_package::{library, python};
use crate::program::{Place, fixture_file, json, model, program};
use onnxray_format::{MixChange, MixRun};
use onnxray_recorder::engine::EngineSpec;
use onnxray_recorder::engine::onnxruntime::OnnxRuntimeOptions;
use onnxray_recorder::study::Worker;
use onnxray_recorder::study::mix::{MixSpec, MixSurvey, mixed};
use onnxray_recorder::study::sensitivity::MeasureChoice;
use onnxray_recorder::{GivenDimensions, LaunchOptions, LaunchSpec};
use serde_json::{Value, json as object};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;

/// Choices of a pair that are tried; some are the same.
const CHOICES: u64 = 48;
/// Different mixes of a pair, at most.
const MOST: usize = 32;

/// Two models, and where mixes of them are written.
struct Pair {
    name: &'static str,
    files: [PathBuf; 2],
    sizes: BTreeMap<String, u64>,
    folder: PathBuf,
}

/// Runs a script of this folder.
pub(crate) fn script(name: &str, arguments: &[&Path]) -> String {
    let run = "import runpy, sys; sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], \
               run_name='__main__')";
    let script = fixture_file("../tests/live").join(name);
    python(run, &[&[script.as_path()], arguments].concat())
}

fn pairs(place: &Place) -> Vec<Pair> {
    let own = |name: &str| place.path("models").join(name).with_extension("onnx");
    let bundled = |name: &str| PathBuf::from(model(name));
    let apart = |name: &str| own(&format!("{name}-apart/model"));
    let pair = |name, files, size: Option<(&str, u64)>| {
        let sizes = size.into_iter().map(|(name, size)| (name.to_string(), size)).collect();
        let folder = place.path(name);
        std::fs::create_dir(&folder).unwrap();
        Pair { name, files, sizes, folder }
    };
    let frames = Some(("frames", 8));
    let sequence = Some(("sequence", 8));
    let mut pairs = vec![
        pair("quantized", [bundled("cnn"), bundled("cnn-int8")], None),
        pair("original", [bundled("cnn-int8"), bundled("cnn")], None),
        pair("encoder", [bundled("encoder"), bundled("encoder-int8")], sequence),
        pair("half", [bundled("cnn"), own("cnn-half")], None),
        pair("single", [own("cnn-half"), bundled("cnn")], None),
        pair("scan", [bundled("scan"), own("scan-weighted")], frames),
        pair("lstm", [bundled("lstm"), own("lstm-weighted")], sequence),
        pair("captured", [own("captured-a"), own("captured-b")], None),
        pair("named", [own("named-a"), own("named-b")], None),
        pair("renamed", [own("named-b"), own("named-a")], None),
        pair("apart", [apart("cnn"), apart("cnn-int8")], None),
        pair("beside", [apart("cnn"), apart("cnn-int8")], None),
    ];
    // There, mixes refer to the data of A.
    let beside = pairs.last_mut().unwrap();
    beside.folder = beside.files[0].parent().unwrap().to_path_buf();
    pairs
}

/// All of A, all of B, and mixes at random, of few changes and of many.
fn choices(changes: &[MixChange], seed: u64) -> Vec<Vec<u32>> {
    let mut state = seed;
    let mut below = |most: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % most
    };
    let numbers = 0..changes.len() as u32;
    let mut choices = vec![Vec::new(), numbers.clone().collect()];
    for _ in 0..CHOICES {
        let share = below(100);
        let mut chosen: BTreeSet<u32> = numbers.clone().filter(|_| below(100) < share).collect();
        // What they need comes along.
        loop {
            let needed = chosen.iter().flat_map(|&change| &changes[change as usize].needs);
            let more: BTreeSet<u32> = needed.copied().filter(|own| !chosen.contains(own)).collect();
            if more.is_empty() {
                break;
            }
            chosen.extend(more);
        }
        let chosen = chosen.into_iter().collect();
        if choices.len() < MOST && !choices.contains(&chosen) {
            choices.push(chosen);
        }
    }
    choices
}

fn survey(spec: &MixSpec) -> MixSurvey {
    let command = || {
        let mut command = Command::new(program());
        // It is what `onnxray mix` starts, and that has seen to it.
        command.arg("work").env("ORT_DISABLE_TELEMETRY", "1");
        command
    };
    let stop = AtomicBool::new(false);
    let worker = Worker::<MixRun> { spec, command: &command, stop: &stop };
    worker.survey().unwrap().unwrap()
}

/// Writes mixes of a pair; what the reference is to know of them.
fn written(pair: &Pair, library: &str) -> Value {
    let Pair { name, files: [a, b], sizes, folder } = pair;
    let options =
        OnnxRuntimeOptions { library: Some(library.into()), ..OnnxRuntimeOptions::default() };
    let spec = MixSpec {
        a: LaunchSpec {
            engine: EngineSpec::OnnxRuntime(options),
            model: a.into(),
            dimensions: GivenDimensions { sizes: sizes.clone(), ..GivenDimensions::default() },
            inputs: BTreeMap::new(),
            seed: 1,
            generation: None,
            options: LaunchOptions::default(),
        },
        b: b.into(),
        guessed: Vec::new(),
        measure: MeasureChoice::default(),
        types: Default::default(),
    };
    let survey = survey(&spec);
    let spec = MixSpec { types: survey.types.clone(), ..spec };
    let changes = &survey.run.changes;
    let mut mixes = Vec::new();
    for (number, from_b) in choices(changes, name.len() as u64).iter().enumerate() {
        let path = folder.join(format!("{number}.onnx"));
        let bytes = mixed(&spec, from_b, folder)
            .unwrap_or_else(|error| panic!("{name}, {from_b:?}: {error}"));
        std::fs::write(&path, bytes).unwrap();
        let tensors: Vec<&String> =
            from_b.iter().filter_map(|&own| changes[own as usize].tensor.as_ref()).collect();
        mixes.push(object!([path, tensors]));
    }
    object!({"name": name, "a": a, "b": b, "sizes": sizes, "mixes": mixes})
}

#[test]
fn mixes_at_random_are_valid_and_compute_what_a_second_implementation_does() {
    let (place, library) = (Place::new(), library());
    let models = place.path("models");
    std::fs::create_dir(&models).unwrap();
    let bundled = fixture_file("models");
    script("mix_models.py", &[&bundled, &models]);
    let pairs: Vec<Value> = pairs(&place).iter().map(|pair| written(pair, &library)).collect();
    let list = place.write("pairs.json", object!(pairs).to_string().as_bytes());
    let report = json(&script("mix_reference.py", &[&list]));
    let found = |pair: &Value| report[pair["name"].as_str().unwrap()].clone();
    for pair in &pairs {
        assert_eq!(found(pair)["wrong"], object!([]), "{}", pair["name"]);
    }
    // Mixes that compute the same would tell nothing apart.
    let results = pairs.iter().map(|pair| found(pair)["results"].as_u64().unwrap());
    assert!(results.sum::<u64>() >= 200, "{report:#}");
    assert!(report["half"]["casts"].as_u64() > Some(20), "{report:#}");
}
