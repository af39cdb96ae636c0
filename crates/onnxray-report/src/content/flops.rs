//! The FLOPS profile: the tables of a recording without a measurement, and the plan of a budget by
//! what layers cost in theory.

use super::projection::flops_plan;
use super::recording::costs::alive;
use super::recording::summary::{KERNELS, OPERATORS};
use super::recording::{model, operators, types};
use super::report::{Arrangement, Report, TableSheet, Workbook};
use super::selection::{Level, Order, Selection};
use crate::document::{Block, Cell, Chart, ChartKind, Document, Page, Series, View, view};
use onnxray_analyzer::projection::Plan;
use onnxray_analyzer::statistics::{Summary, TypeSummary};
use onnxray_analyzer::workbook_words::title;

const VIEWS: &[View] = &[
    view("operator-types", "By type"),
    view("model", "Model"),
    view("operators", "Operators"),
    view("tensors", "Tensors"),
    view("plan", "Plan"),
    view("planned-layers", "Planned layers"),
];

const ARRANGEMENT: Arrangement = Arrangement {
    title: title::FLOPS,
    sheets: &[
        TableSheet {
            filter: false,
            bars: &["flops"],
            in_front: true,
            ..TableSheet::new("operator_types", "By type")
        },
        TableSheet {
            frozen: 2,
            fold: true,
            totals: &["flops", "bytes"],
            bars: &["flops"],
            ..TableSheet::new("operators", "Operators")
        },
        TableSheet { bars: &["share"], ..TableSheet::new("tensors", "Tensors") },
        TableSheet::on_summary("plan"),
        TableSheet {
            frozen: 2,
            bars: &["level"],
            ..TableSheet::new("planned_layers", "Planned layers")
        },
    ],
};

/// Operators and layers where no script shows all of them.
const NOSCRIPT_ROWS: usize = 50;

/// The FLOPS profile of a model that was not run.
fn flops_report(profile: &Summary, selection: &Selection) -> Document {
    // Nothing was measured that could be sorted by time.
    let order = if selection.order == Order::Time { Order::Flops } else { selection.order };
    let selection = Selection { order, ..selection.clone() };
    let mut document = Document::new("flops");
    for level in &selection.levels {
        match level {
            Level::Model => document.push(model::unmeasured_figures(profile)),
            Level::Type => {
                document.push(types::types(profile.types.clone(), &selection, Vec::new()));
            }
            Level::Operator => {
                document.push(operators::unmeasured(OPERATORS, &profile.operators, &selection));
            }
            Level::Kernel => {
                document.push(operators::unmeasured(KERNELS, profile.kernels(), &selection));
            }
            Level::Resource => document.extend(alive::table(profile, &selection)),
            Level::Launch | Level::Iteration | Level::Provider => {}
        }
    }
    document
}

/// The FLOPS profile of a model, and the plan of a budget by it.
#[derive(Clone, Copy)]
pub struct FlopsReport<'a> {
    /// A summary without a measurement.
    pub profile: &'a Summary,
    /// The budget spread over its layers.
    pub plan: &'a Plan,
    /// Whether the plan is printed as well; the page and the workbook have it always.
    pub prints_plan: bool,
}

impl FlopsReport<'_> {
    /// Everything of the profile, and the plan.
    fn whole(&self, most: Option<usize>) -> Document {
        let FlopsReport { profile, plan, .. } = *self;
        // Of a choice, those with most operations; all are in the model's order.
        let order = if most.is_some() { Order::Flops } else { Order::Execution };
        let of = |levels: &[Level], order| Selection {
            levels: levels.to_vec(),
            order,
            rows: most,
            ..Selection::default()
        };
        // Where most operations are is what is looked for among types.
        let types = of(&[Level::Model, Level::Type], Order::Flops);
        let mut document = flops_report(profile, &types);
        document.extend(flops_report(profile, &of(&[Level::Operator], order)).blocks);
        document.extend(alive::table(profile, &of(&[], order)));
        document.extend(flops_plan(profile, plan, most));
        document.headline = headline(profile);
        for block in &mut document.blocks {
            // The model alone does not tell what only a run has.
            if let Block::Figures(figures) = block {
                figures.figures.retain(|figure| figure.value != Cell::Unknown);
            }
        }
        document
    }
}

impl Report for FlopsReport<'_> {
    type Selection = Selection;

    fn document(&self, selection: &Selection) -> Document {
        let mut document = flops_report(self.profile, selection);
        if self.prints_plan {
            document.extend(flops_plan(self.profile, self.plan, selection.rows));
        }
        document
    }

    fn page(&self) -> Page {
        let title = self.profile.run.model.clone();
        Page::new(title, VIEWS, self.whole(None), self.whole(Some(NOSCRIPT_ROWS)))
    }

    /// Begins with where the operations are.
    fn workbook(&self) -> Workbook<'_> {
        let mut document = self.whole(None);
        document.push(Chart {
            title: "FLOPs per iteration by layer type".to_string(),
            kind: ChartKind::Bars,
            table: types::KEY,
            categories: types::TYPE,
            series: vec![Series::of("flops")],
            shows: "operations of every operator type, from most to least",
        });
        Workbook::arranged(document, &ARRANGEMENT)
    }
}

/// Operations of an iteration, and the type with most of them; unknown figures are left out.
fn headline(profile: &Summary) -> Vec<String> {
    let all = profile.model.flops.whole();
    let all = all.map(|flops| format!("An iteration has {:.1} million FLOPs.", flops / 1e6));
    let share = |of_type: &TypeSummary| of_type.flops_share.map_or(0.0, |share| share.0);
    let largest = profile.types.iter().max_by(|a, b| share(a).total_cmp(&share(b)));
    let largest = largest.filter(|largest| share(largest) > 0.0).map(|largest| {
        format!("{} has {:.1} % of the FLOPs.", largest.operator_type, share(largest) * 100.0)
    });
    all.into_iter().chain(largest).collect()
}
