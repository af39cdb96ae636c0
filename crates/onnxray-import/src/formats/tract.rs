//! What `tract dump --profile --cost --json` prints.
//!
//! An object with an array of nodes, in no order, with their mean times. The
//! time of a node is its own: tract takes off what ran in its body. There are
//! no shapes and no single executions.

use super::records;
use super::together::{Document, number_and_name};
use crate::chrome::Options;
use crate::damage::{Damage, DamageKind};
use crate::format::Format;
use crate::importer::{Head, Importer, Verdict, each};
use crate::json::{Broken, Cursor};
use crate::presence::Presence;
use crate::source::Source;
use crate::{Average, ImportError, Launch};
use onnxray_format::{Operator, Run, Warning};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// How it is recognized and read.
pub static IMPORTER: Importer = Importer {
    format: Format {
        name: "tract",
        title: "tract",
        files: "JSON that `tract dump --profile --cost --json` prints",
        contains: "mean times, FLOPs and parameters, nodes in bodies",
    },
    detect,
    read: |sources, options| each(sources, options, read),
};

fn detect(head: Head<'_>) -> Verdict {
    let mut cursor = Cursor::new(head.text());
    if !cursor.take(b'{') {
        return Verdict::No;
    }
    match cursor.text() {
        Ok(key) if !matches!(key.raw, b"nodes" | b"profiling_info") => return Verdict::No,
        Err(Broken::Expected(_)) => return Verdict::No,
        _ => {}
    }
    if head.contains("\"qualified_id\"") {
        return Verdict::Yes;
    }
    head.otherwise()
}

/// What names of costs begin with; the element type follows.
const FMA: &str = "FMA(";
const PARAMETERS: &str = "Params(";

/// A node's place: its number, behind the nodes in whose bodies it is.
type Path = Vec<(u64, String)>;

#[derive(Deserialize)]
struct Node {
    qualified_id: (Path, u64),
    op_name: String,
    node_name: String,
    /// Numbers as text, which may hold symbols: `64*B`.
    #[serde(default)]
    cost: BTreeMap<String, Value>,
    /// Missing if it was not run.
    secs_per_iter: Option<f64>,
}

#[derive(Default, Deserialize)]
struct ProfilingInfo {
    iterations: Option<u64>,
    secs_per_iter: Option<f64>,
}

#[derive(Default)]
struct Dump {
    nodes: BTreeMap<Path, Node>,
    profiling_info: ProfilingInfo,
}

fn read(source: Source, _options: &Options) -> Result<Launch, ImportError> {
    let mut document = Document::read(source)?;
    let mut dump = Dump::default();
    let mut cursor = Cursor::new(&document.bytes);
    let ended = dump.document(&mut cursor, &mut document.damage);
    let offset = cursor.offset;
    match ended {
        Err(Broken::Expected(what)) if dump.nodes.is_empty() => {
            return Err(document.unexpected(offset, what));
        }
        _ if dump.nodes.is_empty() => return Err(document.unexpected(offset, "nodes (\"nodes\")")),
        Err(_) if document.damage.count(DamageKind::EndsEarly) == 0 => {
            let reason = "a part of the document cannot be read";
            document.damage.add_at(DamageKind::EndsEarly, &document.bytes, offset, reason);
        }
        _ => {}
    }
    document.check_json();
    let file = document.file;
    let mut warnings = document.damage.warnings(&file, "nodes");
    let sum: f64 = dump.nodes.values().filter_map(|node| node.secs_per_iter).sum();
    if let Some(whole) = dump.profiling_info.secs_per_iter.filter(|whole| sum > 1.01 * whole) {
        let message = format!(
            "the nodes' times add up to {:.3} ms per iteration, but the iteration took {:.3} ms",
            sum * 1000.0,
            whole * 1000.0
        );
        warnings.push(Warning::note(&file, message));
    }
    let (operators, averages) = operators(&dump);
    Ok(Launch {
        files: vec![file],
        run: Run { engine: "tract".to_string(), producer: "tract".to_string(), ..Run::default() },
        operators,
        averages,
        warnings,
        ..Launch::default()
    })
}

impl Dump {
    fn document(&mut self, cursor: &mut Cursor<'_>, damage: &mut Damage) -> Result<(), Broken> {
        if !cursor.take(b'{') {
            return Err(Broken::Expected("an object with the nodes"));
        }
        loop {
            while cursor.take(b',') {}
            if cursor.take(b'}') {
                break;
            }
            let key = cursor.text()?;
            if !cursor.take(b':') {
                return Err(Broken::Expected("a colon"));
            }
            match key.raw {
                b"nodes" => {
                    let mut nodes = Vec::new();
                    let mut keep = |offset, node| nodes.push((offset, node));
                    let ended = records::read(cursor, damage, record, &mut keep);
                    count_lacking(&nodes, cursor.bytes, damage);
                    nodes.into_iter().for_each(|(_, node)| self.add(node, damage));
                    ended?;
                }
                b"profiling_info" => {
                    let raw = cursor.skip()?;
                    let info: Result<Option<ProfilingInfo>, _> = serde_json::from_slice(raw);
                    self.profiling_info = info
                        .unwrap_or_else(|error| {
                            let offset = cursor.offset - raw.len();
                            let reason = format!("`profiling_info`: {error}");
                            damage.add_at(DamageKind::Member, cursor.bytes, offset, reason);
                            None
                        })
                        .unwrap_or_default();
                    let ProfilingInfo { iterations, secs_per_iter } = &self.profiling_info;
                    let has = [iterations.is_some(), secs_per_iter.is_some()];
                    let members = ["iterations", "secs_per_iter"].into_iter().zip(has);
                    for (member, _) in members.filter(|(_, is_there)| raw != b"null" && !is_there) {
                        let offset = cursor.offset - raw.len();
                        let reason = format!("`{member}` of `profiling_info`");
                        damage.add_at(DamageKind::Missing, cursor.bytes, offset, reason);
                    }
                }
                _ => drop(cursor.skip()?),
            }
        }
        if cursor.peek().is_some() {
            damage.add_at(DamageKind::BehindTheEnd, cursor.bytes, cursor.offset, "");
        }
        Ok(())
    }

