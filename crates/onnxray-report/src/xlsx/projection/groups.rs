//! Rows of the sheet *Summary type* for the operators that look up the same perf
//! ratios: what they come to at each level.

use super::columns::{Line, SheetColumn};
use super::context::{Context, End, number_of};
use super::look::Look;
use super::lookup::{self, Lookup, row_number};
use crate::document::Cell;
use crate::xlsx::page::cell_in_row;
use onnxray_analyzer::projection::{Estimate, Origins, RatioRow};
use onnxray_format::{Operator, Weight};

/// The operators of a group: their row of ratios, and what they add up to.
pub(super) struct Group<'a> {
    first: usize,
    operator: &'a Operator,
    weight: &'a Weight,
    ratios: Option<&'a RatioRow>,
    dense: Estimate,
    /// Number of them.
    count: usize,
    /// Sparse ratio and latency of those that have zero blocks already.
    sparse: Vec<(f64, Estimate)>,
}

impl<'a> Group<'a> {
    /// A group of operators, which have a weight.
    pub(super) fn new(context: &Context<'a>, group: usize) -> Option<Group<'a>> {
        let (summary, projection) = (context.summary, context.projection);
        let first = context.groups.first[group];
        let operator = &summary.operators[first].operator;
        let mut found = Group {
            first,
            operator,
            weight: operator.weight.as_ref()?,
            ratios: projection.ratios_of(first),
            dense: Estimate::default(),
            count: 0,
            sparse: Vec::new(),
        };
        for (number, operator) in projection.operators.iter().enumerate().skip(first) {
            if context.groups.of[number] != Some(group) {
                continue;
            }
            let dense = operator.dense.unwrap_or_default();
            found.dense = found.dense + dense;
            found.count += 1;
            let weight = summary.operators[number].operator.weight.as_ref();
            let ratio = weight.and_then(|weight| weight.sparse_ratio(projection.block));
            found.sparse.extend(ratio.filter(|&ratio| ratio > 0.0).map(|ratio| (ratio, dense)));
        }
        Some(found)
    }

    /// Latency of the operators that are as sparse as a level.
    fn done(&self, level: f64, end: End) -> f64 {
        let done = self.sparse.iter().filter(|(sparse_ratio, _)| *sparse_ratio >= level);
        done.map(|(_, dense)| end.of(*dense)).sum()
    }

    /// Latency at a level.
    fn at_level(&self, level: f64, end: End) -> f64 {
        let all = end.of(self.dense);
        let Some(ratios) = self.ratios.filter(|_| level > 0.0) else { return all };
        let done = self.done(level, end);
        done + (all - done) / end.opposite().of(ratios.at(level))
    }
}

impl Group<'_> {
    /// Where the ratio at a level comes from, if any operator uses it.
    fn origin(&self, level: f64) -> String {
        let done = self.sparse.iter().filter(|(sparse_ratio, _)| *sparse_ratio >= level).count();
        let ratios = self.ratios.filter(|_| level > 0.0 && done < self.count);
        let origin = ratios.and_then(|ratios| ratios.origin_at(level));
        origin.map_or(Origins::default().text().to_string(), |origin| origin.to_string())
    }
}

type Row<'l, 'a> = Line<'l, Group<'a>>;

/// Columns of a group at an end: what it takes dense, what it takes at each level,
/// and what of that is as sparse as the level already.
pub(super) fn keys(end: End) -> [&'static str; 3] {
    match end {
        End::Value => ["baseline", "level", "done"],
        End::Low => ["baseline_low", "low", "done_low"],
        End::High => ["baseline_high", "high", "done_high"],
    }
}

