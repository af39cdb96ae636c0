//! The steps by which a formula finds a perf ratio: the row of ratios, the point
//! at or below a level, and how far the level lies from there to the next one, as a fraction.

use crate::document::Cell;
use onnxray_analyzer::projection::{Origin, Origins, RatioRow, SAME_LEVEL, WeightShape};

/// Stands for a level where there are no more; above all levels.
pub(crate) const NO_LEVEL: f64 = 9.0;

/// The cells with the steps of one lookup.
#[derive(Clone, Copy)]
pub(crate) struct Lookup<'a> {
    /// The level; it may be empty.
    pub(crate) level: &'a str,
    /// The row of ratios; 0 if there is none.
    pub(crate) setting: &'a str,
    pub(crate) point: &'a str,
    pub(crate) fraction: &'a str,
}

impl Lookup<'_> {
    /// That of an operator, at the level of a column.
    pub(crate) const fn at(level: &str) -> Lookup<'_> {
        Lookup { level, setting: "[setting]", point: "[point]", fraction: "[fraction]" }
    }

    /// The formula of the point.
    pub(crate) fn point(&self) -> String {
        let Lookup { level, setting, .. } = self;
        // With a margin: a level that is typed in percent may differ in its last bits.
        format!(
            "=IF(OR({level}=\"\",{setting}=0),0,\
             IFERROR(MATCH({level}+{SAME_LEVEL},INDEX(ratio_levels,{setting},0),1),0))"
        )
    }

    /// The formula of that fraction.
    pub(crate) fn fraction(&self) -> String {
        let Lookup { level, setting, point, .. } = self;
        format!(
            // After the last point comes `NO_LEVEL`: the divisor is never 0.
            "=IF({point}=0,0,({level}-INDEX(ratio_levels,{setting},{point}))\
             /(INDEX(ratio_levels,{setting},{point}+1)-INDEX(ratio_levels,{setting},{point})))"
        )
    }

    /// The formula of the ratio, without `=`; `name` has the ratios or one of
    /// their ends.
    pub(crate) fn ratio(&self, name: &str) -> String {
        let Lookup { setting, point, fraction, .. } = self;
        format!(
            "IF({point}=0,INDEX(ratio_below,{setting}),INDEX({name},{setting},{point})+{fraction}\
             *(INDEX({name},{setting},{point}+1)-INDEX({name},{setting},{point})))"
        )
    }

    /// The same of what is not pruned, which keeps its latency below the lowest level by no default.
    pub(crate) fn origin_of_not_pruned(&self) -> String {
        let Lookup { setting, point, .. } = self;
        let (recorded, origin) = (Origins::default().text(), self.origin());
        format!("IF(AND({point}=0,INDEX(ratio_below,{setting})=1),\"{recorded}\",{origin})")
    }

    /// The formula of where the ratio comes from, without `=`, in the words of
    /// [`RatioOrigin`](onnxray_analyzer::projection::RatioOrigin).
    pub(crate) fn origin(&self) -> String {
        let Lookup { level, setting, point, .. } = self;
        let [default, given] = [Origin::Default, Origin::Given];
        // Only a default has other words by itself than beside others.
        let level_at = |point: &str| format!("INDEX(ratio_levels,{setting},{point})");
        let origin_at = |point: &str| format!("INDEX(ratio_origins,{setting},{point})");
        let cell = |point: &str| {
            // Rounded, as 0.07 * 100 is 7.000000000000001.
            format!("ROUND({}*100,6)&\" % (\"&{}&\")\"", level_at(point), origin_at(point))
        };
        let next = format!("{point}+1");
        let (here, origin) = (level_at(point), origin_at(point));
        format!(
            "IF({point}=0,IF(INDEX(ratio_below,{setting})=1,\
             IF(INDEX(ratio_levels,{setting},1)>={NO_LEVEL},\"{}\",\"below all levels ({})\"),\
             \"below all levels ({})\"),\
             IF(ABS({level}-{here})<{SAME_LEVEL},IF({origin}=\"{}\",\"{}\",{origin}),\
             IF({}>={NO_LEVEL},\"as at \"&{},\"between \"&{}&\" and \"&{})))",
            Origins::default().text(),
            default.key(),
            given.key(),
            default.key(),
            default.text(),
            level_at(&next),
            cell(point),
            cell(point),
            cell(&next),
        )
    }
}

/// Formula, without `=`, of the origins in a range, in the words of [`Origins`].
pub(crate) fn origins(range: &str) -> String {
    let count = |word: &str| format!("COUNTIF({range},\"*{word}*\")");
    // A default says that it was not.
    let measured = format!("{}>{}", count(Origin::Measured.key()), count("not measured"));
    let has = |origin: Origin| format!("{}>0", count(origin.key()));
    let (given, default) = (has(Origin::Given), has(Origin::Default));
    let text = |measured, given, default| Origins { measured, given, default }.text();
    let with = |measured: bool| {
        format!(
            "IF({default},IF({given},\"{}\",\"{}\"),IF({given},\"{}\",\"{}\"))",
            text(measured, true, true),
            text(measured, false, true),
            text(measured, true, false),
            text(measured, false, false),
        )
    };
    format!("IF({measured},{},{})", with(true), with(false))
}

/// Formula that finds the row of ratios of the group numbered in a cell; 0 if it has no operator
/// any more.
pub(crate) fn setting_of_group(group: &str) -> String {
    format!("=IFERROR(INDEX([!operators.setting],MATCH({group},[!operators.group],0)),0)")
}

/// Formula, without `=`, of the row of ratios of operators that no target changes; 0 if there is none.
pub(crate) fn setting_of_not_pruned() -> String {
    let key = WeightShape::NOT_PRUNED;
    format!("IFERROR(MATCH(\"|{key}||\"&ratio_block,ratio_keys,0),0)")
}

/// Position of a row of ratios in the ranges that have names, which begin with the
/// heading; 0 if there is none.
pub(crate) fn row_number(row: Option<usize>) -> Cell {
    // One for the heading, and one as formulas count from 1.
    Cell::Number(row.map_or(0.0, |row| row as f64 + 2.0))
}

fn points(row: Option<&RatioRow>, level: Option<f64>) -> usize {
    let point = |(row, level): (&RatioRow, f64)| {
        // As `MATCH` does in the formula.
        row.points.partition_point(|point| point.level <= level + SAME_LEVEL)
    };
    row.zip(level).map_or(0, point)
}

/// Number of points at or below a level; 0 without ratios or level.
pub(crate) fn point(row: Option<&RatioRow>, level: Option<f64>) -> Cell {
    Cell::Number(points(row, level) as f64)
}

/// Fraction of the way from a level's point to the next one.
pub(crate) fn fraction(row: Option<&RatioRow>, level: Option<f64>) -> Cell {
    let next = points(row, level);
    let (Some(row), Some(level), Some(last)) = (row, level, next.checked_sub(1)) else {
        return Cell::Number(0.0);
    };
    let level_of = |number: usize| row.points.get(number).map_or(NO_LEVEL, |point| point.level);
    Cell::Number((level - level_of(last)) / (level_of(next) - level_of(last)))
}
