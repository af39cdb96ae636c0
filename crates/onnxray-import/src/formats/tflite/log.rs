//! Finds the profile of the regular runs among the lines of a log.
//!
//! A profile has a section for each graph and one for what delegates did. A
//! section has the nodes in the order in which they ran, ten of them again by
//! time, a summary by type, and the time of all. Of a log of which nothing but the summary is
//! there, that is read.

use super::table::{Columns, Row, TypeColumns};
use crate::damage::{Damage, DamageKind, MOST_RECORDS};
use crate::text::number::number;
use onnxray_format::{Nanoseconds, Position};

/// Whose nodes a section has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Graph {
    Primary,
    /// The body or the condition of a control flow node.
    Subgraph(u32),
    Delegate,
}

/// The time of all nodes of a section per run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Timings {
    pub(crate) runs: Option<u64>,
    pub(crate) average_us: Option<f64>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Section {
    pub(crate) graph: Graph,
    pub(crate) rows: Vec<Row>,
    /// Whether only the most expensive nodes are there.
    pub(crate) only_top: bool,
    /// Whether a row is all nodes of a type: nothing but their summary is there.
    pub(crate) by_type: bool,
    top: Vec<Row>,
    types: Vec<Row>,
    /// How many nodes the profile says there are.
    pub(crate) declared: Option<u64>,
    pub(crate) timings: Option<Timings>,
}

#[derive(Debug, Default)]
pub(crate) struct Log {
    pub(crate) sections: Vec<Section>,
    /// Profiles behind the first one.
    pub(crate) further: u64,
    /// File name of the model.
    pub(crate) model: Option<String>,
    pub(crate) threads: Option<u32>,
    pub(crate) load_time: Option<Nanoseconds>,
    pub(crate) damage: Damage,
}

/// What the lines at hand are about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Part {
    Initialization,
    /// Old versions do not say so.
    #[default]
    Regular,
    Further,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Title {
    RunOrder,
    Top,
    /// A table that says nothing new: nodes by memory, sums by type.
    Other,
}

#[derive(Default)]
struct Reader {
    log: Log,
    part: Part,
    title: Option<Title>,
    /// The table that the line is in, and whether it has the run order.
    table: Option<(Columns, bool)>,
    /// The summary by type that the line is in.
    types: Option<TypeColumns>,
    /// Whether the line is in a table that says nothing new.
    skipping: bool,
    /// What the log has in front of the lines of the profile, by its last table.
    prefix: Option<Columns>,
}

pub(crate) fn read(bytes: &[u8]) -> Log {
    let mut reader = Reader::default();
    let mut position = Position { line: 1, byte: 0 };
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        // What is behind the last line break may have been cut anywhere.
        if line.ends_with(b"\n") {
            let text = String::from_utf8_lossy(line);
            reader.line(text.trim_end(), position);
        }
        position.line += 1;
        position.byte += line.len() as u64;
    }
    reader.finish(Position::of(bytes, bytes.len()))
}

impl Reader {
    fn line(&mut self, line: &str, position: Position) {
        if let Some((columns, run_order)) = &self.table {
            let text = columns.behind_prefix(line);
            let ends = text.is_empty() || text.starts_with("==") || text.starts_with("Number of");
            if !ends {
                let (row, run_order) = (columns.row(line), *run_order);
                return self.add(row, run_order, position);
            }
            self.table = None;
        }
        if let Some(columns) = &self.types {
            // What is not a row ends it; where all nodes are there, it says nothing new.
            match (columns.row(line), self.log.sections.last_mut()) {
                (Some(row), Some(section)) if section.types.len() < MOST_RECORDS => {
                    return section.types.push(row);
                }
                (Some(_), _) => return,
                (None, _) => self.types = None,
            }
        }
        let known = self.heading(line);
        if self.part == Part::Regular && !self.inside(line, position) && !known {
            self.unknown(line, position);
        }
    }