/// All columns of the sheet; the tables above the groups have some of them.
pub(super) fn columns<'a>(levels: u16) -> Vec<SheetColumn<Group<'a>>> {
    use End::{High, Low, Value};
    type Column<'a> = SheetColumn<Group<'a>>;
    let ms = |key, value| Column::own(key, "", Look::Milliseconds, value);
    let helper = |key, value| Column::own(key, "", Look::Helper, value);
    let columns = [
        Column::own("label", "", Look::Text, |line| {
            let Group { operator, weight, .. } = line.row;
            let (shape, of_type) = (weight.matrix_shape(), &operator.operator_type);
            Cell::Text(format!("{shape} {of_type} {}", weight.data_type))
        }),
        ms("baseline", |line| dense(line, Value)).formula(|line| sum(line, Value)),
        ms("level", |line| latency(line, Value)).formula(|line| at_level(line, Value)),
        helper("type_number", |line| Cell::Number(number_of(line.context.types[line.row.first]))),
        helper("group", |line| Cell::Number(number_of(line.number))),
        helper("setting", |line| {
            let row = line.context.projection.operators[line.row.first].row;
            Cell::Number(row.map_or(0.0, row_number))
        })
        .formula(|line| line.context.setting_of_group(&line.in_column("group"))),
        ms("baseline_low", |line| dense(line, Low)).formula(|line| sum(line, Low)),
        ms("baseline_high", |line| dense(line, High)).formula(|line| sum(line, High)),
        ms("low", |line| latency(line, Low)).formula(|line| at_level(line, Low)),
        ms("high", |line| latency(line, High)).formula(|line| at_level(line, High)),
        helper("point", |line| Cell::Number(lookup::point(line.row.ratios, level(line))))
            .formula(|line| lookup(line).point()),
        helper("way", |line| Cell::Number(lookup::way(line.row.ratios, level(line))))
            .formula(|line| lookup(line).way()),
        helper("origin", |line| {
            level(line).map_or(Cell::None, |level| Cell::Text(line.row.origin(level)))
        })
        .formula(origin),
        helper("done", |line| done(line, Value)).formula(|line| sum_done(line, Value)),
        helper("done_low", |line| done(line, Low)).formula(|line| sum_done(line, Low)),
        helper("done_high", |line| done(line, High)).formula(|line| sum_done(line, High)),
    ];
    let columns = columns.into_iter().map(|column| match column.key {
        "label" | "type_number" | "group" | "setting" => column,
        key if key.starts_with("baseline") => column,
        key if key.starts_with("done") => {
            column.times(levels).only(|line| !line.row.sparse.is_empty())
        }
        _ => column.times(levels),
    });
    columns.collect()
}

fn dense(line: &Row, end: End) -> Cell {
    Cell::Number(end.of(line.row.dense))
}

/// The sum over the group's operators.
fn sum(line: &Row, end: End) -> String {
    let context = line.context;
    let latency = context.operators(context.latency(end));
    format!("=SUMIF({},{},{latency})", context.operators("group"), line.in_column("group"))
}

/// The level of a column; `None` in columns that are left for more.
fn level(line: &Row) -> Option<f64> {
    line.context.projection.at_levels.get(line.position as usize).map(|level| level.level)
}

/// The cell with the level.
fn heading(line: &Row) -> String {
    let column = line.layout.column("level") + line.position;
    cell_in_row(line.context.sheets.level_model.header(), column)
}

fn latency(line: &Row, end: End) -> Cell {
    level(line).map_or(Cell::None, |level| Cell::Number(line.row.at_level(level, end)))
}

fn lookup(line: &Row) -> Lookup {
    let setting = line.in_column("setting");
    let [point, way] = ["point", "way"].map(|key| line.nth(key, line.position));
    Lookup { level: heading(line), setting, point, way }
}

fn at_level(line: &Row, end: End) -> String {
    let [dense, _, done] = keys(end);
    let (dense, setting, heading) =
        (line.in_column(dense), line.in_column("setting"), heading(line));
    let ratio = lookup(line).ratio(match end {
        End::Value => "ratio_values",
        End::Low => "ratio_highs",
        End::High => "ratio_lows",
    });
    // Weights that are as sparse as the level already gain nothing.
    let changed = match line.row.sparse.is_empty() {
        true => format!("{dense}/({ratio})"),
        false => {
            let done = line.nth(done, line.position);
            format!("{done}+({dense}-{done})/({ratio})")
        }
    };
    format!("=IF({heading}=\"\",\"\",IF(OR({setting}=0,{heading}<=0),{dense},{changed}))")
}

/// Where the ratio comes from, if any operator is less sparse than the level.
fn origin(line: &Row) -> String {
    let (setting, heading) = (line.in_column("setting"), heading(line));
    let (groups, group) = (line.context.operators("group"), line.in_column("group"));
    let all_done = match line.row.sparse.is_empty() {
        true => String::new(),
        false => format!(
            ",COUNTIFS({groups},{group},{},\">=\"&{heading})>=COUNTIF({groups},{group})",
            line.context.operators("sparse_ratio")
        ),
    };
    format!(
        "=IF({heading}=\"\",\"\",IF(OR({setting}=0,{heading}<=0{all_done}),\"{}\",{}))",
        Origins::default().text(),
        lookup(line).origin()
    )
}

fn done(line: &Row, end: End) -> Cell {
    Cell::Number(level(line).map_or(0.0, |level| line.row.done(level, end)))
}

fn sum_done(line: &Row, end: End) -> String {
    let (context, heading) = (line.context, heading(line));
    let all = |key| context.operators(key);
    format!(
        "=IF({heading}=\"\",0,SUMIFS({},{},{},{},\">=\"&{heading}))",
        all(context.latency(end)),
        all("group"),
        line.in_column("group"),
        all("sparse_ratio"),
    )
}
