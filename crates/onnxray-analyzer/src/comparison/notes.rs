//! Notes of a comparison for careful readers.

use super::judging::power::ENOUGH_LAUNCHES;
use super::judging::stability::{self, Trend};
use super::pairs::paired::MOST_LONE;
use super::timing::{Measured, Whole};
use super::units::identity;
use super::units::pairing::Basis;
use super::units::turns::knows;
use super::{Compared, ComparedGroup, Recording, Side};
use crate::statistics::{has_condition, node_providers};
use onnxray_format::{BY_BOTH_SIDES, IN_A_ROW, WITHOUT_WAITS};
use onnxray_text::{counted, printable};
use std::collections::{HashMap, HashSet};

pub(crate) fn notes(
    recordings: [&Recording; 2],
    measured: &[Measured; 2],
    trends: &[Option<Trend>; 2],
    basis: Basis,
    groups: &[ComparedGroup],
) -> Vec<String> {
    let mut notes: Vec<String> = identity::note(recordings).into_iter().collect();
    notes.extend(of_basis(basis));
    notes.extend(apart(recordings, basis));
    if let Basis::Pairs(pairs) = basis {
        notes.extend(unpaired(recordings, pairs));
    }
    if measured[0].whole_is == Whole::Operators {
        notes.push(
            "the wall time of an iteration is not known on both sides: end-to-end time is that of \
             all operators, without overhead"
                .to_string(),
        );
    }
    let apart = recordings.iter().zip(["A", "B"]).filter(|(recording, _)| {
        recording.timeline.as_ref().is_some_and(|timeline| !timeline.tells_operators())
    });
    let (compact, apart): (Vec<_>, Vec<_>) =
        apart.partition(|(recording, _)| recording.summary.is_compact);
    for (of, averages) in [(apart, "averages of another run"), (compact, "means")] {
        let names: Vec<&str> = of.into_iter().map(|(_, name)| name).collect();
        if basis.is_tested() && !names.is_empty() {
            notes.push(format!(
                "the latency is tested, layers are not: the times of layers of {} are {averages}",
                names.join(" and ")
            ));
        }
    }
    for ((recording, trend), name) in recordings.into_iter().zip(trends).zip(["A", "B"]) {
        let (Some(timeline), Some(trend)) = (&recording.timeline, trend) else { continue };
        if timeline.cut() > 0 {
            notes.push(format!(
                "{name}: {} left out, because the latency had not settled",
                counted(timeline.cut(), "measured iteration was", "measured iterations were")
            ));
        }
        notes.extend(stability::drift(trend).map(|drift| format!("{name}: {drift}")));
    }
    let of_blocks = recordings.map(|recording| recording.summary.run.blocks);
    // Blocks of an x-ray are compared by launches in any case.
    notes.extend(without_pairs(basis, groups).filter(|_| of_blocks == [false; 2]));
    notes.extend(beside_blocks(of_blocks, basis));
    if of_blocks == [true; 2] {
        notes.extend(waits_otherwise(recordings));
        notes.extend(timed_otherwise(recordings).or_else(|| row_of_one(recordings)));
    }
    notes.extend(computed_while_loading(recordings, groups));
    notes.extend(moved(recordings));
    notes
}

/// That cuts of one x-ray are where both of their sides say, and those of the other one where what is before
/// them says.
fn timed_otherwise(recordings: [&Recording; 2]) -> Option<String> {
    let [both, one] = only(recordings, BY_BOTH_SIDES)?;
    Some(format!(
        "cuts of {both} are placed by what is before and behind them, those of {one} by what is before \
         them: blocks are off in other ways, the last one most"
    ))
}

/// That blocks of one x-ray were timed in a row as well, and those of the other one were not.
fn row_of_one(recordings: [&Recording; 2]) -> Option<String> {
    let [in_a_row, alone] = only(recordings, IN_A_ROW)?;
    Some(format!(
        "blocks of {in_a_row} were timed one after the other as well, those of {alone} by sides of cuts \
         alone: short blocks of {alone} are less certain"
    ))
}

/// That one x-ray is timed without what its runs waited for a core, and the other one with it.
fn waits_otherwise(recordings: [&Recording; 2]) -> Option<String> {
    let [without, with] = only(recordings, WITHOUT_WAITS)?;
    Some(format!(
        "times of {without} are without waits for a core, those of {with} with them: beside other programs, \
         {with} is slower by these waits; xray A --against B times both alike"
    ))
}

/// The side whose blocks alone have this condition, and the other one.
fn only(recordings: [&Recording; 2], condition: &str) -> Option<[&'static str; 2]> {
    let has = recordings.map(|own| has_condition(&own.summary.operators, condition));
    match has {
        [true, false] => Some(["A", "B"]),
        [false, true] => Some(["B", "A"]),
        _ => None,
    }
}

