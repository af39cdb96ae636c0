//! The steps by which a formula finds a perf ratio: the row of ratios, the point
//! at or below a level, and how far the level lies on the way to the next one.

use super::page::{Page, Written, cell};
use super::ratios::NO_LEVEL;
use crate::projection::{RatioRow, SAME_LEVEL};

/// Where the steps of one lookup stand.
pub struct Lookup {
    /// The cell with the level; it may be empty.
    pub level: String,
    /// The cell with the row of ratios; 0 if there is none.
    pub setting: String,
    pub line: u32,
    pub point: u16,
    pub way: u16,
}

impl Lookup {
    /// Writes the point and the way to the next, for ratios that apply and the
    /// level that stands in the cell.
    pub fn write(&self, page: &mut Page, row: Option<&RatioRow>, level: Option<f64>) -> Written {
        let helper = &page.numbers.helper;
        let (level_cell, setting, point) =
            (&self.level, &self.setting, cell(self.line, self.point));
        let formula = format!(
            "=IF(OR({level_cell}=\"\",{setting}=0),0,\
             IFERROR(MATCH({level_cell}+{SAME_LEVEL},INDEX(ratio_levels,{setting},0),1),0))"
        );
        let place = row.zip(level).map_or(0, |(row, level)| {
            row.points.partition_point(|point| point.level <= level + SAME_LEVEL)
        });
        page.formula((self.line, self.point), formula, place as f64, helper)?;
        let formula = format!(
            "=IF({point}=0,0,({level_cell}-INDEX(ratio_levels,{setting},{point}))\
             /(INDEX(ratio_levels,{setting},{point}+1)-INDEX(ratio_levels,{setting},{point})))"
        );
        let way = row.zip(level).map_or(0.0, |(row, level)| way(row, level, place));
        page.formula((self.line, self.way), formula, way, helper)
    }

    /// The formula of the ratio, without `=`; `name` has the ratios or one of
    /// their ends.
    pub fn ratio(&self, name: &str) -> String {
        let setting = &self.setting;
        let (point, way) = (cell(self.line, self.point), cell(self.line, self.way));
        format!(
            "IF({point}=0,INDEX(ratio_below,{setting}),INDEX({name},{setting},{point})+{way}\
             *(INDEX({name},{setting},{point}+1)-INDEX({name},{setting},{point})))"
        )
    }
}

/// How far a level lies on the way from the point before `place` to the next.
fn way(row: &RatioRow, level: f64, place: usize) -> f64 {
    let Some(below) = place.checked_sub(1).and_then(|at| row.points.get(at)) else { return 0.0 };
    let next = row.points.get(place).map_or(NO_LEVEL, |point| point.level);
    (level - below.level) / (next - below.level)
}