    /// Counts a line that says nothing known where a profile's lines are.
    fn unknown(&mut self, line: &str, position: Position) {
        let inside = self.log.sections.last().is_some_and(|section| section.timings.is_none());
        let text = match &self.prefix {
            Some(columns) => columns.behind_prefix(line),
            None => line.trim(),
        };
        if text.is_empty() {
            self.skipping = false;
        } else if self.title.is_some() || inside && !self.skipping {
            let reason = "a line that belongs to no table";
            self.log.damage.add(DamageKind::UnknownKind, Some(position), reason);
        }
    }

    fn add(&mut self, row: Option<Row>, run_order: bool, position: Position) {
        let Some(section) = self.log.sections.last_mut() else { return };
        let rows = section.rows.len() + section.top.len();
        match row {
            Some(_) if rows >= MOST_RECORDS => {
                self.log.damage.add(DamageKind::TooMany, Some(position), "");
            }
            // The duplicates of a table that is only a fallback are not a loss.
            _ if !run_order && !section.rows.is_empty() => {}
            None => {
                let reason = "no type, numbers and name";
                self.log.damage.add(DamageKind::Unreadable, Some(position), reason);
            }
            Some(row) if !row.average_ms.is_finite() || row.average_ms < 0.0 => {
                self.log.damage.add(
                    DamageKind::NoTime,
                    Some(position),
                    "an average that is not a time",
                );
            }
            Some(row) if run_order => section.rows.push(row),
            Some(row) => section.top.push(row),
        }
    }

    /// What a line says about the lines behind it, or about the whole log; `false` if it
    /// says neither.
    fn heading(&mut self, line: &str) -> bool {
        let bracketed = |title: &str| {
            let rest = line.split_once(title)?.1.trim_start().strip_prefix('[')?;
            Some(rest.split_once(']')?.0)
        };
        if line.contains("Profiling Info for Benchmark Initialization") {
            self.part = Part::Initialization;
            self.title = None;
        } else if line.contains("Profiling Info for Regular Benchmark Runs") {
            let first = self.log.sections.is_empty();
            self.part = if first { Part::Regular } else { Part::Further };
            self.log.further += u64::from(!first);
            self.title = None;
        } else if let Some(path) = bracketed("Graph:") {
            let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
            self.log.model.get_or_insert(name.to_string());
        } else if let Some(threads) = bracketed("Num threads:").or_else(|| {
            // Newer versions say so only if it was asked for.
            bracketed("#threads used for CPU inference:")
        }) {
            self.log.threads = self.log.threads.or(number(threads).filter(|&t| t > 0));
        } else if let Some((_, rest)) = line.split_once("Inference timings in us: Init:") {
            let time = rest.split(',').next().and_then(|time| number(time.trim()));
            self.log.load_time = time.and_then(Nanoseconds::from_microseconds);
        } else {
            return false;
        }
        true
    }

    /// What a line says about the profile of the regular runs; `false` if nothing.
    fn inside(&mut self, line: &str, position: Position) -> bool {
        if let Some(graph) = graph(line) {
            self.start(graph);
        } else if let Some((_, title)) = line.split_once("==== ") {
            self.skipping = false;
            self.title = match title.trim_end_matches(['=', ' ']) {
                "Run Order" => Some(Title::RunOrder),
                "Top by Computation Time" => Some(Title::Top),
                "Top by Memory Use" | "Summary by node type" => Some(Title::Other),
                other => {
                    let reason = format!("the title {other:?} of a table");
                    self.log.damage.add(DamageKind::Repaired, Some(position), reason);
                    None
                }
            };
        } else if let Some(columns) = Columns::of(line) {
            if let Some(unknown) = &columns.unknown {
                let reason = format!("the heading {unknown:?}");
                self.log.damage.add(DamageKind::Member, Some(position), reason);
            }
            self.prefix = Some(columns.clone());
            self.begin_table(columns);
        } else if let Some(columns) = TypeColumns::of(line) {
            self.begin_types(columns);
        } else if self.title == Some(Title::Other) && line.to_lowercase().contains("node type") {
            self.title = None;
            self.skipping = true;
        } else if line.contains("Memory (bytes):") || line.trim_end().ends_with("nodes observed") {
        } else if let Some(section) = self.log.sections.last_mut() {
            if let Some((_, count)) = line.split_once("Number of nodes executed:") {
                section.declared = number(count.trim());
                if section.declared.is_none() {
                    let reason = "a number of nodes that is none";
                    self.log.damage.add(DamageKind::Unreadable, Some(position), reason);
                }
            } else if let Some((_, timings)) = line.split_once("Timings (microseconds):") {
                let timings = self::timings(timings);
                if timings.runs.is_none() || timings.average_us.is_none() {
                    let reason = "timings without a count or a mean";
                    self.log.damage.add(DamageKind::Unreadable, Some(position), reason);
                }
                section.timings = Some(timings);
                self.skipping = false;
            } else {
                return false;
            }
        } else {
            return false;
        }
        true
    }

