//! Figures, by computing them again in the plainest way.

use crate::made::{
    OVERHEAD, compared, launches, model, noisy, noisy_recording, operator, recording,
};
use crate::sequence::Sequence;
use onnxray_analyzer::comparison::{Basis, ComparedGroup, Comparison};
use onnxray_format::Operator;
use proptest::prelude::*;

fn group<'a>(comparison: &'a Comparison, name: &str) -> &'a ComparedGroup {
    comparison.groups.iter().find(|group| group.name == name).unwrap()
}

#[track_caller]
fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{found}, not {expected}");
}

/// Ten blocks of four iterations would be too short: 40 iterations make eight of
/// five. Mean over launches of the mean over blocks of the median of a block.
#[test]
fn typical_times_are_means_of_medians_of_blocks() {
    let (a, b) = (noisy_recording(1, 4, [1.0; 5]), noisy_recording(2, 4, [1.1; 5]));
    let comparison = compared(&a, &b);
    assert_eq!(comparison.basis, Basis::Launches([4, 4]));
    for (number, found) in comparison.groups.iter().enumerate() {
        for (side, seed, factor) in [(0, 1, 1.0), (1, 2, 1.1)] {
            let mut time = noisy(seed, [factor; 5]);
            let mut of_launch = vec![Vec::new(); 4];
            for launch in 0..4 {
                for iteration in 0..40 {
                    for operator in 0..5 {
                        let time = time(launch, iteration, operator);
                        if operator == number {
                            of_launch[launch as usize].push(time as f64);
                        }
                    }
                }
            }
            let all: Vec<f64> = of_launch.concat();
            let launch = |times: Vec<f64>| {
                let median = |block: &[f64]| {
                    let mut block = block.to_vec();
                    block.sort_by(f64::total_cmp);
                    block[2]
                };
                (times.chunks(5).map(median).sum::<f64>() / 8.0).ln()
            };
            // The geometric mean over launches.
            let typical = (of_launch.into_iter().map(launch).sum::<f64>() / 4.0).exp();
            let timing = &found.compared.sides[side];
            near(timing.typical.unwrap().0, typical / 1e6);
            // Without some at either end.
            let mean = all.iter().sum::<f64>() / all.len() as f64 / 1e6;
            assert!((timing.mean.unwrap().0 / mean - 1.0).abs() < 1e-3, "{timing:?}, {mean}");
        }
        let [a, b] = found.compared.sides.each_ref().map(|side| side.typical.unwrap().0);
        near(found.compared.change.ratio.unwrap(), b / a);
        near(found.compared.change.difference.unwrap().0, b - a);
    }
}

fn parts_are_the_whole(comparison: &Comparison) {
    let whole = comparison.parted_difference().unwrap().0;
    for side in &comparison.conservation {
        assert_eq!(side.parts(), side.whole);
    }
    let causes: f64 = comparison.causes.iter().map(|cause| cause.difference.0).sum();
    assert!((causes - whole).abs() < 1e-9, "causes {causes}, whole {whole}");
    let wholes = comparison.parted.unwrap();
    for side in [0, 1] {
        let types = comparison.types.iter().filter_map(|known| known.sides[side].as_ref()?.time);
        let outside = comparison.outside.iter().map(|(_, times)| times[side]);
        let sum: f64 = types.chain(outside).map(|time| time.0).sum();
        assert!((sum - wholes[side].0).abs() < 1e-9, "types {sum}, whole {wholes:?}");
    }
}

#[test]
fn a_quantized_layer_is_one_group_and_its_parts_have_names() {
    let (fp32, int8) = quantized();
    let a = recording("a", launches(&fp32, 3, 20, |_, _, at| [100_000, 10_000][at]));
    let b = recording("b", launches(&int8, 3, 20, |_, _, at| [50_000, 40_000, 5_000, 10_000][at]));
    let comparison = compared(&a, &b);
    assert_eq!(comparison.groups.len(), 2);
    let layer = group(&comparison, "/fc/MatMul");
    assert_eq!(layer.group.b.len(), 3);
    assert_eq!(layer.types, ["MatMul", "MatMulInteger + Cast"]);
    assert_eq!(layer.main_types, ["MatMul", "MatMulInteger"]);
    near(layer.compared.change.ratio.unwrap(), 0.95);
    let causes: Vec<(&str, f64)> = comparison
        .causes
        .iter()
        .map(|cause| (cause.name.as_str(), (cause.difference.0 * 1e6).round()))
        .collect();
    assert_eq!(
        causes,
        [
            ("MatMul → MatMulInteger", -60_000.0),
            ("DynamicQuantizeLinear, only in B", 50_000.0),
            ("Cast, only in B", 5_000.0),
            ("Softmax", 0.0),
            ("framework overhead", 0.0),
        ]
    );
    parts_are_the_whole(&comparison);
}

