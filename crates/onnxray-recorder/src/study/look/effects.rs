//! What cuts change: both sides of each as models, in turns with the whole.

use crate::cores;
use crate::engine::{Engines, Instrumentation, Model, RunFailure, Runner, infer};
use crate::error::RecordError;
use crate::launches::LaunchSpec;
use crate::median::median_time;
use crate::model::cut::{Cut, CutEffect, Halves, blocks, places};
use crate::model::graph::Graph;
use crate::tensor::Tensor;
use crate::workload::Workload;
use crate::xray::{
    Side, TIMED, Timing, Whole, name_dimensions_as_in_whole, turn, turn_in_sequence,
};
use onnxray_format::{Operator, VectorRegisters};
use std::time::{Duration, Instant};

/// Rounds in which the sides of a cut and the whole take turns: the range of five is an interval of the
/// median at 94 %.
const ROUNDS: usize = 5;

/// What each cut of a launch changes; nothing of a cut that has no side behind it which runs alone.
/// One cut after the other is loaded, and nothing is begun after `limit`.
///
/// # Errors
///
/// If the whole cannot be loaded, or does not run.
pub(in crate::study) fn effects(
    engines: &dyn Engines,
    spec: &LaunchSpec,
    limit: Duration,
) -> Result<Vec<CutEffect>, RecordError> {
    cores::bind(&spec.options.pin)?;
    let asked = spec.options.blocks.clone().unwrap_or_default();
    let mut whole = spec.clone();
    whole.options.blocks = None;
    let (model, workload) = whole.load(engines)?;
    let (Workload::Inference(inputs), Some(halves)) =
        (&workload, Halves::of(&model.file, &model.bound, infer))
    else {
        return Ok(Vec::new());
    };
    let tensors = infer(&model.file, &model.bound).unwrap_or_default();
    let cuts = places(&model.file.graph, &tensors, &asked);
    let rows = blocks(&model.file, &tensors, &cuts);
    let operators = model.operators(inputs).unwrap_or_default();
    let fusions = fusions(&model.file.graph, &operators);
    let begun = Instant::now();
    let mut found = Vec::new();
    for (cut, row) in cuts.iter().zip(&rows) {
        if begun.elapsed() > limit {
            break;
        }
        let Some(last) = row.nodes.last() else { continue };
        let measure = || effect(&model, &halves, cut, inputs, (&operators, &fusions));
        // A side that the engine refuses is unknown.
        let Ok(Some(first)) = measure() else { continue };
        // Where an engine puts a model in memory is chance, and the same in all rounds: what is large is
        // so in models that are loaded anew as well.
        let effect = match first.is_large() && begun.elapsed() <= limit {
            true => measure().ok().flatten().map_or(first.clone(), |again| first.with(&again)),
            false => first,
        };
        found.push(CutEffect { last: last.clone(), ..effect });
    }
    Ok(found)
}

/// What one cut changes in a model of these operators and fusions; the node before it is not stated.
fn effect(
    model: &Model,
    halves: &Halves,
    cut: &Cut,
    inputs: &[Tensor],
    (operators, fusions): (&[Operator], &[Vec<String>]),
) -> Result<Option<CutEffect>, String> {
    let Some(before) = halves.before(cut) else { return Ok(None) };
    let mut values = Whole::of(model).values(inputs);
    let before = Side::load(Whole::of(model), before, &values)?;
    let mut runner_before = before.runner(VectorRegisters::AsIs)?;
    runner_before.prepare(&before.inputs)?;
    runner_before.run().map_err(|failure| failure.reason)?;
    values.extend(cut.tensors.iter().cloned().zip(runner_before.outputs()?));
    name_dimensions_as_in_whole(halves, Whole::of(model), operators, cut, &values);
    let Some(behind) = halves.behind(cut, &values) else { return Ok(None) };
    let behind = Side::load(Whole::of(model), behind, &values)?;
    let mut runner_behind = behind.runner(VectorRegisters::AsIs)?;
    let lost = match fusions {
        [] => Vec::new(),
        all => lost(all, [before.operators()?, behind.operators()?].concat()),
    };
    let mut whole = model
        .loaded
        .runner(VectorRegisters::AsIs, Instrumentation::None)
        .map_err(|error| error.to_string())?;
    let mut took = Vec::new();
    let mut longer = [0; ROUNDS];
    let timing = Timing::of(&*model.engine, model.threads, false);
    for own in &mut longer {
        let reason = |failure: RunFailure| failure.reason;
        let both: [(&mut dyn Runner, &[Tensor]); 2] =
            [(&mut *runner_before, &before.inputs), (&mut *runner_behind, &behind.inputs)];
        let parts = turn_in_sequence(both, TIMED, timing).map_err(reason)?;
        let parts = parts.into_iter().map(|mut times| median_time(&mut times).0).sum::<u64>();
        let mut times = turn(&mut *whole, inputs, timing, || {}).map_err(reason)?;
        let whole = median_time(&mut times);
        took.push(whole);
        *own = parts as i64 - whole.0 as i64;
    }
    longer.sort_unstable();
    Ok(Some(CutEffect {
        last: String::new(),
        median: longer[ROUNDS / 2],
        range: (longer[0], longer[ROUNDS - 1]),
        whole: median_time(&mut took),
        lost,
    }))
}