    fn add(&mut self, node: Node, damage: &mut Damage) {
        let (mut path, number) = node.qualified_id.clone();
        path.push((number, String::new()));
        match self.nodes.entry(path) {
            Entry::Vacant(place) => {
                place.insert(node);
            }
            Entry::Occupied(_) => {
                damage.add(DamageKind::Unreadable, None, "a node that occurs twice");
            }
        }
    }
}

/// Counts the nodes that lack what others have. All nodes of a graph or body have a time, or
/// none, but for constants; what there is to say of a node's cost depends on its type.
fn count_lacking(nodes: &[(usize, Node)], bytes: &[u8], damage: &mut Damage) {
    let mut presence = Presence::new();
    for (offset, node) in nodes {
        let mut see = |kind: &str, member, is_there| {
            presence.see(kind, &node.node_name, *offset, [(member, is_there)]);
        };
        if node.op_name != "Const" {
            let (around, _) = &node.qualified_id;
            see(&format!("{around:?}"), "secs_per_iter", node.secs_per_iter.is_some());
        }
        let has_cost = |kind: &str| node.cost.keys().any(|name| name.starts_with(kind));
        see(&node.op_name, "cost: FMA", has_cost(FMA));
        see(&node.op_name, "cost: Params", has_cost(PARAMETERS));
    }
    presence.count_in(bytes, damage);
}

fn record(cursor: &mut Cursor<'_>) -> records::Record<Node> {
    let raw = cursor.skip()?;
    if raw.first() != Some(&b'{') {
        return Ok(Err((DamageKind::NotARecord, "a value that is not an object")));
    }
    // Bytes that are not text are counted already.
    let node = serde_json::from_str::<Node>(&String::from_utf8_lossy(raw));
    let node = node.map_err(|_| Broken::Expected("a node"))?;
    match node.secs_per_iter {
        Some(time) if !time.is_finite() || time < 0.0 => {
            Ok(Err((DamageKind::NoTime, "a negative time")))
        }
        _ => Ok(Ok(node)),
    }
}

/// Nodes that ran, in the order of their numbers, bodies behind the node that
/// holds them.
fn operators(dump: &Dump) -> (Vec<Operator>, Vec<Average>) {
    let ran = |node: &&Node| {
        node.secs_per_iter.is_some() || !matches!(node.op_name.as_str(), "Const" | "Source")
    };
    let mut numbers: BTreeMap<&Path, u32> = BTreeMap::new();
    let mut operators = Vec::new();
    let mut averages = Vec::new();
    for (path, node) in dump.nodes.iter().filter(|(_, node)| ran(node)) {
        let number = operators.len() as u32;
        numbers.insert(path, number);
        let (around, _) = &node.qualified_id;
        let parent = around.split_last().and_then(|((parent, _), outer)| {
            let mut path = outer.to_vec();
            path.push((*parent, String::new()));
            numbers.get(&path).copied()
        });
        // A plan runs each of its nodes once; how often a loop turns is not told.
        let once = around.iter().all(|(_, body)| body != "loop");
        operators.push(Operator { number, parent, ..operator(node, once) });
        if let Some(seconds) = node.secs_per_iter {
            averages.push(Average {
                operator: number,
                mean_ns: Some(seconds * 1e9),
                executions: once.then_some(1.0),
                iterations: dump.profiling_info.iterations,
                ..Average::default()
            });
        }
    }
    number_and_name(&mut operators);
    (operators, averages)
}

/// The costs of a body are those of all its turns: `once` says whether that is
/// one execution.
fn operator(node: &Node, once: bool) -> Operator {
    let of = |kind: &str| {
        let costs = node.cost.iter().filter(|(name, _)| name.starts_with(kind));
        let costs: Vec<Option<u64>> = costs.map(|(_, cost)| whole(cost)).collect();
        let costs: Option<Vec<u64>> = costs.into_iter().collect();
        costs.filter(|costs| !costs.is_empty())
    };
    let sum = |numbers: Vec<u64>| numbers.into_iter().try_fold(0u64, u64::checked_add);
    Operator {
        name: node.node_name.clone(),
        operator_type: node.op_name.clone(),
        nodes: vec![node.node_name.clone()],
        parameters: of(PARAMETERS).and_then(sum),
        // A multiply-add is two operations.
        flops: of(FMA).and_then(sum).and_then(|fma| fma.checked_mul(2)).filter(|_| once),
        attributes: node.cost.iter().map(|(name, cost)| (name.clone(), text(cost))).collect(),
        ..Operator::default()
    }
}

fn whole(cost: &Value) -> Option<u64> {
    cost.as_u64().or_else(|| cost.as_str()?.trim().parse().ok())
}

fn text(cost: &Value) -> String {
    cost.as_str().map_or_else(|| cost.to_string(), str::to_string)
}
