//! What `tract dump --profile --cost --json` prints.
//!
//! An object with an array of nodes, in no order, with their mean times. The
//! time of a node is its own: tract takes off what ran in its body. There are
//! no shapes and no single executions.

use super::Importer;
use super::names::make_unique;
use crate::chrome::{Options, mend};
use crate::detect::{Head, Verdict, beginning};
use crate::json::{Broken, Cursor};
use crate::loss::{LossKind, Losses};
use crate::source::Source;
use crate::{Average, Format, ImportError, Launch};
use onnxray_format::{Operator, Position, Run, Warning};
use serde::Deserialize;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;

pub static IMPORTER: Importer = Importer {
    name: "tract",
    title: "tract",
    files: "JSON that `tract dump --profile --cost --json` prints",
    tells: "mean times, FLOPs and parameters, nodes in bodies",
    detect,
    read: |sources, options| super::each(sources, options, read),
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

/// A node's place: its number, behind the nodes in whose bodies it is.
type Path = Vec<(u64, String)>;

/// A record of the array.
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
    losses: Losses,
}

fn read(source: Source, _options: &Options) -> Result<Launch, ImportError> {
    let file = source.path().to_path_buf();
    let (bytes, damage) = source.read_whole()?;
    let mut dump = Dump::default();
    let ended = dump.document(&bytes);
    if dump.nodes.is_empty() {
        let (at, broken) = ended.err().unwrap_or((0, Broken::Cut));
        let start = at.min(bytes.len());
        return Err(ImportError::Unexpected {
            file,
            position: Position::of(&bytes, start),
            expected: match broken {
                Broken::Cut => "nodes (\"nodes\")".to_string(),
                Broken::Expected(what) => what.to_string(),
            },
            found: beginning(&bytes[start..]),
        });
    }
    let end = Position::of(&bytes, bytes.len());
    match (damage, ended) {
        (Some(error), _) => dump.losses.add(LossKind::EndsEarly, Some(end), error.to_string()),
        (None, Err((at, _))) => {
            let reason = "a part of the document cannot be read";
            dump.losses.add(LossKind::EndsEarly, Some(Position::of(&bytes, at)), reason);
        }
        (None, Ok(())) => {}
    }
    let mut warnings = dump.losses.warnings(&file, "nodes");
    let sum: f64 = dump.nodes.values().filter_map(|node| node.secs_per_iter).sum();
    if let Some(whole) = dump.profiling_info.secs_per_iter.filter(|whole| sum > 1.01 * whole) {
        let message = format!(
            "the nodes' times add up to {:.3} ms per iteration, but the iteration took {:.3} ms",
            sum * 1000.0,
            whole * 1000.0
        );
        warnings.push(Warning { file: file.clone(), position: None, message, loss: false });
    }
    let (operators, averages) = operators(&dump);
    Ok(Launch {
        format: Format::Tract,
        files: vec![file],
        run: Run { engine: "tract".to_string(), producer: "tract".to_string(), ..Run::default() },
        operators,
        averages,
        warnings,
        ..Launch::default()
    })
}