/// Names of the nodes of each operator that the engine makes of several in the whole. None where names
/// are made up, which are others in a part of the model, and none of a compiler, which says nothing of
/// its inside.
fn fusions(graph: &Graph, operators: &[Operator]) -> Vec<Vec<String>> {
    let is_named =
        |name: &String| graph.names.get(name).is_some_and(|&at| graph.nodes[at].is_named);
    let most = graph.nodes.len() / 3;
    let nodes = operators.iter().map(|operator| &operator.nodes);
    let is_told =
        |own: &&Vec<String>| (2..=most.max(2)).contains(&own.len()) && own.iter().all(is_named);
    nodes.filter(is_told).cloned().collect()
}

/// Those of these fusions that no operator of both sides computes as a whole.
fn lost(fusions: &[Vec<String>], operators: Vec<Operator>) -> Vec<Vec<String>> {
    let is_in = |nodes: &[String], operator: &Operator| {
        nodes.iter().all(|node| operator.nodes.contains(node))
    };
    let is_lost = |nodes: &&Vec<String>| !operators.iter().any(|operator| is_in(nodes, operator));
    fusions.iter().filter(is_lost).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{EngineSpec, InstalledEngines, Runner};
    use crate::model::cut::Blocks;
    use crate::model::file::OnnxFile;
    use crate::model::input_values::inputs::InputFiles;
    use crate::model::sizes::dimensions::{GivenDimensions, bind};
    use onnxray_format::Nanoseconds;
    use std::path::Path;

    fn model(name: &str, sizes: &[(&str, u64)]) -> Model {
        let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/models");
        let sizes = sizes.iter().map(|&(name, size)| (name.to_string(), size)).collect();
        let given = GivenDimensions { sizes, ..GivenDimensions::default() };
        Model::load_in(&InstalledEngines, &EngineSpec::default(), &models.join(name), &given, 1)
            .unwrap()
    }

    fn run(runner: &mut dyn Runner, inputs: &[Tensor]) -> Vec<Tensor> {
        runner.prepare(inputs).unwrap();
        runner.run().unwrap();
        runner.outputs().unwrap()
    }

    fn floats(tensor: &Tensor) -> Vec<f32> {
        match tensor {
            Tensor::F32(array) => array.iter().copied().collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn both_sides_of_a_cut_compute_what_the_whole_does() {
        for (name, sizes) in [
            ("cnn.onnx", &[("batch", 1)][..]),
            ("encoder.onnx", &[("batch", 1), ("sequence", 8)]),
            ("lstm.onnx", &[("sequence", 6)]),
        ] {
            let model = model(name, sizes);
            let inputs = model.inputs(&InputFiles::default(), 1).unwrap();
            let registers = (VectorRegisters::AsIs, Instrumentation::None);
            let mut whole = model.loaded.runner(registers.0, registers.1).unwrap();
            let expected: Vec<f32> = floats(&run(&mut *whole, &inputs)[0]);
            let halves = Halves::of(&model.file, &model.bound, infer).unwrap();
            let tensors = infer(&model.file, &model.bound).unwrap();
            let asked = Blocks { most: 5, ..Blocks::default() };
            let cuts = places(&model.file.graph, &tensors, &asked);
            assert!(!cuts.is_empty(), "{name}");
            for cut in cuts {
                let mut values = Whole::of(&model).values(&inputs);
                let before = halves.before(&cut).unwrap();
                let before = Side::load(Whole::of(&model), before, &values).unwrap();
                let across = run(&mut *before.runner(registers.0).unwrap(), &before.inputs);
                values.extend(cut.tensors.iter().cloned().zip(across));
                let behind = halves.behind(&cut, &values).unwrap();
                let behind = Side::load(Whole::of(&model), behind, &values).unwrap();
                let outputs = run(&mut *behind.runner(registers.0).unwrap(), &behind.inputs);
                let found = floats(&outputs[0]);
                assert_eq!(found.len(), expected.len(), "{name}");
                let scale = expected.iter().fold(0f32, |most, value| most.max(value.abs()));
                let mut off = found.iter().zip(&expected).map(|(a, b)| (a - b).abs());
                assert!(off.all(|off| off <= 1e-4 * scale), "{name}, {cut:?}");
                let effect = effect(&model, &halves, &cut, &inputs, (&[], &[])).unwrap().unwrap();
                let (low, high) = effect.range;
                assert!((low..=high).contains(&effect.median), "{name}: {effect:?}");
                assert!(effect.whole > Nanoseconds(0), "{name}: {effect:?}");
            }
        }
    }

    #[test]
    fn blocks_in_a_row_compute_what_the_whole_does() {
        for (name, sizes) in
            [("cnn.onnx", &[("batch", 1)][..]), ("encoder.onnx", &[("batch", 1), ("sequence", 8)])]
        {
            let model = model(name, sizes);
            let inputs = model.inputs(&InputFiles::default(), 1).unwrap();
            let registers = VectorRegisters::AsIs;
            let mut whole = model.loaded.runner(registers, Instrumentation::None).unwrap();
            let expected: Vec<f32> = floats(&run(&mut *whole, &inputs)[0]);
            let halves = Halves::of(&model.file, &model.bound, infer).unwrap();
            let tensors = infer(&model.file, &model.bound).unwrap();
            // So many that tensors go across several.
            let asked = Blocks { most: 9, ..Blocks::default() };
            let cuts = places(&model.file.graph, &tensors, &asked);
            let goes_on =
                |pair: &[Cut]| pair[1].tensors.iter().any(|own| pair[0].tensors.contains(own));
            assert!(cuts.windows(2).any(goes_on), "{name}");
            let mut values = Whole::of(&model).values(&inputs);
            let ran = |made: Vec<u8>, values: &[(String, Tensor)]| {
                let side = Side::load(Whole::of(&model), made, values).unwrap();
                run(&mut *side.runner(registers).unwrap(), &side.inputs)
            };
            let across = ran(halves.before(&cuts[0]).unwrap(), &values);
            values.extend(cuts[0].tensors.iter().cloned().zip(across));
            for pair in cuts.windows(2) {
                let computed = ran(halves.between([&pair[0], &pair[1]], &values).unwrap(), &values);
                let new = pair[1].tensors.iter().filter(|own| !pair[0].tensors.contains(own));
                let new: Vec<String> = new.cloned().collect();
                assert_eq!(computed.len(), new.len(), "{name}, {pair:?}");
                values.extend(new.into_iter().zip(computed));
            }
            let behind = halves.behind(cuts.last().unwrap(), &values).unwrap();
            let found = floats(&ran(behind, &values)[0]);
            let scale = expected.iter().fold(0f32, |most, value| most.max(value.abs()));
            let mut off = found.iter().zip(&expected).map(|(a, b)| (a - b).abs());
            assert!(off.all(|off| off <= 1e-4 * scale), "{name}");
            assert_eq!(found.len(), expected.len(), "{name}");
        }
    }

    #[test]
    fn what_is_behind_a_cut_has_dimensions_that_are_as_free_as_in_the_whole() {
        let model = model("encoder.onnx", &[("batch", 1), ("sequence", 8)]);
        let inputs = model.inputs(&InputFiles::default(), 1).unwrap();
        let halves = Halves::of(&model.file, &model.bound, infer).unwrap();
        let tensors = infer(&model.file, &model.bound).unwrap();
        let cuts = places(&model.file.graph, &tensors, &Blocks { most: 4, ..Blocks::default() });
        let mut values = Whole::of(&model).values(&inputs);
        let before = halves.before(&cuts[1]).unwrap();
        let before = Side::load(Whole::of(&model), before, &values).unwrap();
        let across = run(&mut *before.runner(VectorRegisters::AsIs).unwrap(), &before.inputs);
        values.extend(cuts[1].tensors.iter().cloned().zip(across));
        let behind = OnnxFile::made("behind", halves.behind(&cuts[1], &values).unwrap()).unwrap();
        let bound = |sequence: u64| {
            let sizes = [("batch", 1), ("sequence", sequence)];
            let sizes = sizes.map(|(name, size)| (name.to_string(), size)).into();
            let given = GivenDimensions { sizes, ..GivenDimensions::default() };
            bind(&behind.graph, &given).unwrap().shapes
        };
        let has = |shapes: &[Vec<u64>], size| shapes.iter().all(|shape| shape.contains(&size));
        assert!(has(&bound(8), 8) && has(&bound(24), 24), "{:?}", bound(24));
    }

    #[test]
    fn a_cut_changes_something_if_all_rounds_say_so_and_if_it_is_large() {
        let of = |median: i64, range: (i64, i64)| CutEffect {
            last: "node".to_string(),
            median,
            range,
            whole: Nanoseconds(1_000),
            lost: Vec::new(),
        };
        assert!(of(60, (1, 90)).is_large());
        assert!(of(-160, (-190, -1)).is_large(), "fewer fusions may be faster");
        assert!(!of(-140, (-190, -1)).is_large(), "so may be fewer weights");
        assert!(!of(60, (-1, 90)).is_large() && !of(50, (1, 90)).is_large());
        let effects = [of(30, (20, 90)), of(10, (5, 90)), of(-60, (-90, -20)), of(10, (9, 11))];
        let usual = CutEffect::usual(&effects);
        assert_eq!((usual, CutEffect::usual(&effects[..2])), (10, 0));
        let more = effects.each_ref().map(|effect| effect.at_least(usual));
        assert_eq!(more, [Some(10), None, Some(-30), None]);
        // Models that are loaded once more tell what a chance of memory was.
        assert_eq!(of(60, (1, 90)).with(&of(100, (80, 120))), of(80, (1, 120)));
        assert!(!of(60, (1, 90)).with(&of(2, (-10, 20))).is_large());
    }

    #[test]
    fn a_cut_within_a_fusion_loses_it_and_one_beside_it_does_not() {
        let model = model("cnn.onnx", &[("batch", 1)]);
        let inputs = model.inputs(&InputFiles::default(), 1).unwrap();
        let operators = model.operators(&inputs).unwrap();
        let fusions = fusions(&model.file.graph, &operators);
        let halves = Halves::of(&model.file, &model.bound, infer).unwrap();
        let tensors = infer(&model.file, &model.bound).unwrap();
        let position = |node: &String| model.file.graph.names[node];
        let lost_at = |node: &str| {
            let cuts = Some(vec![node.to_string()]);
            let cut = places(&model.file.graph, &tensors, &Blocks { cuts, ..Blocks::default() });
            let told = (&operators[..], &fusions[..]);
            effect(&model, &halves, &cut[0], &inputs, told).unwrap().unwrap().lost
        };
        let fused = &fusions[0];
        let first = fused.iter().min_by_key(|node| position(node)).unwrap();
        let last = fused.iter().max_by_key(|node| position(node)).unwrap();
        assert_eq!(lost_at(first), std::slice::from_ref(fused), "of {fusions:?}");
        assert_eq!(lost_at(last), Vec::<Vec<String>>::new());
    }
}
