//! Rows of the sheet *By sparsity* for the operators that look up the same perf
//! ratios: what they come to at each level.

use super::lookup::{self, Lookup, NO_LEVEL, row_number, setting_of_group};
use super::model::{Case, Model, number_of};
use crate::document::{Cell, CellStyle, Entry, TableColumn};
use onnxray_analyzer::projection::{Estimate, Origins, RatioRow, WeightShape};
use onnxray_format::{Operator, Weight};

/// The operators of a group: their row of ratios, and what they add up to.
pub(super) struct Group<'a> {
    model: &'a Model<'a>,
    number: usize,
    first: usize,
    operator: &'a Operator,
    /// `None` of what is not pruned.
    weight: Option<&'a Weight>,
    ratios: Option<&'a RatioRow>,
    dense: Estimate,
    count: usize,
    /// Of their weights.
    elements: f64,
    /// Sparsity, latency and elements of those that have zero blocks already.
    sparse: Vec<(f64, Estimate, f64)>,
}

impl<'a> Group<'a> {
    pub(super) fn new(model: &'a Model, number: usize) -> Group<'a> {
        let (summary, projection) = (model.summary, model.projection);
        let first = model.groups.first[number];
        let operator = &summary.operators[first].operator;
        let is_settable = projection.operators[first].outcome.is_settable();
        let mut found = Group {
            model,
            number,
            first,
            operator,
            weight: operator.weight.as_ref().filter(|_| is_settable),
            ratios: projection.ratios_of(first),
            dense: Estimate::default(),
            count: 0,
            elements: 0.0,
            sparse: Vec::new(),
        };
        // None before the first is in the group.
        for (place, operator) in projection.operators.iter().enumerate().skip(first) {
            if model.groups.of[place] != Some(number) {
                continue;
            }
            let dense = operator.dense.unwrap_or_default();
            found.dense = found.dense + dense;
            found.count += 1;
            let weight = summary.operators[place].operator.weight.as_ref();
            let Some(weight) = weight.filter(|_| is_settable) else { continue };
            let elements = weight.elements();
            found.elements += elements;
            let ratio = weight.sparse_ratio(projection.block).filter(|&ratio| ratio > 0.0);
            found.sparse.extend(ratio.map(|ratio| (ratio, dense, elements)));
        }
        found
    }

    /// Latency of the operators that are as sparse as a level.
    fn done(&self, level: f64, end: Case) -> f64 {
        let done = self.sparse.iter().filter(|(sparse_ratio, ..)| *sparse_ratio >= level);
        done.map(|(_, dense, _)| end.of(*dense)).sum()
    }

    /// Elements that are zero at a level, of the operators that are less sparse.
    fn zero_elements(&self, level: f64) -> f64 {
        let is_known = self.ratios.is_some_and(|ratios| !ratios.points.is_empty());
        if !is_known || level <= 0.0 {
            return 0.0;
        }
        let done = self.sparse.iter().filter(|(sparse_ratio, ..)| *sparse_ratio >= level);
        level * (self.elements - done.map(|(.., elements)| elements).sum::<f64>())
    }

    fn at_level(&self, level: f64, end: Case) -> f64 {
        let all = end.of(self.dense);
        let Some(ratios) = self.ratios.filter(|_| level > 0.0) else { return all };
        let done = self.done(level, end);
        // A latency is lowest where the ratio is highest.
        done + (all - done) / end.opposite().of(ratios.at(level))
    }
}

impl Group<'_> {
    /// Origin of the ratio at a level, if any operator uses it.
    fn origin(&self, level: f64) -> String {
        let done = self.sparse.iter().filter(|(sparse_ratio, ..)| *sparse_ratio >= level).count();
        let ratios = self.ratios.filter(|_| level > 0.0 && done < self.count);
        let origin = ratios.and_then(|ratios| ratios.origin_at(level));
        origin.map_or(Origins::default().text().to_string(), |origin| origin.to_string())
    }
}

