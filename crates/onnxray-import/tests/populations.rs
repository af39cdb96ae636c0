//! Runs of ONNX Runtime that are not of one kind: some failed, some are of another session, some
//! are the steps of a generation.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that fails panics

use onnxray_format::{Nanoseconds, Phase};
use onnxray_import::formats::onnxruntime::{IMPORTER, read_every_run};
use onnxray_import::{Launch, NO_ITERATION, Options, Phases, Reading, Source, import, import_each};
use std::fmt::Write;
use std::path::PathBuf;

/// A profile as it grows, in microseconds.
struct Profile {
    events: Vec<String>,
    now: u64,
}

impl Profile {
    fn new() -> Profile {
        Profile { events: Vec::new(), now: 10 }
    }

    fn event(&mut self, category: &str, thread: u32, start: u64, name: &str, args: &str) {
        let duration = self.now - start;
        self.events.push(format!(
            "{{\"cat\" : \"{category}\",\"pid\" :7,\"tid\" :{thread},\"dur\" :{duration},\"ts\" :{start},\
             \"ph\" : \"X\",\"name\" :\"{name}\",\"args\" : {{{args}}}}}"
        ));
    }

    /// A session that takes 100 us to load and 400 to initialize.
    fn load(&mut self, thread: u32) {
        for (name, time) in [("model_loading_uri", 100), ("session_initialization", 400)] {
            let start = self.now;
            self.now += time;
            self.event("Session", thread, start, name, "");
        }
    }

    /// A run of nodes, each a name, a type, the shapes of its inputs and a time.
    fn run(&mut self, thread: u32, nodes: &[(&str, &str, &[&[u64]], u64)]) {
        let run = self.now;
        self.now += 10;
        let executor = self.now;
        for (position, (name, kind, inputs, time)) in nodes.iter().enumerate() {
            let index = CHAIN.iter().position(|node| node.0 == *name).unwrap_or(position);
            let start = self.now;
            self.now += time;
            let shapes = inputs.iter().map(|shape| format!("{{\"int64\":{shape:?}}}"));
            let shapes = shapes.collect::<Vec<_>>().join(",");
            let args = format!(
                "\"op_name\" : \"{kind}\",\"provider\" : \"CPUExecutionProvider\",\"node_index\" : \
                 \"{index}\",\"input_type_shape\" : [{shapes}]"
            );
            self.event("Node", thread, start, &format!("{name}_kernel_time"), &args);
        }
        self.event("Session", thread, executor, "SequentialExecutor::Execute", "");
        self.now += 10;
        self.event("Session", thread, run, "model_run", "");
        self.now += 50;
    }

    fn text(&self) -> String {
        format!("[\n{}\n]\n", self.events.join(",\n"))
    }

    fn source(&self) -> Source {
        Source::from_bytes("profile.json", self.text().into_bytes()).unwrap()
    }

    fn launches(&self) -> Vec<Launch> {
        IMPORTER.read(vec![self.source()], &Options::default()).unwrap()
    }

    fn launch(&self) -> Launch {
        let [launch] = <[Launch; 1]>::try_from(self.launches()).unwrap();
        launch
    }

    /// Writes it to a file of a folder that goes with the guard.
    fn file(&self) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("profile.json");
        std::fs::write(&path, self.text()).unwrap();
        (folder, path)
    }
}

fn messages(launch: &Launch) -> String {
    launch.warnings.iter().fold(String::new(), |mut all, warning| {
        writeln!(all, "{}", warning.message).unwrap();
        all
    })
}

fn names(launch: &Launch) -> Vec<&str> {
    launch.operators.iter().map(|operator| operator.name.as_str()).collect()
}

/// Microseconds of the iterations.
fn times(launch: &Launch) -> Vec<u64> {
    launch.iterations.iter().map(|iteration| iteration.duration.0 / 1000).collect()
}

