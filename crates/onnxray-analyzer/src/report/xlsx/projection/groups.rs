//! Rows of the sheet *Summary type* for the operators that look up the same perf
//! ratios: what they come to at each level.

use super::Context;
use super::levels::{HEADER, LABEL, Layout, at_level, blank_or, level};
use super::lookup::Lookup;
use super::operators::{all, at, end_columns, setting_of_group};
use super::page::{End, Page, Written, cell, cell_in_column, cell_in_row};
use super::ratios::row_number;
use super::types;
use crate::projection::{Estimate, RatioRow};

/// The operators of a group: their row of ratios, and what they add up to.
struct Members<'a> {
    ratios: Option<&'a RatioRow>,
    dense: Estimate,
    /// Sparse ratio and latency of those that have zero blocks already.
    sparse: Vec<(f64, Estimate)>,
}

fn members<'a>(context: &Context<'a>, group: usize) -> Members<'a> {
    let projection = context.projection;
    let first = context.groups.first[group];
    let mut members = Members {
        ratios: projection.ratios_of(first),
        dense: Estimate::default(),
        sparse: Vec::new(),
    };
    for (number, operator) in projection.operators.iter().enumerate().skip(first) {
        if context.groups.of[number] != Some(group) {
            continue;
        }
        let dense = operator.dense.unwrap_or_default();
        members.dense = members.dense + dense;
        let weight = context.summary.operators[number].operator.weight.as_ref();
        let ratio = weight.and_then(|weight| weight.sparse_ratio(projection.block));
        if let Some(ratio) = ratio.filter(|&ratio| ratio > 0.0) {
            members.sparse.push((ratio, dense));
        }
    }
    members
}

/// Writes a row of a group.
pub fn write(page: &mut Page, layout: &Layout, context: &Context, group: usize) -> Written {
    let numbers = page.numbers;
    let columns = &layout.columns;
    let line = layout.groups + group as u32;
    let first = context.groups.first[group];
    let operator = &context.summary.operators[first].operator;
    let Some(weight) = &operator.weight else { return Ok(()) };
    let label =
        format!("{} {} {}", weight.matrix_shape(), operator.operator_type, weight.data_type);
    page.plain((line, LABEL), &label)?;
    page.number(
        (line, columns.type_number()),
        types::number(context.types[first]),
        &numbers.helper,
    )?;
    page.number((line, columns.group()), group as f64 + 1.0, &numbers.helper)?;
    let own = cell_in_column(line, columns.group());
    let setting = cell_in_column(line, columns.setting());
    let formula = setting_of_group(context, &own);
    let row = context.projection.operators[first].row.map_or(0.0, row_number);
    page.formula((line, columns.setting()), formula, row, &numbers.helper)?;
    let members = members(context, group);
    let (low, high) = end_columns(context);
    for (end, from) in End::ALL.into_iter().zip([at::LATENCY, low, high]) {
        let formula = format!("=SUMIF({},{own},{})", all(context, at::GROUP), all(context, from));
        let value = end.of(members.dense);
        page.formula((line, columns.dense(end)), formula, value, &numbers.milliseconds)?;
    }
    for number in 0..columns.levels {
        group_at_level(page, layout, context, line, number, &members, &setting)?;
    }
    Ok(())
}

fn group_at_level(
    page: &mut Page,
    layout: &Layout,
    context: &Context,
    line: u32,
    number: u16,
    members: &Members,
    setting: &str,
) -> Written {
    let numbers = page.numbers;
    let columns = &layout.columns;
    let found = level(context, number).map(|level| level.level);
    let heading = cell_in_row(HEADER, columns.level(number));
    let lookup = Lookup {
        level: heading.clone(),
        setting: setting.to_string(),
        line,
        point: columns.point(number),
        way: columns.way(number),
    };
    lookup.write(page, members.ratios, found)?;
    let ratio = found.zip(members.ratios).map(|(level, row)| row.at(level));
    let (low, high) = end_columns(context);
    for (end, name, from) in [
        (End::Value, "ratio_values", at::LATENCY),
        (End::Low, "ratio_highs", low),
        (End::High, "ratio_lows", high),
    ] {
        let dense = cell_in_column(line, columns.dense(end));
        let looked_up = lookup.ratio(name);
        // Weights that are as sparse as the level already gain nothing.
        let changed = match members.sparse.is_empty() {
            true => format!("{dense}/({looked_up})"),
            false => {
                let place = columns.done(end, number);
                let formula = format!(
                    "=IF({heading}=\"\",0,SUMIFS({},{},{},{},\">=\"&{heading}))",
                    all(context, from),
                    all(context, at::GROUP),
                    cell_in_column(line, columns.group()),
                    all(context, at::SPARSE_RATIO),
                );
                let value = found.map_or(0.0, |level| done(members, level, end));
                page.formula((line, place), formula, value, &numbers.helper)?;
                let done = cell(line, place);
                format!("{done}+({dense}-{done})/({looked_up})")
            }
        };
        let formula = format!("IF(OR({setting}=0,{heading}<=0),{dense},{changed})");
        let value = found.map(|level| group_value(members, ratio, level, end));
        let place = columns.at(end, number);
        let formula = at_level(columns.level(number), &formula);
        page.formula((line, place), formula, blank_or(value), &numbers.milliseconds)?;
    }
    Ok(())
}

/// Latency of the operators of a group that are as sparse as a level.
fn done(members: &Members, level: f64, end: End) -> f64 {
    let done = members.sparse.iter().filter(|(sparse_ratio, _)| *sparse_ratio >= level);
    done.map(|(_, dense)| end.of(*dense)).sum()
}

/// Latency of a group at a level.
fn group_value(members: &Members, ratio: Option<Estimate>, level: f64, end: End) -> f64 {
    let all = end.of(members.dense);
    let Some(ratio) = ratio.filter(|_| level > 0.0) else { return all };
    let done = done(members, level, end);
    let by = match end {
        End::Value => ratio.value,
        End::Low => ratio.high,
        End::High => ratio.low,
    };
    done + (all - done) / by
}