/// Columns of a group at an end: what it takes dense, what it takes at each level,
/// and what of that is as sparse as the level already.
pub(super) fn keys(end: Case) -> [&'static str; 3] {
    match end {
        Case::Value => ["baseline", "level", "done"],
        Case::Low => ["baseline_low", "low", "done_low"],
        Case::High => ["baseline_high", "high", "done_high"],
    }
}

impl<'a> Group<'a> {
    /// All columns of the sheet; the tables above the groups have some of them.
    pub(super) fn columns(groups: &[Group<'a>], levels: u16) -> Vec<TableColumn> {
        use Case::{High, Low, Value};
        let one = |key, style, entry: fn(&Group) -> Entry| {
            TableColumn::live(key, "", style, groups.iter().map(entry))
        };
        let each = |key, style, entry: fn(&Group, u16) -> Option<Entry>| {
            (0..levels).map(move |position| {
                let entries = groups.iter().map(move |group| entry(group, position));
                TableColumn::live(key, "", style, entries)
            })
        };
        let mut columns = vec![
            one("label", CellStyle::Text, |Group { weight, operator, .. }| {
                let of_type = &operator.operator_type;
                Cell::Text(match weight {
                    Some(own) => format!("{} {of_type} {}", own.matrix_shape(), own.data_type),
                    None => format!("{of_type}, {}", WeightShape::NOT_PRUNED),
                })
                .into()
            })
            .width(36.0),
            one("baseline", CellStyle::MILLISECONDS, |group| group.baseline(Value)),
        ];
        columns.extend(each("level", CellStyle::MILLISECONDS, |group, n| {
            Some(group.latency(Value, n))
        }));
        // What follows only serves formulas.
        let shown = columns.len();
        columns.extend([
            one("type_number", CellStyle::Helper, |group| {
                group.model.type_number(group.first).into()
            })
            .width(20.0),
            one("group", CellStyle::Helper, |group| number_of(group.number).into()),
            one("setting", CellStyle::Helper, |group| {
                let row = row_number(group.model.projection.operators[group.first].row);
                Entry::live(row, setting_of_group("[$group]"))
            }),
            one("baseline_low", CellStyle::MILLISECONDS, |group| group.baseline(Low)),
            one("baseline_high", CellStyle::MILLISECONDS, |group| group.baseline(High)),
        ]);
        columns
            .extend(each("low", CellStyle::MILLISECONDS, |group, n| Some(group.latency(Low, n))));
        columns
            .extend(each("high", CellStyle::MILLISECONDS, |group, n| Some(group.latency(High, n))));
        columns.extend(each("point", CellStyle::Helper, |group, n| {
            let value = lookup::point(group.ratios, group.level(n));
            Some(Entry::live(value, group.at(n, |lookup| lookup.point())))
        }));
        columns.extend(each("fraction", CellStyle::Helper, |group, n| {
            let value = lookup::fraction(group.ratios, group.level(n));
            Some(Entry::live(value, group.at(n, |lookup| lookup.fraction())))
        }));
        columns.extend(each("zero_elements", CellStyle::Helper, |group, n| group.zero_entry(n)));
        columns.extend(each("origin", CellStyle::Helper, |group, n| {
            let level = group.level(n);
            let value = level.map_or(Cell::None, |level| Cell::Text(group.origin(level)));
            Some(Entry::live(value, group.origin_formula(n)))
        }));
        columns.extend(each("done", CellStyle::Helper, |group, n| group.done_entry(Value, n)));
        columns.extend(each("done_low", CellStyle::Helper, |group, n| group.done_entry(Low, n)));
        columns.extend(each("done_high", CellStyle::Helper, |group, n| group.done_entry(High, n)));
        let helpers = columns.split_off(shown);
        columns.extend(helpers.into_iter().map(TableColumn::hidden));
        columns
    }

    /// The level of a column, or of what is not pruned that of all weights; `None` in columns that
    /// are left for more.
    fn level(&self, position: u16) -> Option<f64> {
        let level = self.model.projection.at_levels.get(usize::from(position));
        level.map(|level| if self.weight.is_some() { level.level } else { level.sparsity })
    }

    /// The cell of it.
    fn level_cell(&self, position: u16) -> String {
        match self.weight {
            Some(_) => heading(position),
            None => format!("[level_model.level#{position}:sparsity]"),
        }
    }

    /// A formula of the lookup at the level of a column.
    fn at(&self, position: u16, formula: impl Fn(Lookup) -> String) -> String {
        let (level, point) = (self.level_cell(position), format!("[point#{position}]"));
        let fraction = format!("[fraction#{position}]");
        formula(Lookup { level: &level, setting: "[$setting]", point: &point, fraction: &fraction })
    }

    /// Latency as it was measured.
    fn baseline(&self, end: Case) -> Entry {
        let latency = self.model.latency(end);
        let formula = format!("=SUMIF([!operators.group],[$group],[!operators.{latency}])");
        Entry::live(Cell::Number(end.of(self.dense)), formula)
    }

    fn latency(&self, end: Case, position: u16) -> Entry {
        let level = self.level(position);
        let value = level.map_or(Cell::None, |level| Cell::Number(self.at_level(level, end)));
        let [dense, _, done] = keys(end);
        let ratio = self.at(position, |lookup| {
            lookup.ratio(match end {
                Case::Value => "ratio_values",
                Case::Low => "ratio_highs",
                Case::High => "ratio_lows",
            })
        });
        // Weights that are as sparse as the level already gain nothing.
        let changed = match self.sparse.is_empty() {
            true => format!("[${dense}]/({ratio})"),
            false => format!("[{done}#{position}]+([${dense}]-[{done}#{position}])/({ratio})"),
        };
        let (heading, level) = (heading(position), self.level_cell(position));
        let formula = format!(
            "=IF({heading}=\"\",\"\",IF(OR([$setting]=0,{level}<=0),[${dense}],{changed}))"
        );
        Entry::live(value, formula)
    }

    /// Origin of the ratio, if any operator is less sparse than the level.
    fn origin_formula(&self, position: u16) -> String {
        let level = self.level_cell(position);
        let all_done = match self.sparse.is_empty() {
            true => String::new(),
            false => format!(
                ",COUNTIFS([!operators.group],[$group],[!operators.sparse_ratio],\">=\"&{level})\
                 >=COUNTIF([!operators.group],[$group])"
            ),
        };
        format!(
            "=IF({level}=\"\",\"\",IF(OR([$setting]=0,{level}<=0{all_done}),\"{}\",{}))",
            Origins::default().text(),
            self.at(position, |lookup| match self.weight {
                Some(_) => lookup.origin(),
                None => lookup.origin_of_not_pruned(),
            })
        )
    }

    /// Elements that are zero at a level; `None` of what is not pruned.
    fn zero_entry(&self, position: u16) -> Option<Entry> {
        let value = self.level(position).map_or(0.0, |level| self.zero_elements(level));
        let level = heading(position);
        let of_group = "[!operators.group],[$group]";
        let formula = format!(
            "=IF(OR({level}=\"\",[$setting]=0),0,IF(OR({level}<=0,\
             INDEX(ratio_levels,[$setting],1)>={NO_LEVEL}),0,\
             {level}*(SUMIF({of_group},[!operators.elements])\
             -SUMIFS([!operators.elements],{of_group},[!operators.sparse_ratio],\">=\"&{level}))))"
        );
        self.weight.map(|_| Entry::live(Cell::Number(value), formula))
    }

    /// Latency of the operators that are as sparse as a level; `None` if none has zero blocks.
    fn done_entry(&self, end: Case, position: u16) -> Option<Entry> {
        let value = self.level(position).map_or(0.0, |level| self.done(level, end));
        let (level, latency) = (heading(position), self.model.latency(end));
        let formula = format!(
            "=IF({level}=\"\",0,SUMIFS([!operators.{latency}],[!operators.group],[$group],\
             [!operators.sparse_ratio],\">=\"&{level}))"
        );
        (!self.sparse.is_empty()).then(|| Entry::live(Cell::Number(value), formula))
    }
}

/// The cell with the level of a column.
fn heading(position: u16) -> String {
    format!("[level_model.level#{position}^]")
}