const CHAIN: [(&str, &str, &[&[u64]], u64); 4] = [
    ("embed", "Gather", &[&[50, 16], &[1, 7]], 20),
    ("shift", "Sub", &[&[1, 7], &[]], 30),
    ("mix", "Gemm", &[&[1, 7, 16]], 40),
    ("sum", "Add", &[&[1, 7, 16], &[1, 7, 16]], 10),
];

#[test]
fn runs_that_failed_are_set_aside() {
    let mut profile = Profile::new();
    profile.load(1);
    // The third fails in its third node, the fifth before any node.
    for nodes in [4, 4, 3, 4, 0, 4] {
        profile.run(1, &CHAIN[..nodes]);
    }
    let launch = profile.launch();
    assert_eq!(times(&launch), [120; 4]);
    let indexes: Vec<u32> = launch.iterations.iter().map(|iteration| iteration.index).collect();
    assert_eq!(indexes, [0, 1, 3, 5]);
    assert_eq!(launch.iteration_threads.len(), 4);
    let said = messages(&launch);
    assert!(said.starts_with("2 of 6 runs ended before all nodes had run"), "{said}");
    assert!(said.contains("without embed, shift, mix and 1 more"), "{said}");
    let iterations = launch.events.chunks.iter().flat_map(|chunk| &chunk.iteration);
    assert_eq!(iterations.filter(|&&iteration| iteration == NO_ITERATION).count(), 3);
    // Who knows what was run gets all of it.
    let every = read_every_run(profile.source(), &Options::default()).unwrap();
    assert_eq!((every.iterations.len(), every.format.name), (6, "onnxruntime"));
    assert_eq!(messages(&every), "");
}

#[test]
fn one_whole_run_tells_those_that_failed() {
    let mut profile = Profile::new();
    profile.load(1);
    for nodes in [1, 2, 4, 3, 2] {
        profile.run(1, &CHAIN[..nodes]);
    }
    let launch = profile.launch();
    assert_eq!(launch.iterations.len(), 1);
    assert!(messages(&launch).starts_with("4 of 5 runs"), "{}", messages(&launch));
}

#[test]
fn runs_of_other_outputs_are_not_taken_for_failed_ones() {
    let mut profile = Profile::new();
    profile.load(1);
    profile.run(1, &CHAIN);
    profile.run(1, &[CHAIN[0], CHAIN[2], CHAIN[3]]);
    let launch = profile.launch();
    assert_eq!(launch.iterations.len(), 2);
    let said = messages(&launch);
    assert!(said.contains("1 run is of 2 without nodes that others ran"), "{said}");
}

#[test]
fn a_profile_that_lost_events_says_nothing_of_failed_runs() {
    let mut profile = Profile::new();
    profile.load(1);
    (0..3).for_each(|_| profile.run(1, &CHAIN));
    // The last node of the first run.
    profile.events[5] = "{\"cat\" : \"Node\",\"ts\" ?}".to_string();
    let launches = profile.launches();
    assert_eq!(launches[0].iterations.len(), 3);
    let said = messages(&launches[0]);
    assert!(said.contains("is left out") && !said.contains("ended before"), "{said}");
}

#[test]
fn sessions_of_two_models_are_two_recordings() {
    let mut profile = Profile::new();
    profile.load(1);
    profile.run(1, &CHAIN);
    profile.load(2);
    for _ in 0..2 {
        profile.run(2, &[("z", "Gemm", &[&[1, 8]], 300)]);
        profile.run(1, &CHAIN);
    }
    let launches = profile.launches();
    assert_eq!(launches.iter().map(|launch| launch.run.launch).collect::<Vec<_>>(), [0, 1]);
    let [first, second] = &launches[..] else { panic!("{}", launches.len()) };
    assert_eq!((times(first), times(second)), (vec![120; 3], vec![320; 2]));
    assert_eq!((names(first).len(), names(second)), (4, vec!["z"]));
    let loaded = Some(Nanoseconds(500_000));
    assert_eq!((first.run.load_time, second.run.load_time), (loaded, loaded));
    assert!(messages(first).starts_with("2 sessions are in it"), "{}", messages(first));
    let (_folder, path) = profile.file();
    let read = import(std::slice::from_ref(&path), &Reading::default()).unwrap();
    assert_eq!((read.len(), names(&read[0]).len()), (1, 4));
    let said = messages(&read[0]);
    assert!(said.contains("2 models ran in it"), "{said}");
    assert_eq!(import_each(&[path], &Reading::default()).unwrap().len(), 2);
}