    fn start(&mut self, graph: Graph) {
        self.title = None;
        self.skipping = false;
        self.log.sections.push(Section {
            graph,
            rows: Vec::new(),
            only_top: false,
            by_type: false,
            top: Vec::new(),
            types: Vec::new(),
            declared: None,
            timings: None,
        });
    }

    fn begin_table(&mut self, columns: Columns) {
        let title = self.title.take();
        if self.log.sections.is_empty() {
            self.start(Graph::Primary);
        }
        let has_rows = self.log.sections.last().is_some_and(|section| !section.rows.is_empty());
        match title {
            // The first of tables without titles has the run order.
            Some(Title::RunOrder) | None if !has_rows => self.table = Some((columns, true)),
            Some(Title::RunOrder) => {
                self.part = Part::Further;
                self.log.further += 1;
            }
            Some(Title::Top) | None => self.table = Some((columns, false)),
            Some(Title::Other) => self.skipping = true,
        }
    }

    fn begin_types(&mut self, columns: TypeColumns) {
        self.title = None;
        let is_over = |section: &Section| section.timings.is_some() || !section.types.is_empty();
        if self.log.sections.is_empty() {
            self.start(Graph::Primary);
        } else if self.log.sections.last().is_some_and(is_over) {
            self.part = Part::Further;
            self.log.further += 1;
            return;
        }
        self.skipping = true;
        self.types = Some(columns);
    }

    fn finish(mut self, end: Position) -> Log {
        let whole = self.log.sections.last().is_none_or(|section| section.timings.is_some());
        if !whole {
            let reason = "the line with the timings, which ends a profile, is missing";
            self.log.damage.add(DamageKind::EndsEarly, Some(end), reason);
        }
        for section in &mut self.log.sections {
            if section.rows.is_empty() {
                section.rows = std::mem::take(&mut section.top);
                section.only_top = !section.rows.is_empty();
            }
            if section.rows.is_empty() {
                section.rows = std::mem::take(&mut section.types);
                section.by_type = !section.rows.is_empty();
            }
        }
        self.log.sections.retain(|section| !section.rows.is_empty());
        self.log
    }
}

/// The graph that a heading announces: `Subgraph (index: 2, name: body) profile:`.
fn graph(line: &str) -> Option<Graph> {
    let line = line.trim_end();
    if line.ends_with("Delegate internal:") {
        return Some(Graph::Delegate);
    }
    if !line.ends_with("profile:") {
        return None;
    }
    if let Some((_, rest)) = line.split_once("Subgraph (index:") {
        let index: String = rest.trim_start().chars().take_while(char::is_ascii_digit).collect();
        return index.parse().ok().map(Graph::Subgraph);
    }
    line.contains("Primary graph").then_some(Graph::Primary)
}

/// `count=50 first=79449 curr=81350 min=77385 max=88213 avg=79732 std=1929`, or
/// `count=50 curr=79(all same)`.
fn timings(text: &str) -> Timings {
    let word = |key: &str| {
        let value = text.split_whitespace().find_map(|word| word.strip_prefix(key))?;
        value
            .split('(')
            .next()
            .filter(|value| value.starts_with(|first: char| first.is_ascii_digit()))
    };
    // `1.02e+06` from a million on.
    let value = |key| number(word(key)?).filter(|value: &f64| value.is_finite());
    Timings {
        runs: word("count=").and_then(number).filter(|&count| count > 0),
        average_us: value("avg=").or_else(|| value("curr=")),
    }
}
