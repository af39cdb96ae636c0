//! The CSV: three tables under each other, of which the operators' is read.
//!
//! The first holds ratios that its user sets, the last sums. Both may be
//! missing.

use super::row::{self, Row, row};
use super::weight::{Writer, weight};
use crate::damage::{Damage, DamageKind, MOST_RECORDS};
use crate::formats::together::{Document, number_and_name};
use crate::source::Source;
use crate::text::csv_lines::{Line, lines};
use crate::{Average, ImportError, Launch};
use onnxray_format::layout::{CSV_FOLDER, TRACE_FOLDER};
use onnxray_format::{Nanoseconds, Operator, Run, Warning};
use onnxray_text::shown;
use std::path::Path;

pub(crate) struct Profile {
    pub(crate) launch: Launch,
    pub(crate) writer: Writer,
    pub(crate) rows: Vec<Row>,
}

pub(crate) fn read(source: Source) -> Result<Profile, ImportError> {
    let mut document = Document::read(source)?;
    let text = String::from_utf8_lossy(&document.bytes);
    let Some((separator, header)) = header(&text) else {
        return Err(document.unexpected(0, "a table of operators (\"operator type\")"));
    };
    let mut lines = lines(&text, separator);
    let heading = lines.iter().find(|line| line.position.byte >= header);
    if let Some(heading) = heading
        && heading.fields.iter().skip(row::COLUMNS).any(|field| !field.is_empty())
    {
        let position = Some(heading.position);
        document.damage.add(
            DamageKind::Unreadable,
            position,
            "a heading with more fields than columns",
        );
    }
    lines.retain(|line| line.position.byte > header);
    let end = lines.iter().position(is_total).unwrap_or(lines.len());
    let damage = &mut document.damage;
    let rows = rows(&lines[..end], damage);
    // Sums stand in columns further right.
    let is_row = |line: &&Line| line.fields.first().is_some_and(|field| !field.is_empty());
    for line in lines.iter().skip(end + 1).filter(is_row) {
        damage.add(DamageKind::Unreadable, Some(line.position), "it follows the totals");
    }
    if end == lines.len() && damage.count(DamageKind::EndsEarly) == 0 {
        let reason = "the totals after the operators are missing";
        damage.add_at(DamageKind::EndsEarly, text.as_bytes(), text.len(), reason);
    }
    let (file, damage) = (document.file.clone(), &document.damage);
    let writer = writer(&rows);
    let mut warnings = damage.warnings(&file, "lines");
    warnings.extend(caveats(&rows, writer, lines.get(end), &file));
    Ok(Profile { launch: launch(&rows, writer, &file, warnings), writer, rows })
}

/// The separator and the position of the operators' header.
fn header(text: &str) -> Option<(char, u64)> {
    const FIRST: &str = "operator type";
    let offset = text.match_indices(FIRST).map(|(offset, _)| offset).find(|&offset| {
        let before = text[..offset].trim_end_matches([' ', '"']);
        before.is_empty() || before.ends_with('\n')
    })?;
    let behind = text[offset + FIRST.len()..].trim_start_matches(['"', ' ']);
    let separator = behind.chars().next().filter(|c| matches!(c, ',' | ';' | '\t'))?;
    Some((separator, offset as u64))
}

fn is_total(line: &Line) -> bool {
    line.fields.first().is_some_and(String::is_empty)
        && line.fields.iter().any(|field| field.starts_with("total latency"))
}

fn rows(lines: &[Line], damage: &mut Damage) -> Vec<Row> {
    let mut rows = Vec::new();
    for line in lines.iter().filter(|line| !line.fields.iter().all(String::is_empty)) {
        let position = Some(line.position);
        match row(&line.fields) {
            Some(row) if line.ended || row.whole => {
                if rows.len() >= MOST_RECORDS {
                    damage.add(DamageKind::TooMany, position, "");
                    continue;
                }
                if let Some(reason) = row.unreadable {
                    damage.add(DamageKind::Member, position, reason);
                }
                if row.slid {
                    damage.add(
                        DamageKind::Repaired,
                        position,
                        "its fields are not in their columns",
                    );
                }
                rows.push(row);
            }
            _ if !line.ended => {
                damage.add(DamageKind::EndsEarly, position, "the last line is cut");
            }
            _ => damage.add(DamageKind::Unreadable, position, "no types of tensors to go by"),
        }
    }
    rows
}

