//! What the JSON of a report looks like, as JSON Schema.

use super::tables::all_reports;
use crate::document::{SCHEMA_VERSION, Unit};
use serde_json::{Map, Value, json};

/// Commands with `--format json`.
pub fn commands_with_json() -> impl Iterator<Item = &'static str> {
    all_reports().map(|reports| reports.command)
}

/// The schema (draft 2020-12) of what a command prints with `--format json`; `None` if it prints
/// none.
pub fn json_schema(command: &str) -> Option<Value> {
    let reports = all_reports().find(|reports| reports.command == command)?;
    let tables = (reports.tables)();
    let mut members: Map<String, Value> = Map::new();
    for column in tables.iter().flat_map(|table| &table.columns) {
        let kind = match column.unit {
            Unit::Text => "string",
            _ => "number",
        };
        let member = json!({
            "title": column.heading,
            "description": column.meaning,
            "type": [kind, "null"]
        });
        match members.get_mut(column.key) {
            None => {
                members.insert(column.key.to_string(), member);
            }
            // The same key in another table, where it is of another kind.
            Some(known) if known["type"] != member["type"] => {
                known["type"] = json!(["string", "number", "null"]);
            }
            Some(_) => {}
        }
    }
    let columns = json!({ "type": "object", "description": "an array per column" });
    Some(json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("onnxray {command} --format json"),
        "type": "object",
        "required": ["schema_version", "report"],
        "properties": {
            "schema_version": { "const": SCHEMA_VERSION },
            "report": { "enum": reports.names },
            "headline": { "type": "array", "items": { "type": "string" } },
            "verdict": { "type": "string", "description": "the answer in a word" },
            "passed": { "type": ["boolean", "null"], "description":
                "whether it is what was asked for; null if nothing was, or if no word says so" },
            "notes": { "type": "array", "items": {
                "type": "object",
                "required": ["kind", "text"],
                "properties": {
                    "kind": { "enum": ["note", "warning"] },
                    "text": { "type": "string" }
                }
            } },
            "timeline": columns,
            "latency_histograms": columns,
            "graph": columns
        },
        "additionalProperties": {
            "description": "figures, or the rows of a table",
            "anyOf": [
                { "$ref": "#/$defs/members" },
                { "type": "array", "items": { "$ref": "#/$defs/members" } }
            ]
        },
        "$defs": { "members": {
            "type": "object",
            "properties": members,
            "additionalProperties": { "type": ["string", "number", "null"] }
        } }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_with_json_has_a_schema_of_its_own() {
        for command in commands_with_json() {
            let schema = json_schema(command).expect(command);
            assert_eq!(schema["title"], format!("onnxray {command} --format json"));
            assert!(schema["$defs"]["members"]["properties"].as_object().unwrap().len() > 5);
        }
        assert!(json_schema("convert").is_none());
    }
}
