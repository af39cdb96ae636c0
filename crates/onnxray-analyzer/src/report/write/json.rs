//! JSON with all columns, in the units that their keys name.

use crate::report::table::{Cell, Report};
use crate::schema;
use serde_json::{Map, Value};
use std::io::{self, Write};

/// Writes one object: the headline, if there is one, and a member per table, each an array of objects; the model's
/// figures are one object. Unknown values are `null`; what does not apply is
/// left out.
pub fn write_json(report: &Report, mut out: impl Write) -> io::Result<()> {
    let mut object = Map::new();
    if !report.headline.is_empty() {
        let lines = report.headline.iter().map(|line| Value::from(line.as_str()));
        object.insert("headline".to_string(), Value::Array(lines.collect()));
    }
    for table in &report.tables {
        let content = if std::ptr::eq(table.schema, &schema::MODEL) {
            let facts = table.rows.iter().filter_map(|row| match &row[0] {
                Cell::Text(name) => Some((name.clone(), value(&row[1])?)),
                _ => None,
            });
            Value::Object(facts.collect())
        } else {
            let rows =
                table.rows.iter().map(|row| {
                    let members =
                        table.schema.columns.iter().zip(row).filter_map(|(column, cell)| {
                            Some((column.key.to_string(), value(cell)?))
                        });
                    Value::Object(members.collect())
                });
            Value::Array(rows.collect())
        };
        object.insert(table.schema.key.to_string(), content);
    }
    serde_json::to_writer_pretty(&mut out, &Value::Object(object))?;
    writeln!(out)
}

fn value(cell: &Cell) -> Option<Value> {
    match cell {
        Cell::Text(text) => Some(Value::from(text.as_str())),
        Cell::Number(number) => Some(Value::from(*number)),
        Cell::Whole(number) => Some(Value::from(*number)),
        Cell::Unknown => Some(Value::Null),
        Cell::None => None,
    }
}
