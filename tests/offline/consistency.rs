//! The tables of a summary, as people read them, agree with each other: shares, sums and
//! rates can be computed again from the other cells, within their rounding.

use crate::program::{Place, fixture_file};
use std::collections::BTreeMap;
use std::ops::{Add, Div, Mul, Neg};
use std::path::{Path, PathBuf};

/// What a rounded number may have been.
#[derive(Clone, Copy, Debug)]
struct Rounded {
    low: f64,
    high: f64,
}

impl Rounded {
    fn exact(value: f64) -> Rounded {
        Rounded { low: value, high: value }
    }

    fn of(ends: [f64; 4]) -> Rounded {
        let low = ends.into_iter().fold(f64::INFINITY, f64::min);
        Rounded { low, high: ends.into_iter().fold(f64::NEG_INFINITY, f64::max) }
    }

    fn agrees(self, other: Rounded) -> bool {
        let slack = 1e-9 * (self.high.abs() + other.high.abs());
        self.low <= other.high + slack && other.low <= self.high + slack
    }
}

impl Add for Rounded {
    type Output = Rounded;
    fn add(self, other: Rounded) -> Rounded {
        Rounded { low: self.low + other.low, high: self.high + other.high }
    }
}

impl Neg for Rounded {
    type Output = Rounded;
    fn neg(self) -> Rounded {
        Rounded { low: -self.high, high: -self.low }
    }
}

impl Mul for Rounded {
    type Output = Rounded;
    fn mul(self, other: Rounded) -> Rounded {
        let (a, b) = (self, other);
        Rounded::of([a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high])
    }
}

/// By what is above 0; what may be 0 says nothing.
impl Div for Rounded {
    type Output = Rounded;
    fn div(self, other: Rounded) -> Rounded {
        if other.low <= 0.0 {
            return Rounded { low: f64::NEG_INFINITY, high: f64::INFINITY };
        }
        self * Rounded { low: 1.0 / other.high, high: 1.0 / other.low }
    }
}

/// A cell as a number: times in nanoseconds, shares of one, everything else as it is.
fn number(cell: &str, heading: &str) -> Option<Rounded> {
    let cell = cell.trim();
    let (digits, unit) = match cell.split_once(' ') {
        Some((digits, unit)) => (digits, unit),
        None => (cell, ""),
    };
    let value: f64 = digits.parse().ok()?;
    let scale = match unit {
        "" => 1.0,
        "k" => 1e3,
        "M" => 1e6,
        "G" => 1e9,
        "T" => 1e12,
        "%" => 0.01,
        _ => return None,
    };
    let last = heading.rsplit([' ', '(']).next()?.trim_end_matches(')');
    let time = match last {
        "ns" => Some(1.0),
        "µs" => Some(1e3),
        "ms" => Some(1e6),
        "s" => Some(1e9),
        "%" => Some(0.01),
        _ => None,
    };
    let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    // Whole numbers that are not times are not rounded.
    let exact = decimals == 0 && unit.is_empty() && time.is_none();
    let half = if exact { 0.0 } else { 0.5 * 10f64.powi(-(decimals as i32)) };
    let scale = scale * time.unwrap_or(1.0);
    Some(Rounded { low: (value - half) * scale, high: (value + half) * scale })
}

/// A table of a Markdown report: headings, and rows.
#[derive(Default)]
struct Table {
    headings: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// The column whose heading is this, whatever its unit.
    fn column(&self, name: &str) -> Option<usize> {
        let units = ["ns", "µs", "ms", "s"];
        self.headings.iter().position(|heading| {
            heading == name
                || heading
                    .rsplit_once(' ')
                    .is_some_and(|(stem, unit)| stem == name && units.contains(&unit))
        })
    }

    fn text(&self, row: usize, name: &str) -> Option<&str> {
        Some(self.rows[row][self.column(name)?].as_str())
    }

    fn number(&self, row: usize, name: &str) -> Option<Rounded> {
        let column = self.column(name)?;
        number(&self.rows[row][column], &self.headings[column])
    }

    /// The sum of a column; `None` if any of it is unknown.
    fn sum(&self, name: &str) -> Option<Rounded> {
        let parts = (0..self.rows.len()).map(|row| self.number(row, name));
        parts.sum_all()
    }
}

trait SumAll {
    fn sum_all(self) -> Option<Rounded>;
}

impl<I: Iterator<Item = Option<Rounded>>> SumAll for I {
    fn sum_all(mut self) -> Option<Rounded> {
        self.try_fold(Rounded::exact(0.0), |sum, part| Some(sum + part?))
    }
}

fn tables(markdown: &str) -> BTreeMap<String, Table> {
    let mut tables = BTreeMap::new();
    let mut title = String::new();
    for line in markdown.lines() {
        if let Some(named) = line.strip_prefix("### ") {
            title = named.to_string();
        } else if let Some(row) = line.strip_prefix("| ") {
            let row = row.trim_end().trim_end_matches('|').replace("\\|", "\u{1}");
            let cells: Vec<String> = row.split('|').map(|cell| cell.trim().to_string()).collect();
            let table: &mut Table = tables.entry(title.clone()).or_default();
            if table.headings.is_empty() {
                table.headings = cells;
            } else if !cells
                .iter()
                .all(|cell| cell.trim_matches(['-', ':']).is_empty() && !cell.is_empty())
            {
                table.rows.push(cells);
            }
        }
    }
    tables
}

