//! Which execution provider ran which nodes and operators: a line, and a table.

use crate::content::selection::Selection;
use crate::content::shares::{megabytes, partial};
use crate::document::{Cell, Line, Table, Unit, columns};
use Unit::{Count, Milliseconds as Ms, Quantity, Share, Text};
use onnxray_analyzer::Milliseconds;
use onnxray_analyzer::statistics::{Crossed, ProviderSummary, Summary};
use onnxray_text::{counted, printable};

/// The provider that always runs what no other one takes.
const PROCESSOR: &str = "CPU";

/// Types that the line names of a provider.
const MOST_TYPES: usize = 2;

columns! {
    pub(super) const PROVIDERS: ProviderSummary;

    /// execution provider of ONNX Runtime; `copies`: between providers
    NAME "Provider" Text = |provider| Cell::text(&provider.name);
    /// operators it ran
    "operators" "Operators" Count = |provider| Cell::Whole(provider.operators);
    /// nodes that the library gave it
    NODES "Nodes" Count = |provider| Cell::whole(provider.nodes);
    /// partitions of them: compiled to one, or connected
    PARTITIONS "Partitions" Count = |provider| Cell::whole(provider.partitions);
    /// tensors that it reads from other partitions
    RECEIVED "Tensors in" Count = |provider| tensors(provider.received);
    /// their known sizes
    RECEIVED_BYTES "Bytes in" Quantity = |provider| bytes(provider.received);
    /// tensors that others read from it
    SENT "Tensors out" Count = |provider| tensors(provider.sent);
    /// their known sizes
    SENT_BYTES "Bytes out" Quantity = |provider| bytes(provider.sent);
    /// sum of exclusive times
    TOTAL "Total ms" Ms = |provider| Cell::milliseconds(provider.total.map(Milliseconds::from));
    /// exclusive time per iteration, mean
    MEAN "Time ms" Ms = |provider| Cell::milliseconds(provider.mean);
    /// share of the time of all operators
    "share" "Share" Share = |provider| Cell::share(provider.share);
    /// types of its nodes, or else of its operators
    "types" "Types" Text = |provider| Cell::text(provider.types.join(", "));
}

const NAME: &str = "provider";
const NODES: &str = "nodes";
const PARTITIONS: &str = "partitions";
const RECEIVED: &str = "tensors_in";
const RECEIVED_BYTES: &str = "bytes_in";
const SENT: &str = "tensors_out";
const SENT_BYTES: &str = "bytes_out";
/// What is known where partitions are.
const CROSSED: [&str; 5] = [PARTITIONS, RECEIVED, RECEIVED_BYTES, SENT, SENT_BYTES];
const TOTAL: &str = "total_ms";
const MEAN: &str = "time_ms";

columns! {
    /// The line, as a figure of the model.
    pub(super) const PLACEMENT: Summary;

    /// execution providers, and what they ran
    "placement" "placement" Text = |summary|
        Cell::some_text(whole_line(&summary.providers).texts().join(", "));
}

fn tensors(crossed: Option<Crossed>) -> Cell {
    Cell::whole(crossed.map(|crossed| crossed.tensors))
}

fn bytes(crossed: Option<Crossed>) -> Cell {
    crossed.map_or(Cell::Unknown, |crossed| partial(crossed.bytes))
}

/// The table; `None` if nothing names a provider.
pub(super) fn providers(summary: &Summary, selection: &Selection) -> Option<Table> {
    let providers = &summary.providers;
    let by_iteration = providers.iter().any(|provider| provider.mean.is_some());
    let sums = ["operators", NODES, PARTITIONS, TOTAL, MEAN, "share"];
    let table = Table::new("providers", "Execution providers", PROVIDERS, providers)
        .hiding(&[if by_iteration { TOTAL } else { MEAN }])
        .hiding_unless(providers.iter().any(|provider| provider.nodes.is_some()), &[NODES])
        .hiding_unless(providers.iter().any(|provider| provider.partitions.is_some()), &CROSSED)
        .essential(&[NAME, NODES, PARTITIONS])
        .summed_up(selection.rows, 0, &sums);
    (!providers.is_empty()).then_some(table)
}

/// The line of the first screen; `None` where the processor is all there is.
pub(crate) fn line(providers: &[ProviderSummary]) -> Option<Line> {
    let is_other = |provider: &ProviderSummary| !provider.is_copies && provider.name != PROCESSOR;
    providers.iter().any(is_other).then(|| whole_line(providers))
}

/// `CUDA 409 of 412 nodes in 2 partitions (99.3 % of the time), CPU 3 of 412 in 1: Loop, Gather;
/// 3 crossings, 1.20 MB; 6 copies (1.200 ms)`.
fn whole_line(providers: &[ProviderSummary]) -> Line {
    // Copies are the runtime's, not operators of the model.
    let (copies, mut own): (Vec<_>, Vec<_>) = providers.iter().partition(|one| one.is_copies);
    let is_placed = own.iter().any(|one| one.nodes.is_some());
    // Where nodes are known, an operator that nothing says a provider of has none of its own.
    own.retain(|one| !is_placed || one.nodes.is_some());
    let words = if is_placed { ("node", "nodes") } else { ("operator", "operators") };
    let count =
        |one: &ProviderSummary| if is_placed { one.nodes.unwrap_or(0) } else { one.operators };
    let all: u64 = own.iter().map(|one| count(one)).sum();
    let mut line = Line::new("Placement");
    for (position, one) in own.iter().enumerate() {
        let (name, count) = (printable(&one.name), count(one));
        let partitions = one.partitions.filter(|_| count > 0);
        if position == 0 {
            let partitions = partitions.map_or(String::new(), |partitions| {
                format!(" in {}", counted(partitions, "partition", "partitions"))
            });
            let of = counted(all, words.0, words.1);
            let share = one.share.filter(|_| count < all);
            let share = share.map(|share| format!("({:.1} % of the time)", share.0 * 100.0));
            line = line.part(0, format!("{name} {count} of {of}{partitions}"));
            line = line.behind(" ", 3, share);
            continue;
        }
        let partitions = partitions.map_or(String::new(), |count| format!(" in {count}"));
        line = line.behind(", ", 0, format!("{name} {count} of {all}{partitions}"));
        line = line.behind(": ", 2, types(&one.types).filter(|_| count > 0));
    }
    let line = line.behind("; ", 1, crossings(&own));
    let copies = copies.first().map(|copies| {
        let time = copies.mean.or(copies.total.map(Milliseconds::from));
        let time = time.map_or(String::new(), |time| format!(" ({:.3} ms)", time.0));
        format!("{}{time}", counted(copies.operators, "copy", "copies"))
    });
    line.behind("; ", 1, copies)
}

