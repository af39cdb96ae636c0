//! The CSV of a launch: a row for each operator, which its kernels are added up to.

use super::exclusive::ExclusiveTimes;
use onnxray_format::profile_csv::{OperatorLatency, write_profile};
use onnxray_format::{Kernels, Operator, Phase, fold};
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::Path;

/// Writes it as a draft that gets its name when it is whole. The draft of a process that was
/// killed is removed by the next one that claims files in the folder.
pub(super) fn write(
    kernels: &[Operator],
    times: &ExclusiveTimes,
    draft: &Path,
    csv: &Path,
) -> io::Result<()> {
    let operators = operators(kernels, |kernel| times.mean_milliseconds(kernel));
    let rows: Vec<OperatorLatency> = operators
        .iter()
        .map(|(operator, milliseconds)| OperatorLatency { operator, milliseconds: *milliseconds })
        .collect();
    let write = || {
        let mut out = BufWriter::new(File::create_new(draft)?);
        write_profile(&mut out, &rows)?;
        // Errors of the last write show here, before the table gets its name.
        out.into_inner().map_err(|error| error.into_error())?;
        fs::rename(draft, csv)
    };
    write().inspect_err(|_| {
        let _ = fs::remove_file(draft); // the error is told either way
    })
}

/// The operators of each phase, and what their kernels take together; `None` if none of them ran.
fn operators(
    kernels: &[Operator],
    time: impl Fn(u32) -> Option<f64>,
) -> Vec<(Operator, Option<f64>)> {
    // Of whole inferences, all kernels are in the last one; of a generation, in the first two.
    let phases = [Some(Phase::Prefill), Some(Phase::Decode), None];
    let of_phase = |phase| {
        let own: Vec<&Operator> = kernels.iter().filter(|kernel| kernel.phase == phase).collect();
        let times: Vec<Option<f64>> = own.iter().map(|kernel| time(kernel.number)).collect();
        let (mut operators, folded) = fold(apart(&own));
        let times = folded.map_or_else(|| times.clone(), |kernels| sums(&kernels, &times));
        if phase == Some(Phase::Prefill) {
            // A table has one row of a name.
            operators.iter_mut().for_each(|operator| operator.name.push_str(" (prefill)"));
        }
        operators.into_iter().zip(times)
    };
    phases.into_iter().flat_map(of_phase).collect()
}

/// Some kernels as a table of their own, numbered anew.
fn apart(kernels: &[&Operator]) -> Vec<Operator> {
    let position = |number: u32| {
        // Sorted by number, since they are a part of the table in its order.
        let at = kernels.binary_search_by_key(&number, |kernel| kernel.number).ok()?;
        u32::try_from(at).ok()
    };
    let kernel = |(number, kernel): (u32, &&Operator)| {
        let parent = kernel.parent.and_then(position);
        Operator { number, parent, ..(*kernel).clone() }
    };
    (0..).zip(kernels).map(kernel).collect()
}

/// Sum of times per operator; `None` if none of its kernels ran.
fn sums(kernels: &Kernels, times: &[Option<f64>]) -> Vec<Option<f64>> {
    let mut sums = vec![None; kernels.main.len()];
    for (&operator, time) in kernels.operator_of.iter().zip(times) {
        let sum = &mut sums[operator as usize];
        *sum = [*sum, *time].into_iter().flatten().reduce(|sum, time| sum + time);
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The second of each phase helps the first, and the third is inside it.
    fn kernels(phase: Option<Phase>, first: u32) -> Vec<Operator> {
        let kernel = |(number, name, nodes): (u32, &str, &[&str])| Operator {
            number,
            name: name.to_string(),
            nodes: nodes.iter().map(|node| node.to_string()).collect(),
            parent: (number == first + 2).then_some(first),
            phase,
            ..Operator::default()
        };
        let all: [(u32, &str, &[&str]); 4] = [
            (first, "/fc/MatMul", &["/fc/MatMul"]),
            (first + 1, "/fc/MatMul#pack_b", &["/fc/MatMul"]),
            (first + 2, "/fc/MatMul#cast", &[]),
            (first + 3, "/relu/Relu", &["/relu/Relu"]),
        ];
        all.into_iter().map(kernel).collect()
    }

    #[test]
    fn helpers_are_added_to_their_operators() {
        let time =
            |number| [Some(4.0), Some(0.5), Some(0.25), None].get(number as usize).copied()?;
        let found = operators(&kernels(None, 0), time);
        let found: Vec<(&str, Option<f64>)> =
            found.iter().map(|(operator, time)| (operator.name.as_str(), *time)).collect();
        assert_eq!(found, [("/fc/MatMul", Some(4.75)), ("/relu/Relu", None)]);
    }

    #[test]
    fn helpers_of_a_phase_stay_in_it() {
        let both = [kernels(Some(Phase::Prefill), 0), kernels(Some(Phase::Decode), 4)].concat();
        let found = operators(&both, |number| Some(f64::from(number)));
        let found: Vec<(&str, Option<f64>)> =
            found.iter().map(|(operator, time)| (operator.name.as_str(), *time)).collect();
        let expected = [
            ("/fc/MatMul (prefill)", Some(0.0 + 1.0 + 2.0)),
            ("/relu/Relu (prefill)", Some(3.0)),
            ("/fc/MatMul", Some(4.0 + 5.0 + 6.0)),
            ("/relu/Relu", Some(7.0)),
        ];
        assert_eq!(found, expected);
    }
}