/// Counts what was compared, and says what does not agree.
struct Judge<'a> {
    what: &'a str,
    compared: &'a mut BTreeMap<&'static str, usize>,
}

impl Judge<'_> {
    fn agree(&mut self, rule: &'static str, shown: Option<Rounded>, computed: Option<Rounded>) {
        if let Some((shown, computed)) = shown.zip(computed) {
            assert!(shown.agrees(computed), "{}: {rule}: {shown:?} is not {computed:?}", self.what);
            *self.compared.entry(rule).or_default() += 1;
        }
    }
}

fn judge(report: &str, what: &str, compared: &mut BTreeMap<&'static str, usize>) {
    let tables = tables(report);
    let mut judge = Judge { what, compared };
    let model = &tables["Model"];
    let figure = |name: &str| {
        let named = |row: &&Vec<String>| row[0] == name || row[0].starts_with(&format!("{name} ("));
        let row = model.rows.iter().find(named)?;
        number(&row[1], &row[0])
    };
    let per = |rate: f64, time: Option<Rounded>| time.map(|time| Rounded::exact(rate) / time);
    let times = |a: Option<Rounded>, b: Option<Rounded>| a.zip(b).map(|(a, b)| a * b);
    let by = |a: Option<Rounded>, b: Option<Rounded>| a.zip(b).map(|(a, b)| a / b);
    // Of a single iteration, there is neither mean nor median.
    let profiled = figure("profiled latency mean").or_else(|| figure("profiled latency"));
    let latency = figure("latency mean").or_else(|| figure("latency")).or(profiled);
    // Of what operators and overhead are parts.
    let whole_latency = figure("typical iteration, mean");
    // Where nothing is left out and the profiling cost is unknown, that is the profiled latency.
    let cost = model.rows.iter().find(|row| row[0] == "profiling cost");
    let is_raw = cost.is_none_or(|cost| cost[1].starts_with("unknown"));
    let left_out = figure("iterations left out of operators");
    if is_raw && left_out.is_some_and(|count| count.high == 0.0) {
        judge.agree("typical iterations are all of them", whole_latency, profiled);
    }
    let overhead = figure("framework overhead, mean");
    let concurrent = figure("concurrent, mean").unwrap_or(Rounded::exact(0.0));
    let alone = figure("devices alone, mean").unwrap_or(Rounded::exact(0.0));
    let parts = figure("operators, mean").zip(overhead).map(|(a, b)| a + b + alone + -concurrent);
    judge.agree("operators, overhead and concurrent are the latency", whole_latency, parts);
    let percent = figure("framework overhead (% of latency)");
    let percent = percent.map(|percent| percent * Rounded::exact(0.01));
    judge.agree("share of the overhead", percent, by(overhead, whole_latency));
    let named = |name: &str| {
        let row = model.rows.iter().find(|row| row[0] == name)?;
        number(&row[1], "")
    };
    let names = ["latency median", "latency", "profiled latency median", "profiled latency"];
    let median = names.into_iter().find_map(&figure);
    let rate = per(1e9, median);
    judge.agree("iterations per second", named("throughput (iterations/s)"), rate);
    let items = times(figure("batch size"), rate);
    judge.agree("items per second", named("throughput (items/s)"), items);
    // A sum of which a part is missing has no rate.
    let whole = figure("operators with unknown FLOPs").is_some_and(|unknown| unknown.high == 0.0);
    let flops = figure("FLOPs per iteration").filter(|_| whole);
    judge.agree("GFLOP/s of the model", figure("GFLOP/s"), by(flops, median));
    let interval = model.rows.iter().find(|row| row[0].ends_with("latency median, 95 % interval"));
    let reach = interval.and_then(|row| row[1].strip_prefix("± ")?.split(" (").next());
    let reach = reach.and_then(|reach| number(reach, ""));
    let either = |name: &str| figure(name).or_else(|| figure(&format!("profiled {name}")));
    let high = either("latency median, high").zip(median).map(|(high, median)| high + -median);
    judge.agree("interval of the median", reach, by(high, median));

    let types = &tables["By type"];
    let operators = &tables["Operators"];
    for table in [types, operators] {
        let time = if table.column("Time").is_some() { "Time" } else { "Total" };
        let all = whole_latency.or_else(|| types.sum(time));
        for row in 0..table.rows.len() {
            let own = table.number(row, time);
            judge.agree("share of a row", table.number(row, "Share"), by(own, all));
            let missing = table.number(row, "FLOPs missing in").is_some_and(|n| n.high > 0.0);
            let flops = table.number(row, "FLOPs").filter(|_| !missing);
            judge.agree("GFLOP/s of a row", table.number(row, "GFLOP/s"), by(flops, own));
        }
        let sum = (0..operators.rows.len()).map(|row| operators.number(row, time));
        for row in 0..types.rows.len() {
            let Some(name) = types.text(row, "Type").filter(|name| *name != "unknown") else {
                continue;
            };
            let own = |at: &usize| operators.text(*at, "Type") == Some(name);
            let members: Vec<usize> = (0..operators.rows.len()).filter(own).collect();
            if members.is_empty() {
                continue;
            }
            let sum = members.iter().map(|&at| operators.number(at, time)).sum_all();
            judge.agree("time of a type", types.number(row, time), sum);
            let count = Rounded::exact(members.len() as f64);
            judge.agree("operators of a type", types.number(row, "Operators"), Some(count));
        }
        let told = sum.sum_all().filter(|_| overhead.is_some());
        judge.agree("operators of the model", figure("operators, mean"), told);
    }
    let named = |row: usize, name: &str| types.text(row, "Type") == Some(name);
    let has_overhead = (0..types.rows.len()).any(|row| named(row, "framework overhead"));
    if has_overhead {
        judge.agree("types are the latency", whole_latency, types.sum("Time"));
    }
    if has_overhead || latency.is_none() {
        judge.agree("shares of types are all", types.sum("Share"), Some(Rounded::exact(1.0)));
    }
    let flops = figure("FLOPs per iteration").filter(|_| whole);
    let of_types = (0..types.rows.len())
        .filter(|&row| !named(row, "framework overhead") && !named(row, "concurrent"));
    let sum = of_types.map(|row| types.number(row, "FLOPs")).sum_all();
    judge.agree("FLOPs of types", flops, sum);
}