/// The first of them.
fn types(types: &[String]) -> Option<String> {
    let more = if types.len() > MOST_TYPES { ", …" } else { "" };
    let first: Vec<String> = types.iter().take(MOST_TYPES).map(|name| printable(name)).collect();
    (!first.is_empty()).then(|| format!("{}{more}", first.join(", ")))
}

/// What goes from one partition to another; `None` where there is one at most.
fn crossings(own: &[&ProviderSummary]) -> Option<String> {
    let partitions: Option<u64> = own.iter().map(|one| one.partitions).sum();
    let Some(partitions) = partitions else {
        return (own.len() > 1).then(|| "partitions and crossings unknown".to_string());
    };
    if partitions <= 1 {
        return None;
    }
    // What is received is all that is sent.
    let received = || own.iter().filter_map(|one| one.received);
    let tensors: u64 = received().map(|crossed| crossed.tensors).sum();
    let known: f64 = received().map(|crossed| crossed.bytes.known).sum();
    let unknown: u64 = received().map(|crossed| crossed.bytes.unknown).sum();
    let size = match (tensors, unknown) {
        (0, _) => String::new(),
        (_, 0) => format!(", {}", megabytes(known)),
        (_, unknown) if unknown == tensors => " of unknown size".to_string(),
        (_, unknown) => format!(", {} and {unknown} of unknown size", megabytes(known)),
    };
    Some(format!("{}{size}", counted(tensors, "crossing", "crossings")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use onnxray_analyzer::Share;
    use onnxray_analyzer::statistics::PartialSum;

    fn provider(name: &str, operators: u64, types: &[&str], share: f64) -> ProviderSummary {
        ProviderSummary {
            name: name.to_string(),
            is_copies: name == "copies",
            operators,
            types: types.iter().map(|name| name.to_string()).collect(),
            mean: Some(Milliseconds(1.2)),
            share: Some(Share(share)),
            ..ProviderSummary::default()
        }
    }

    fn placed(name: &str, nodes: u64, partitions: u64, received: Crossed) -> ProviderSummary {
        ProviderSummary {
            nodes: Some(nodes),
            partitions: Some(partitions),
            received: Some(received),
            ..provider(name, 1, &["Gather", "Cast"], 0.5)
        }
    }

    fn text(providers: &[&ProviderSummary]) -> String {
        let providers: Vec<_> = providers.iter().map(|&provider| provider.clone()).collect();
        whole_line(&providers).texts().join("   ")
    }

    #[test]
    fn the_line_says_who_ran_what() {
        let cuda = provider("CUDA", 409, &["Conv"], 0.993);
        let cpu = provider("CPU", 3, &["Loop", "If", "Scan", "Gather"], 0.005);
        let copies = provider("copies", 6, &["MemcpyToHost"], 0.002);
        assert_eq!(
            text(&[&cuda, &cpu, &copies]),
            "CUDA 409 of 412 operators (99.3 % of the time), CPU 3 of 412: Loop, If, …; \
             partitions and crossings unknown; 6 copies (1.200 ms)"
        );
        assert_eq!(text(&[&cpu]), "CPU 3 of 3 operators");
        assert_eq!(text(&[]), "");
        assert_eq!(line(&[cpu]), None, "the processor alone");
        assert!(
            line(&[provider("a\u{1b}", 1, &[], 1.0)]).unwrap().texts()[0].starts_with("a\\u{1b}")
        );
    }

    #[test]
    fn the_line_says_what_crosses() {
        let crossed =
            |tensors, known, unknown| Crossed { tensors, bytes: PartialSum { known, unknown } };
        let ggml = placed("ggml", 87, 1, Crossed::default());
        assert_eq!(text(&[&ggml]), "ggml 87 of 87 nodes in 1 partition");
        let cpu = |received| placed("CPU", 12, 3, received);
        let of = |received| text(&[&placed("ggml", 75, 2, crossed(2, 1e6, 0)), &cpu(received)]);
        assert_eq!(
            of(crossed(1, 2e5, 0)),
            "ggml 75 of 87 nodes in 2 partitions (50.0 % of the time), CPU 12 of 87 in 3: Gather, \
             Cast; 3 crossings, 1.20 MB"
        );
        assert!(of(crossed(1, 0.0, 1)).ends_with("3 crossings, 1.00 MB and 1 of unknown size"));
        let none = placed("ggml", 0, 0, Crossed::default());
        let all = placed("CPU", 12, 1, Crossed::default());
        assert_eq!(text(&[&all, &none]), "CPU 12 of 12 nodes in 1 partition, ggml 0 of 12");
    }
}