/// How blocks are compared; that one side is an x-ray, and the other one is not.
fn beside_blocks(of_blocks: [bool; 2], basis: Basis) -> Option<String> {
    let name = match of_blocks {
        [true, false] => "A",
        [false, true] => "B",
        [true, true] if basis.is_in_turns() => {
            let by =
                "blocks are compared by launches, by means, and the latency by pairs of iterations";
            return Some(by.to_string());
        }
        _ => return None,
    };
    Some(format!(
        "{name} is an x-ray: an iteration of it is the median of several runs, of which the slow ones do \
         not count, so that its latency is lower beside other programs; compare two x-rays, or shares"
    ))
}

/// Layers compared by launches or blocks where the whole is compared by pairs of iterations.
fn without_pairs(basis: Basis, groups: &[ComparedGroup]) -> Option<String> {
    let others = groups.iter().filter(|group| {
        let Compared { change, basis: own, .. } = &group.compared;
        change.p.is_some() && *own != basis
    });
    let others: Vec<&ComparedGroup> = others.collect();
    let units = match others.first()?.compared.basis {
        Basis::Blocks(_) => "blocks of iterations",
        _ => "launches",
    };
    let names: Vec<String> = others.iter().map(|group| group.name.clone()).collect();
    Some(format!(
        "{} by {units}, not by pairs of iterations: in more than {:.0} % of the pairs, one side \
         took no time (a coarse clock, or a branch not taken): {}",
        counted(names.len() as u64, "layer is compared", "layers are compared"),
        MOST_LONE * 100.0,
        onnxray_text::first_of(&names, ", ")
    ))
}

/// Limits of the comparison's units.
fn of_basis(basis: Basis) -> Vec<String> {
    let launches = match basis {
        Basis::Launches([a, b]) => a.min(b),
        Basis::Pairs(pairs) => pairs,
        Basis::IterationPairs { .. } => return Vec::new(),
        _ => return vec![format!("compared by {}", basis.text())],
    };
    let few = format!(
        "{launches} launches per side detect large differences only: record {ENOUGH_LAUNCHES} or more"
    );
    if launches < ENOUGH_LAUNCHES { vec![few] } else { Vec::new() }
}

/// That launches of one side were made beside those of another recording than this one's.
fn apart(recordings: [&Recording; 2], basis: Basis) -> Option<String> {
    let [a, b] = recordings.map(|recording| &recording.summary.run);
    let is_apart = matches!(basis, Basis::Launches(_) | Basis::Blocks(_)) && !knows(a, b);
    let advice = recordings.map(|recording| recording.summary.advice);
    // Who interleaves knows it; a recording of its own has no other conditions to fall back on.
    let is_known = advice.iter().any(|advice| advice.is_in_turns());
    let is_ours = advice.iter().all(|advice| advice.is_recorded());
    (is_apart && is_known && is_ours && !identity::is_one(recordings)).then(|| {
        "A and B were not interleaved with each other: launches apart share no conditions, and \
         `onnxray record A --against B` decides"
            .to_string()
    })
}

/// Launches whose partner is missing.
fn unpaired(recordings: [&Recording; 2], pairs: usize) -> Option<String> {
    let counts =
        recordings.map(|recording| recording.timeline.as_ref().map_or(0, |t| t.launches.len()));
    let left = counts[0] + counts[1] - 2 * pairs;
    (left > 0).then(|| {
        format!(
            "{left} launches have no partner: they count in means and shares, but are not tested"
        )
    })
}

/// Why operators that only one side has are missing on the other, where that is
/// known.
fn computed_while_loading(recordings: [&Recording; 2], groups: &[ComparedGroup]) -> Vec<String> {
    let mut notes = Vec::new();
    for (side, number) in [(Side::A, 0), (Side::B, 1)] {
        let (own, other) = (recordings[number], recordings[1 - number]);
        let folded: HashSet<&String> = other.summary.run.folded_nodes.iter().collect();
        let lone = groups.iter().filter(|group| !group.group.is_matched());
        let operators = lone.flat_map(|group| group.group.members(side));
        let names: Vec<String> = operators
            .filter_map(|member| own.summary.operators.get(member.operator as usize))
            .map(|operator| &operator.operator)
            .filter(|operator| {
                let nodes = &operator.nodes;
                // `all` holds of an operator without nodes, of which nothing is known.
                !nodes.is_empty() && nodes.iter().all(|node| folded.contains(node))
            })
            .map(|operator| operator.name.clone())
            .collect();
        if !names.is_empty() {
            let [this, that] = if number == 0 { ["A", "B"] } else { ["B", "A"] };
            notes.push(format!(
                "{} operators that only {this} executes were computed by {that} while loading: {}",
                names.len(),
                onnxray_text::first_of(&names, ", ")
            ));
        }
    }
    notes
}