fn walk(folder: &Path, into: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() { walk(&path, into) } else { into.push(path) }
    }
}

#[test]
fn what_a_summary_shows_can_be_computed_from_what_it_shows() {
    let place = Place::new();
    let mut files = Vec::new();
    walk(&fixture_file(""), &mut files);
    let mut inputs: Vec<Vec<String>> = files
        .iter()
        .filter(|path| !path.components().any(|part| part.as_os_str() == "models"))
        .filter(|path| !path.ends_with("MANIFEST.json"))
        .filter(|path| path.extension().is_none_or(|ending| ending != "py" && ending != "txt"))
        .map(|path| vec![path.display().to_string()])
        .collect();
    let together = |names: &[&str]| -> Vec<String> {
        names.iter().map(|name| fixture_file(name).display().to_string()).collect()
    };
    for version in ["8.2", "8.6", "10.0"] {
        let names =
            ["profile", "times", "layers"].map(|name| format!("tensorrt/{version}/{name}.json"));
        inputs.push(together(&names.each_ref().map(String::as_str)));
    }
    for guide in ["guide/encoder", "guide/encoder-int8"] {
        let recording: Vec<PathBuf> = crate::program::files(&fixture_file(guide));
        inputs.push(recording.iter().map(|path| path.display().to_string()).collect());
    }
    let mut compared = BTreeMap::new();
    let mut read = 0;
    for input in &inputs {
        let mut arguments = vec!["summary", "--all", "--no-fold", "--format", "markdown"];
        arguments.extend(input.iter().map(String::as_str));
        let done = place.run(&arguments);
        // Fixtures that no summary can be made of have tests of their own.
        if done.code == Some(0) && done.out.contains("### By type") {
            judge(&done.out, &input[0], &mut compared);
            read += 1;
        }
    }
    assert!(read > 60, "{read} of {} were read", inputs.len());
    for (rule, least) in [
        ("operators, overhead and concurrent are the latency", 10),
        ("share of the overhead", 10),
        ("iterations per second", 10),
        ("items per second", 3),
        ("GFLOP/s of the model", 1),
        ("interval of the median", 3),
        ("share of a row", 500),
        ("GFLOP/s of a row", 50),
        ("time of a type", 200),
        ("operators of a type", 200),
        ("types are the latency", 10),
        ("shares of types are all", 20),
        ("FLOPs of types", 3),
    ] {
        let count = compared.get(rule).copied().unwrap_or(0);
        assert!(count >= least, "{rule} was looked at {count} times only: {compared:?}");
    }
}

#[test]
fn rounded_numbers_know_what_they_may_have_been() {
    let ends = |cell: &str, heading: &str| {
        let found = number(cell, heading).unwrap();
        (found.low, found.high)
    };
    assert_eq!(ends("12.5", "Median ms"), (12.45e6, 12.55e6));
    assert_eq!(ends("40", "Operators"), (40.0, 40.0));
    assert_eq!(ends("2.5 k", "FLOPs"), (2450.0, 2550.0));
    assert!(number("unknown", "Share").is_none());
    assert!(number("0.4 %", "").unwrap().agrees(Rounded::exact(0.0044)));
    assert!(!number("0.4 %", "").unwrap().agrees(Rounded::exact(0.0046)));
}
