//! The sheet *Notes*: what a careful reader should know of the comparison, and
//! what every figure means.

use super::version::Version;
use crate::content::comparison::VERSION;
use crate::xlsx::notes::{self, Texts};
use crate::xlsx::sheet::{SheetWriter, UNKNOWN, UNKNOWN_MEANS, Written};

/// Tables of the report, in the order of the sheets.
const TABLES: [&str; 8] = [
    "inference",
    "configuration_differences",
    "conservation",
    "compared_types",
    "patterns",
    "layers",
    "causes",
    "details",
];

/// Words and columns that only the sheets have.
const MORE: [(&str, &str); 6] = [
    (
        "By type: Include in chart",
        "no takes the type's bars out of the chart; times and shares stay as they are",
    ),
    ("By type: bar", "what the chart shows: times, or shares if these are chosen above"),
    ("By type: layers", "A and B are followed by the number of layers per element type"),
    ("Total of the rows shown", "follows the filters in the header"),
    ("not executed", "the side has nothing that does this, which takes it no time"),
    (UNKNOWN, UNKNOWN_MEANS),
];

pub(super) fn write(writer: &mut SheetWriter, version: &Version) -> Written {
    writer.header(0, 0, &[])?;
    notes::write(writer, &texts(version), [44.0, 110.0])
}

/// Kinds and texts.
fn texts(version: &Version) -> Texts {
    let [a, b] = version.labels();
    let mut said = vec![("baseline".to_string(), a), ("version".to_string(), b)];
    // Notes are written for one version, which they call B.
    if version.several {
        let text = "B in the following notes is this version";
        said.push(("version".to_string(), text.to_string()));
    }
    let notes = version.document.notes();
    said.extend(notes.map(|note| (note.kind.text().to_string(), note.text.clone())));
    let mut defined = Vec::new();
    for table in TABLES.iter().filter_map(|key| version.document.table(key)) {
        let headings = table.columns.iter().map(|column| &column.heading);
        // A sheet is of one version, and has no column that names it.
        defined.extend(headings.filter(|heading| heading.key != VERSION).map(|heading| {
            let name = format!("{}: {}", table.title, version.pair.named(&heading.heading));
            (name, heading.meaning.to_string())
        }));
    }
    defined.extend(MORE.map(|(name, meaning)| (name.to_string(), meaning.to_string())));
    Texts { said, defined }
}
