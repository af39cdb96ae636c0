//! Writes settings as CSV, names and rows in the order in which they are.

use super::csv_line::{
    BLOCK, DATA_TYPE, HEADER, HIGH, LEVEL, LOW, NAME, ORIGIN, SETTING, SHAPE, Setting, VALUE,
    marked,
};
use crate::projection::{RatioKey, Settings};
use onnxray_text::csv_text::write_record;
use std::io;

type Line = [String; HEADER.len()];

/// All lines, with everything that settings hold.
pub(crate) fn write(settings: &Settings) -> io::Result<Vec<u8>> {
    let mut lines = vec![HEADER.map(str::to_string)];
    lines.push(line(Setting::Block, &[(BLOCK, settings.block.to_string())]));
    levels(settings, &mut lines);
    targets(settings, &mut lines);
    ratios(settings, &mut lines);
    plan(settings, &mut lines);
    let mut csv = Vec::new();
    lines.iter().try_for_each(|line| write_record(&mut csv, line))?;
    Ok(csv)
}

fn line(setting: Setting, fields: &[(usize, String)]) -> Line {
    let mut line = Line::default();
    line[SETTING] = setting.name().to_string();
    for (column, field) in fields {
        line[*column].clone_from(field);
    }
    line
}

fn name(name: &str) -> (usize, String) {
    (NAME, marked(name))
}

fn number(column: usize, number: f64) -> (usize, String) {
    (column, number.to_string())
}

fn truth(truth: bool) -> (usize, String) {
    (VALUE, if truth { "TRUE" } else { "FALSE" }.to_string())
}

fn levels(settings: &Settings, lines: &mut Vec<Line>) {
    if settings.levels.is_empty() {
        lines.push(line(Setting::Level, &[]));
    }
    lines
        .extend(settings.levels.iter().map(|level| line(Setting::Level, &[number(LEVEL, *level)])));
}

fn targets(settings: &Settings, lines: &mut Vec<Line>) {
    let targets = &settings.targets;
    lines.extend(targets.model.map(|level| line(Setting::Target, &[number(LEVEL, level)])));
    for (setting, list) in
        [(Setting::TargetType, &targets.types), (Setting::TargetOperator, &targets.operators)]
    {
        let named = list.iter().map(|(known, level)| [name(known), number(LEVEL, *level)]);
        lines.extend(named.map(|fields| line(setting, &fields)));
    }
}

fn ratios(settings: &Settings, lines: &mut Vec<Line>) {
    lines.push(line(Setting::DefaultRatios, &[truth(settings.default_ratios)]));
    for row in &settings.ratios {
        let key = key(&row.key);
        let with = |more: &[(usize, String)]| [&key, more].concat();
        lines.push(line(Setting::Others, &with(&[number(VALUE, row.others)])));
        for point in &row.points {
            let ratio = point.ratio;
            let mut fields = vec![number(LEVEL, point.level), number(VALUE, ratio.value)];
            if ratio.low != ratio.value {
                fields.push(number(LOW, ratio.low));
            }
            if ratio.high != ratio.value {
                fields.push(number(HIGH, ratio.high));
            }
            fields.push((ORIGIN, point.origin.key().to_string()));
            lines.push(line(Setting::Ratio, &with(&fields)));
        }
    }
}

fn key(key: &RatioKey) -> Vec<(usize, String)> {
    let mut fields = vec![(SHAPE, key.shape.to_string()), (BLOCK, key.block.to_string())];
    fields.extend(key.operator_type.as_deref().map(name));
    fields.extend(key.data_type.map(|data_type| (DATA_TYPE, data_type.to_string())));
    fields
}

fn plan(settings: &Settings, lines: &mut Vec<Line>) {
    let plan = &settings.plan;
    for (bound, value) in [
        ("budget", plan.budget),
        ("minimum", plan.minimum),
        ("maximum", plan.maximum),
        ("balance", plan.balance),
    ] {
        lines.push(line(Setting::Plan, &[name(bound), number(VALUE, value)]));
    }
    for (switch, value) in [("first", plan.first), ("grouped", plan.grouped)] {
        lines.push(line(Setting::Plan, &[name(switch), truth(value)]));
    }
    for (known, level) in &plan.overrides {
        lines.push(line(Setting::PlanOverride, &[name(known), number(LEVEL, *level)]));
    }
    for known in &plan.sensitivities {
        if known.points.is_empty() {
            lines.push(line(Setting::Sensitivity, &[name(&known.layer)]));
        }
        for (level, loss) in &known.points {
            let fields = [name(&known.layer), number(LEVEL, *level), number(VALUE, *loss)];
            lines.push(line(Setting::Sensitivity, &fields));
        }
    }
}