#[test]
fn sessions_of_one_model_are_launches() {
    // One behind the other on one thread, and side by side on two.
    let mut behind = Profile::new();
    for _ in 0..2 {
        behind.load(1);
        (0..3).for_each(|_| behind.run(1, &CHAIN));
    }
    let mut beside = Profile::new();
    beside.load(1);
    beside.load(2);
    (0..3).for_each(|_| (1..3).for_each(|thread| beside.run(thread, &CHAIN)));
    for profile in [behind, beside] {
        let launches = profile.launches();
        let sizes: Vec<usize> = launches.iter().map(|launch| launch.iterations.len()).collect();
        assert_eq!(sizes, [3, 3]);
        let load_times = launches.iter().map(|launch| launch.run.load_time);
        assert_eq!(load_times.collect::<Vec<_>>(), [Some(Nanoseconds(500_000)); 2]);
        assert!(messages(&launches[0]).contains("told apart and are 2 launches"));
        let (_folder, path) = profile.file();
        assert_eq!(import(&[path], &Reading::default()).unwrap().len(), 2);
    }
}

#[test]
fn sessions_whose_runs_nothing_tells_apart_stay_together() {
    let mut profile = Profile::new();
    profile.load(1);
    profile.load(1);
    (0..4).for_each(|_| profile.run(1, &CHAIN));
    let launch = profile.launch();
    assert_eq!(launch.iterations.len(), 4);
    let said = messages(&launch);
    assert!(said.contains("2 sessions are in it") && said.contains("nothing tells"), "{said}");
}

/// A run of a decoder: tokens that go in, and what its mask and its cache take.
fn step(profile: &mut Profile, tokens: u64, total: u64, cached: u64) {
    profile.run(
        1,
        &[
            ("mask", "Cast", &[&[1, total]], 5),
            ("embed", "Gather", &[&[50, 8], &[1, tokens]], 10 * tokens),
            ("cache", "Concat", &[&[1, 2, cached, 4], &[1, 2, tokens, 4]], 5),
            ("head", "MatMul", &[&[1, tokens, 8]], 20),
        ],
    );
}

/// Prompts of as many tokens, and the steps behind each.
fn generation(prompts: &[(u64, u64)]) -> Profile {
    let mut profile = Profile::new();
    profile.load(1);
    for &(prompt, steps) in prompts {
        step(&mut profile, prompt, prompt, 0);
        (prompt..prompt + steps).for_each(|cached| step(&mut profile, 1, cached + 1, cached));
    }
    profile
}

fn of_phase(profile: &Profile, phase: Phase) -> Launch {
    let (_folder, path) = profile.file();
    let reading = Reading { phases: Phases::One(phase), ..Reading::default() };
    let [launch] = <[Launch; 1]>::try_from(import(&[path], &reading).unwrap()).unwrap();
    launch
}

#[test]
fn the_prompt_and_the_steps_of_a_generation_are_its_phases() {
    let profile = generation(&[(5, 7)]);
    let decode = of_phase(&profile, Phase::Decode);
    assert_eq!(times(&decode), [60; 7]);
    let indexes: Vec<u32> = decode.iterations.iter().map(|iteration| iteration.index).collect();
    assert_eq!(indexes, [0, 1, 2, 3, 4, 5, 6]);
    let cached = decode.iterations.iter().map(|iteration| iteration.step.unwrap().cached);
    assert_eq!(cached.collect::<Vec<_>>(), [5, 6, 7, 8, 9, 10, 11]);
    assert_eq!(decode.operators[1].inputs[1].shape, Some(vec![1, 1]));
    assert_eq!(decode.other_phases.len(), 1);
    let prefill = of_phase(&profile, Phase::Prefill);
    assert_eq!(times(&prefill), [100]);
    let step = prefill.iterations[0].step.unwrap();
    assert_eq!((step.tokens, step.cached), (5, 0));
    assert_eq!(prefill.operators[1].inputs[1].shape, Some(vec![1, 5]));
    assert_eq!(names(&prefill), names(&decode));
    assert!(!messages(&decode).contains("generation` does not"), "{}", messages(&decode));
}