impl Dump {
    /// Reads the members of the document; on damage, says where it gave up.
    fn document(&mut self, bytes: &[u8]) -> Result<(), (usize, Broken)> {
        let mut cursor = Cursor::new(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes));
        let offset = bytes.len() - cursor.bytes.len();
        let result = self.members(&mut cursor, offset);
        result.map_err(|broken| (cursor.at + offset, broken))
    }

    fn members(&mut self, cursor: &mut Cursor<'_>, offset: usize) -> Result<(), Broken> {
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
                b"nodes" if cursor.take(b'[') => self.records(cursor, offset)?,
                b"profiling_info" => {
                    let info = serde_json::from_slice(cursor.skip()?).ok().flatten();
                    self.profiling_info = info.unwrap_or_default();
                }
                _ => drop(cursor.skip()?),
            }
        }
        if cursor.peek().is_some() {
            let position = Position::of(cursor.bytes, cursor.at + offset);
            self.losses.add(LossKind::BehindTheEnd, Some(position), "");
        }
        Ok(())
    }

    /// Reads the nodes up to the end of the array.
    fn records(&mut self, cursor: &mut Cursor<'_>, offset: usize) -> Result<(), Broken> {
        loop {
            match cursor.peek() {
                Some(b',') => cursor.at += 1,
                Some(b']') => {
                    cursor.at += 1;
                    return Ok(());
                }
                Some(_) => self.record(cursor, offset)?,
                None => return Err(Broken::Cut),
            }
        }
    }

    fn record(&mut self, cursor: &mut Cursor<'_>, offset: usize) -> Result<(), Broken> {
        let (bytes, start) = (cursor.bytes, cursor.at);
        let position = || {
            let position = Position::of(bytes, start);
            Some(Position { byte: position.byte + offset as u64, ..position })
        };
        if bytes.get(start) != Some(&b'{') {
            cursor.skip()?;
            self.lose(LossKind::NotARecord, &position, "a value that is no object");
            return Ok(());
        }
        let seen = end_of_record(bytes, start).ok_or(Broken::Cut)?;
        let reason = match serde_json::from_slice(&bytes[start..seen]) {
            Ok(node) => {
                cursor.at = seen;
                self.add(node, position);
                return Ok(());
            }
            Err(error) => error.to_string(),
        };
        let text = String::from_utf8_lossy(&bytes[start..seen]);
        let kind = match text {
            Cow::Borrowed(_) => LossKind::Mended,
            Cow::Owned(_) => LossKind::NotUtf8,
        };
        if let Ok(node) = serde_json::from_slice(&mend(text.as_bytes())) {
            cursor.at = seen;
            self.lose(kind, &position, reason);
            self.add(node, position);
            return Ok(());
        }
        // A name may hold what parts two records.
        let nearby = &bytes[..bytes.len().min(start.saturating_add(MOST_RECORD))];
        let raw = Cursor { bytes: nearby, at: start }.skip().unwrap_or_default();
        if let Ok(node) = serde_json::from_slice(raw) {
            cursor.at = start + raw.len();
            self.add(node, position);
            return Ok(());
        }
        if bytes[seen..].iter().all(|&byte| byte == b',' || byte.is_ascii_whitespace()) {
            return Err(Broken::Cut);
        }
        cursor.at = seen;
        self.lose(LossKind::Unreadable, &position, reason);
        Ok(())
    }

    /// Counts damage. To find a place takes time, and only the first one is shown.
    fn lose(
        &mut self,
        kind: LossKind,
        position: &impl Fn() -> Option<Position>,
        reason: impl Into<String>,
    ) {
        let position = if self.losses.count(kind) == 0 { position() } else { None };
        self.losses.add(kind, position, reason);
    }

    fn add(&mut self, node: Node, position: impl Fn() -> Option<Position>) {
        if node.secs_per_iter.is_some_and(|time| !time.is_finite() || time < 0.0) {
            return self.lose(LossKind::NoTime, &position, "a negative time");
        }
        let (mut path, number) = node.qualified_id.clone();
        path.push((number, String::new()));
        if self.nodes.contains_key(&path) {
            let reason = "a node that stands there twice";
            return self.lose(LossKind::Unreadable, &position, reason);
        }
        self.nodes.insert(path, node);
    }
}

/// A record with a name that looks like the end of one is looked for this far.
const MOST_RECORD: usize = 1 << 14;

/// Where the record that begins at `start` seems to end: the next one, the end
/// of the array, or nothing follows.
fn end_of_record(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    while let Some(step) = memchr::memchr(b'}', &bytes[at..]) {
        at += step + 1;
        let behind = bytes[at..].trim_ascii_start();
        let ends = match behind.first() {
            // A key follows the costs; no record begins with one.
            Some(b',') => behind[1..].trim_ascii_start().first() != Some(&b'"'),
            other => matches!(other, None | Some(b']')),
        };
        if ends {
            return Some(at);
        }
    }
    None
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
    make_unique(&mut operators);
    (operators, averages)
}

/// The costs of a body are those of all its turns: `once` says whether that is
/// one execution.
fn operator(node: &Node, once: bool) -> Operator {
    let of = |kind: &str| {
        let costs = node.cost.iter().filter(|(name, _)| name.starts_with(kind));
        let costs: Vec<Option<u64>> = costs.map(|(_, cost)| whole(cost)).collect();
        let known: Option<Vec<u64>> = costs.into_iter().collect();
        known.filter(|known| !known.is_empty())
    };
    let sum = |numbers: Vec<u64>| numbers.into_iter().try_fold(0u64, u64::checked_add);
    Operator {
        name: node.node_name.clone(),
        operator_type: node.op_name.clone(),
        nodes: vec![node.node_name.clone()],
        parameters: of("Params(").and_then(sum),
        // A multiply-add is two operations.
        flops: of("FMA(").and_then(sum).and_then(|fma| fma.checked_mul(2)).filter(|_| once),
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
