//! The sheet *Notes*: what the projection rests on, what was passed over, and
//! what every figure means.

use crate::content::projection::{Model, Shown, projection_notes};
use crate::document::Heading;
use crate::xlsx::notes::{self, Texts};
use crate::xlsx::sheet::{SheetWriter, UNKNOWN, UNKNOWN_MEANS, Written};
use onnxray_analyzer::projection::{Outcome, Plan};

pub(super) fn write(writer: &mut SheetWriter, model: &Model, plan: &Plan) -> Written {
    let mut texts = Texts::default();
    let all = Shown { levels_table: true, plan: true };
    for note in projection_notes(model.summary, model.projection, plan, all) {
        texts.said.push((note.kind.text().to_string(), note.text));
    }
    let rows = &mut texts.defined;
    rows.push((UNKNOWN.to_string(), UNKNOWN_MEANS.to_string()));
    for outcome in Outcome::ALL {
        rows.push((format!("projection: {outcome}"), outcome.meaning().to_string()));
    }
    for key in ["operators", "types", "plan"] {
        let (table, layout) = writer.places.get(key)?;
        // Columns that only serve formulas have none.
        let headings = table.columns.iter().map(|column| &column.heading);
        let explained = headings.filter(|heading| !heading.meaning.is_empty());
        let name = |heading: &Heading| format!("{}: {}", layout.sheet(), heading.heading);
        rows.extend(explained.map(|heading| (name(heading), heading.meaning.to_string())));
    }
    writer.header(0, 0, &[])?;
    notes::write(writer, &texts, [52.0, 110.0])
}
