//! What a report is made of, before any format.

pub use super::document::Cell;
use super::document::{
    self, Document, Figure, Figures, Heading, Note, NoteKind, Notes, TableColumn, Unit,
};
use crate::schema::{self, Shown, TableSchema};

/// Tables in the order in which they are shown.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// What matters most, in a sentence or a few.
    pub headline: Vec<String>,
    pub tables: Vec<Table>,
}

/// While reports become documents.
impl From<Report> for Document {
    fn from(report: Report) -> Document {
        Document {
            name: "report",
            headline: report.headline,
            blocks: report.tables.into_iter().map(block).collect(),
        }
    }
}

fn block(table: Table) -> document::Block {
    let text = |cell: &Cell| match cell {
        Cell::Text(text) => text.clone(),
        _ => String::new(),
    };
    if std::ptr::eq(table.schema, &schema::NOTES) {
        let kind = |cell: &Cell| match text(cell).as_str() {
            "warning" => NoteKind::Warning,
            _ => NoteKind::Note,
        };
        let notes = table.rows.iter().map(|row| Note { kind: kind(&row[0]), text: text(&row[1]) });
        return Notes { notes: notes.collect() }.into();
    }
    if std::ptr::eq(table.schema, &schema::MODEL) {
        let figure = |row: &Vec<Cell>| {
            let name: &'static str = text(&row[0]).leak();
            let heading = Heading { key: name, heading: name, unit: Unit::Text, meaning: "" };
            Figure { heading, value: row[1].clone() }
        };
        let figures = table.rows.iter().map(figure).collect();
        return Figures { key: table.schema.key, title: table.schema.title, figures }.into();
    }
    let mut made = document::Table::new::<()>(
        table.schema.key,
        table.schema.title,
        &[],
        table.rows.iter().map(|_| ()),
    );
    for (index, column) in table.schema.columns.iter().enumerate() {
        let heading = Heading {
            key: column.key,
            heading: column.heading,
            unit: column.shown.into(),
            meaning: column.meaning,
        };
        let cells = table.rows.iter().map(|row| row[index].clone()).collect();
        made.columns.push(TableColumn { heading, cells, shown: table.shown.contains(&index) });
    }
    made.left_out = table.left_out;
    made.folded = table.folded;
    made.into()
}

impl From<Shown> for Unit {
    fn from(shown: Shown) -> Unit {
        match shown {
            Shown::Text => Unit::Text,
            Shown::Count => Unit::Count,
            Shown::Quantity => Unit::Quantity,
            Shown::Milliseconds => Unit::Milliseconds,
            Shown::Thousandths => Unit::Ratio,
            Shown::Percent => Unit::Share,
            Shown::Number => Unit::Number,
        }
    }
}

/// Rows under the columns of a schema, or some of them.
#[derive(Clone, Debug)]
pub struct Table {
    pub schema: &'static TableSchema,
    /// Positions in the schema of the columns that formats for people show;
    /// machine-readable ones show all.
    pub shown: Vec<usize>,
    pub rows: Vec<Vec<Cell>>,
    /// Rows left out, which the reader should know of.
    pub left_out: usize,
    /// Whether it is for those who want to know more, so that a page may fold it.
    pub folded: bool,
}

impl Table {
    /// A table that shows all columns.
    pub fn new(schema: &'static TableSchema, rows: Vec<Vec<Cell>>) -> Table {
        debug_assert!(rows.iter().all(|row| row.len() == schema.columns.len()));
        Table {
            schema,
            shown: (0..schema.columns.len()).collect(),
            rows,
            left_out: 0,
            folded: false,
        }
    }

    /// The same table, showing only the columns with these keys to people.
    pub fn showing(mut self, keys: &[&str]) -> Table {
        self.shown.retain(|&column| keys.contains(&self.schema.columns[column].key));
        self
    }

    /// The same table, for those who want to know more.
    pub fn folded(mut self) -> Table {
        self.folded = true;
        self
    }

    /// Position of the column with a key.
    pub fn column(&self, key: &str) -> Option<usize> {
        self.schema.columns.iter().position(|column| column.key == key)
    }
}