#[test]
fn several_prompts_begin_several_generations() {
    let profile = generation(&[(5, 3), (9, 2), (1, 2)]);
    let decode = of_phase(&profile, Phase::Decode);
    let steps = decode.iterations.iter().map(|iteration| iteration.step.unwrap().cached);
    assert_eq!(steps.collect::<Vec<_>>(), [5, 6, 7, 9, 10, 1, 2]);
    assert_eq!(times(&of_phase(&profile, Phase::Prefill)), [100, 140, 60]);
}

#[test]
fn a_prompt_of_one_token_begins_with_an_empty_cache() {
    let decode = of_phase(&generation(&[(1, 4)]), Phase::Decode);
    assert_eq!(decode.iterations.len(), 4);
}

#[test]
fn a_run_of_a_generation_that_failed_is_set_aside() {
    let mut profile = generation(&[(5, 3)]);
    profile
        .run(1, &[("mask", "Cast", &[&[1, 9]], 5), ("embed", "Gather", &[&[50, 8], &[1, 1]], 10)]);
    let decode = of_phase(&profile, Phase::Decode);
    assert_eq!(decode.iterations.len(), 3);
    assert!(messages(&decode).contains("1 of 5 runs ended"), "{}", messages(&decode));
}

#[test]
fn steps_without_a_growing_cache_are_told_by_their_tokens() {
    let mut profile = Profile::new();
    profile.load(1);
    for tokens in [6, 1, 1, 1, 1] {
        profile.run(1, &[("embed", "Gather", &[&[50, 8], &[1, tokens]], 10 * tokens)]);
    }
    assert_eq!(of_phase(&profile, Phase::Decode).iterations.len(), 4);
}

#[test]
fn batches_and_lengths_are_no_generation() {
    for sizes in [[8, 1, 8, 1], [1, 8, 8, 8], [4, 5, 6, 7], [7, 12, 1, 9]] {
        let mut profile = Profile::new();
        profile.load(1);
        for size in sizes {
            let image: &[u64] = &[size, 3, 32, 32];
            let features: &[u64] = &[size, 64];
            profile.run(1, &[("conv", "Conv", &[image], 30), ("head", "Gemm", &[features], 10)]);
        }
        let launch = profile.launch();
        assert!(launch.iterations.iter().all(|iteration| iteration.step.is_none()), "{sizes:?}");
        assert_eq!(launch.operators.len(), 2);
        let said = messages(&launch);
        assert!(said.contains("runs are not alike: the inputs of conv are"), "{said}");
    }
}

#[test]
fn a_profile_without_a_run_says_so() {
    let mut profile = Profile::new();
    profile.load(1);
    assert!(messages(&profile.launch()).starts_with("no run is in it"));
}

#[test]
fn time_around_the_executor_is_told() {
    let mut profile = Profile::new();
    profile.load(1);
    for _ in 0..3 {
        let run = profile.now;
        profile.now += 600;
        let executor = profile.now;
        profile.now += 1000;
        let args = "";
        profile.event("Node", 1, executor, "a_kernel_time", args);
        profile.event("Session", 1, executor, "SequentialExecutor::Execute", args);
        profile.now += 400;
        profile.event("Session", 1, run, "model_run", args);
    }
    let said = messages(&profile.launch());
    assert!(said.contains("of 2.000 ms that a typical run takes, 1.000 ms are outside"), "{said}");
    assert!(said.contains("0.600 ms before it begins, 0.400 ms behind its end"), "{said}");
}
