//! A report that people look at in a browser.

use super::{Document, Notes};
use serde::Serialize;

/// A report as a page: what it says, in which views it is looked at, and what stands in their
/// place where scripts do not run.
#[derive(Clone, Debug)]
pub struct Page {
    /// What it is about, such as the name of a model; it may hold anything.
    pub title: String,
    /// What was measured, a line for each recording; none of what was not.
    pub measured: Vec<Measured>,
    /// In the order of their tabs; the first one is seen first.
    pub views: &'static [View],
    /// Everything that the views show, with all rows.
    pub report: Document,
    /// The part of it that needs no script.
    pub noscript: Document,
    /// Keys of tables of which the first view needs no cell. Where one is long, they are read when
    /// another view is opened, and timelines, graphs and histograms with them.
    pub later: &'static [&'static str],
}

impl Page {
    /// A page whose part without scripts has every note of the report.
    pub(crate) fn new(
        title: String,
        views: &'static [View],
        report: Document,
        mut noscript: Document,
    ) -> Page {
        // It has fewer views, and so may have fewer notes.
        noscript.take_notes();
        let notes: Vec<_> = report.notes().cloned().collect();
        noscript.extend((!notes.is_empty()).then_some(Notes { notes }));
        Page { title, measured: Vec::new(), views, report, noscript, later: &[] }
    }

    /// Sets what was measured; recordings about which nothing is known are left out.
    pub(crate) fn of(self, mut measured: Vec<Measured>) -> Page {
        measured.retain(|one| !one.parts.is_empty());
        Page { measured, ..self }
    }

    /// Lets cells of these tables be read after the first view, which needs none of them.
    pub(crate) fn reading_later(self, later: &'static [&'static str]) -> Page {
        Page { later, ..self }
    }
}

/// What was measured of a recording: model, engine, threads, processor, iterations.
#[derive(Clone, Debug, Serialize)]
pub struct Measured {
    /// Which of several recordings it is; empty where there is only one.
    pub side: String,
    /// Short texts, from left to right.
    pub parts: Vec<String>,
}

/// A way to look at a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    /// Identifier, by which a link leads to it.
    pub key: &'static str,
    /// What its tab is called.
    pub title: &'static str,
}

/// Declares a view.
pub(crate) const fn view(key: &'static str, title: &'static str) -> View {
    View { key, title }
}