/// Nodes that another execution provider runs in B than in A.
fn moved(recordings: [&Recording; 2]) -> Vec<String> {
    let [before, after] = recordings
        .map(|Recording { summary, .. }| node_providers(&summary.run, &summary.operators));
    // Of a name that several nodes have, nobody knows which of them moved.
    let mut several: HashSet<&str> = HashSet::new();
    for all in [&before, &after] {
        let mut seen = HashSet::new();
        several.extend(all.iter().map(|&(node, _)| node).filter(|node| !seen.insert(*node)));
    }
    let after: HashMap<&str, &str> = after.into_iter().collect();
    let mut moves: Vec<([&str; 2], Vec<String>)> = Vec::new();
    let mut positions: HashMap<[&str; 2], usize> = HashMap::new();
    for (node, from) in before {
        let is_moved = |to: &&&str| **to != from && !several.contains(node);
        let Some(&to) = after.get(node).filter(is_moved) else { continue };
        let position = *positions.entry([from, to]).or_insert_with(|| {
            moves.push(([from, to], Vec::new()));
            moves.len() - 1
        });
        moves[position].1.push(printable(node));
    }
    let note = |([from, to], nodes): ([&str; 2], Vec<String>)| {
        format!(
            "{} from the execution provider {} in A to {} in B: {}",
            counted(nodes.len() as u64, "node moved", "nodes moved"),
            printable(from),
            printable(to),
            onnxray_text::first_of(&nodes, ", ")
        )
    };
    moves.into_iter().map(note).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{OperatorSummary, Summary};
    use onnxray_format::{NodePartition, Operator, Placement, Run};

    fn recording(summary: Summary) -> Recording {
        Recording { label: String::new(), summary, timeline: None }
    }

    /// A recording that states what was given to whom: `provider: nodes`.
    fn placed(all: &[(&str, &[&str])]) -> Recording {
        let partition = |&(provider, nodes): &(&str, &[&str])| NodePartition {
            provider: provider.to_string(),
            nodes: nodes.iter().map(|node| node.to_string()).collect(),
            types: Vec::new(),
        };
        let placement =
            Placement { partitions: all.iter().map(partition).collect(), crossings: None };
        let run = Run { placement: Some(placement), ..Run::default() };
        recording(Summary { run, ..Summary::default() })
    }

    /// An x-ray of a block that was timed under these conditions.
    fn blocks(conditions: &[&str]) -> Recording {
        let attributes = conditions.iter().map(|name| (name.to_string(), "yes".to_string()));
        let operator = Operator { attributes: attributes.collect(), ..Operator::default() };
        let operators = vec![OperatorSummary::unmeasured(operator)];
        recording(Summary { operators, ..Summary::default() })
    }

    #[test]
    fn blocks_that_were_timed_in_a_row_on_one_side_only_are_told() {
        let in_a_row = blocks(&[BY_BOTH_SIDES, IN_A_ROW]);
        let [alone, one_sided] = [&[BY_BOTH_SIDES][..], &[]].map(blocks);
        let told = row_of_one([&alone, &in_a_row]).unwrap();
        assert!(told.starts_with("blocks of B were timed one after the other as well"), "{told}");
        assert!(told.ends_with("short blocks of A are less certain"), "{told}");
        assert_eq!(row_of_one([&in_a_row, &in_a_row]), None);
        assert!(timed_otherwise([&in_a_row, &one_sided]).unwrap().starts_with("cuts of A are"));
        assert_eq!(timed_otherwise([&in_a_row, &alone]), None);
    }

    /// A recording of a single provider, whose operators tell.
    fn profiled(provider: Option<&str>, nodes: &[&str]) -> Recording {
        let operator = Operator {
            nodes: nodes.iter().map(|node| node.to_string()).collect(),
            provider: provider.map(str::to_string),
            ..Operator::default()
        };
        let operators = vec![OperatorSummary::unmeasured(operator)];
        recording(Summary { operators, ..Summary::default() })
    }

    #[test]
    fn nodes_that_moved_are_named() {
        let cpu = profiled(Some("CPUExecutionProvider"), &["a", "b", "c", "d\u{1b}"]);
        let both = placed(&[("ggml", &["b", "d\u{1b}", "new"]), ("CPUExecutionProvider", &["a"])]);
        assert_eq!(
            moved([&cpu, &both]),
            ["2 nodes moved from the execution provider CPU in A to ggml in B: b, d\\u{1b}"]
        );
        let others = placed(&[("ggml", &["a"]), ("npu", &["b"])]);
        assert_eq!(
            moved([&both, &others]),
            [
                "1 node moved from the execution provider ggml in A to npu in B: b",
                "1 node moved from the execution provider CPU in A to ggml in B: a"
            ]
        );
        let many: Vec<String> = (0..12).map(|number| number.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let notes = moved([&placed(&[("x", &many)]), &placed(&[("y", &many)])]);
        assert!(notes[0].ends_with(": 0, 1, 2, 3, 4, 5, 6, 7 and 4 more"), "{notes:?}");
        assert!(moved([&profiled(None, &["a"]), &both]).is_empty(), "unknown is not another one");
        assert!(moved([&both, &both]).is_empty());
    }
}