/// Layers that B fuses in another way: the operators of one kind of work stand against each
/// other, whatever takes most time.
#[test]
fn causes_pair_the_operators_that_do_the_same_work() {
    let named = |types: &[(&str, &str)]| {
        types.iter().map(|(name, kind)| operator(name, kind)).collect::<Vec<_>>()
    };
    let a = named(&[("/fc/MatMul", "MatMul"), ("/act/Gelu", "BiasGelu"), ("/n/Norm", "Softmax")]);
    let mut b = named(&[
        ("/fc/MatMul_quant", "DynamicQuantizeMatMul"),
        ("/act/Gelu", "Gelu"),
        ("/n/Norm", "Softmax"),
    ]);
    // One kernel has the bias of the activation, too, so that all are one group.
    b[0].nodes = vec!["/fc/MatMul".to_string(), "/act/Gelu".to_string()];
    b[1].nodes = vec!["/act/Gelu".to_string()];
    let a = recording("a", launches(&a, 3, 20, |_, _, at| [100_000, 30_000, 10_000][at]));
    let b = recording("b", launches(&b, 3, 20, |_, _, at| [20_000, 90_000, 10_000][at]));
    let comparison = compared(&a, &b);
    assert_eq!(comparison.groups.len(), 2, "{:#?}", comparison.groups);
    assert_eq!(comparison.groups[0].main_types, ["MatMul", "Gelu"]);
    let causes: Vec<(&str, f64)> = comparison
        .causes
        .iter()
        .map(|cause| (cause.name.as_str(), (cause.difference.0 * 1e6).round()))
        .collect();
    assert_eq!(
        causes[..2],
        [("MatMul → DynamicQuantizeMatMul", -80_000.0), ("BiasGelu → Gelu", 60_000.0)]
    );
    parts_are_the_whole(&comparison);
}

/// A preempted cast takes more time than all products together.
#[test]
fn a_single_slow_iteration_does_not_change_the_type_of_a_group() {
    let (fp32, int8) = quantized();
    let a = recording("a", launches(&fp32, 3, 20, |_, _, at| [100_000, 10_000][at]));
    let slow_cast = |launch, iteration, at: usize| match (launch, iteration, at) {
        (1, 7, 2) => 9_000_000,
        _ => [50_000, 40_000, 5_000, 10_000][at],
    };
    let b = recording("b", launches(&int8, 3, 20, slow_cast));
    let comparison = compared(&a, &b);
    let layer = group(&comparison, "/fc/MatMul");
    assert_eq!(layer.main_types, ["MatMul", "MatMulInteger"]);
    assert!(comparison.causes.iter().any(|cause| cause.name == "MatMul → MatMulInteger"));
    parts_are_the_whole(&comparison);
}

/// A product, and what a quantizer makes of it.
fn quantized() -> (Vec<Operator>, Vec<Operator>) {
    let fp32 = vec![operator("/fc/MatMul", "MatMul"), operator("/s/Softmax", "Softmax")];
    let mut int8 = vec![
        operator("/x_output_0_QuantizeLinear", "DynamicQuantizeLinear"),
        operator("/fc/MatMul_quant", "MatMulInteger"),
        operator("/fc/MatMul_output_0_output_quantized_cast", "Cast"),
        operator("/s/Softmax", "Softmax"),
    ];
    let made = int8[0].outputs[0].clone();
    int8[1].inputs = vec![made];
    (fp32, int8)
}

#[test]
fn what_one_side_does_alone_is_its_own_part() {
    let short: Vec<Operator> = model().into_iter().filter(|o| o.name != "/c").collect();
    let a = recording("a", launches(&model(), 3, 20, |_, _, at| 1000 * (at as u64 + 1)));
    let b = recording("b", launches(&short, 3, 20, |_, _, at| 1000 * (at as u64 + 1)));
    let comparison = compared(&a, &b);
    let lone = group(&comparison, "/c");
    assert!(!lone.group.is_matched());
    assert_eq!(lone.compared.sides[1].sum_ns, None);
    assert_eq!(lone.compared.change.verdict, None);
    near(lone.compared.change.mean_difference.unwrap().0, -0.003);
    let [a, b] = comparison.conservation;
    assert_eq!((a.aligned, a.only), (60.0 * 12_000.0, 60.0 * 3_000.0));
    assert_eq!((b.aligned, b.only), (60.0 * 10_000.0, 0.0));
    assert_eq!(a.overhead, Some(60.0 * OVERHEAD as f64));
    parts_are_the_whole(&comparison);
}

#[test]
fn iterations_before_the_latency_settles_are_left_out() {
    let time = |_: u32, iteration: u32, _: usize| if iteration < 4 { 9_000 } else { 1_000 };
    let a = recording("a", launches(&model(), 3, 40, time));
    let b = recording("b", launches(&model(), 3, 40, |_, _, _| 1_000));
    let comparison = compared(&a, &b);
    assert_eq!(comparison.conservation[0].iterations, 3.0 * 36.0);
    assert_eq!(comparison.total.change.ratio, Some(1.0));
    let left_out = "12 measured iterations were left out";
    assert!(comparison.notes.iter().any(|note| note.contains(left_out)), "{:?}", comparison.notes);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Whatever the two have in common.
    #[test]
    fn parts_add_up_whatever_is_compared(
        seed in 0u64..1_000_000,
        kept in proptest::collection::vec(0..4u8, 5),
        iterations in 1u32..12,
        counts in (1u32..5, 1u32..5),
    ) {
        let mut other = Vec::new();
        for (found, kept) in model().into_iter().zip(&kept) {
            match kept {
                0 => continue,
                1 => other.push(Operator { nodes: Vec::new(), name: format!("{}_quant", found.name), ..found }),
                2 => {
                    other.push(operator(&format!("{}_extra", found.name), "Cast"));
                    other.push(found);
                }
                _ => other.push(found),
            }
        }
        prop_assume!(!other.is_empty());
        let mut random = Sequence::new(seed);
        let mut time = |_: u32, _: u32, _: usize| random.below(1_000_000);
        let a = recording("a", launches(&model(), counts.0, iterations, &mut time));
        let b = recording("b", launches(&other, counts.1, iterations, &mut time));
        let comparison = compared(&a, &b);
        parts_are_the_whole(&comparison);
        let members = |side: usize| comparison.groups.iter().map(move |group| {
            if side == 0 { group.group.a.len() } else { group.group.b.len() }
        });
        prop_assert_eq!(members(0).sum::<usize>(), 5);
        prop_assert_eq!(members(1).sum::<usize>(), other.len());
    }
}