/// onnxray says where sparse kernels do not apply, and has finer latencies.
fn writer(rows: &[Row]) -> Writer {
    let ours = |row: &Row| {
        let decimals = row.latency.rsplit_once(['.', ',']).map_or(0, |(_, d)| d.trim().len());
        row.sparse_support == Some(false) || decimals == 6
    };
    if rows.iter().any(ours) { Writer::Onnxray } else { Writer::NeuralEngine }
}

fn launch(rows: &[Row], writer: Writer, file: &Path, warnings: Vec<Warning>) -> Launch {
    let mut operators: Vec<Operator> =
        rows.iter().enumerate().map(|(number, row)| operator(row, number as u32, writer)).collect();
    number_and_name(&mut operators);
    let averages = rows.iter().zip(0..).filter_map(|(row, operator)| {
        let latency = row::number(&row.latency).filter(|&latency| latency >= 0.0)?;
        // The Neural Engine runs each operator once per iteration.
        let executions = (writer == Writer::NeuralEngine).then_some(1.0);
        Some(Average { operator, mean_ns: Some(latency * 1e6), executions, ..Average::default() })
    });
    let run = match writer {
        Writer::NeuralEngine => engine(),
        Writer::Onnxray => Run { producer: "onnxray".to_string(), ..Run::default() },
    };
    Launch {
        files: vec![file.to_path_buf()],
        run,
        averages: averages.collect(),
        operators,
        warnings,
        ..Launch::default()
    }
}

/// What is known of every run of the engine.
pub(crate) fn engine() -> Run {
    Run {
        engine: "Neural Engine".to_string(),
        producer: "Neural Engine".to_string(),
        clock_resolution: Some(Nanoseconds(1000)),
        iterations_are_sums: true,
        ..Run::default()
    }
}

fn operator(row: &Row, number: u32, writer: Writer) -> Operator {
    let post_ops = row.post_op.split(',').map(str::trim).filter(|post_op| !post_op.is_empty());
    let nodes = match writer {
        Writer::NeuralEngine => vec![row.name.clone()],
        // Ours have a name of their own where a node became several.
        Writer::Onnxray => vec![row.name.split('#').next().unwrap_or_default().to_string()],
    };
    Operator {
        number,
        name: row.name.clone(),
        operator_type: row.kind.clone(),
        nodes,
        post_ops: post_ops.map(str::to_string).collect(),
        inputs: row.inputs.clone(),
        outputs: row.outputs.clone(),
        weight: weight(row, writer, None),
        sparse_support: row.sparse_support == Some(true),
        ..Operator::default()
    }
}

/// The folder of the recording that a CSV of ours belongs to, if it lies there.
fn recording_of(csv: &Path) -> Option<String> {
    let folder = csv.parent().filter(|folder| folder.ends_with(CSV_FOLDER))?.parent()?;
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    folder.join(TRACE_FOLDER).is_dir().then(|| shown(folder))
}

fn caveats(rows: &[Row], writer: Writer, total: Option<&Line>, file: &Path) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let mut warn = |message: String, loss: bool| {
        warnings.push(Warning { file: file.to_path_buf(), position: None, message, loss });
    };
    let latency = |row: &Row| row::number(&row.latency).filter(|&latency| latency >= 0.0);
    if writer == Writer::NeuralEngine {
        warn(
            "latencies may be those of the last iteration: engines since April 2023 write it in \
             place of the mean"
                .to_string(),
            false,
        );
    }
    if writer == Writer::Onnxray {
        let mut message = format!("this CSV has the mean times of {} kernels only", rows.len());
        if let Some(folder) = recording_of(file) {
            message +=
                &format!("; the recording has operators and iterations: read {folder} instead");
        }
        warn(message, false);
    }
    let sum: f64 = rows.iter().filter_map(latency).sum();
    let total = total.and_then(|line| {
        let label = line.fields.iter().position(|field| field.starts_with("total latency"))?;
        row::number(line.fields.get(label + 1)?)
    });
    // Each latency is rounded to the microsecond.
    if let Some(total) = total.filter(|t| (t - sum).abs() > 0.001 * (rows.len() + 1) as f64) {
        warn(
            format!("the latencies add up to {sum:.3} ms, but the file's total is {total:.3} ms"),
            false,
        );
    }
    warnings
}
