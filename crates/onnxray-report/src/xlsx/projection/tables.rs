//! The tables of the workbook, and where they lie.

use crate::content::projection::{
    Model, group_levels, model_levels, operators_sheet, plan_figures, plan_sheet, ratios_sheet,
    totals_sheet, type_levels, types_rest, types_sheet,
};
use crate::document::SheetTable;
use crate::xlsx::places::Places;
use onnxray_analyzer::projection::Plan;
use onnxray_analyzer::workbook::sheet;

/// The tables of the workbook.
pub(super) struct Tables<'a> {
    pub(super) model: &'a Model<'a>,
    pub(super) planned: &'a Plan,
    pub(super) ratios: SheetTable<'a>,
    pub(super) operators: SheetTable<'a>,
    pub(super) totals: SheetTable<'a>,
    pub(super) types: SheetTable<'a>,
    pub(super) types_rest: SheetTable<'a>,
    /// The sheet of levels: the model, its operator types, its groups.
    pub(super) levels: [SheetTable<'a>; 3],
    pub(super) plan_figures: SheetTable<'a>,
    pub(super) plan: SheetTable<'a>,
}

impl<'a> Tables<'a> {
    pub(super) fn new(model: &'a Model, planned: &'a Plan) -> Tables<'a> {
        Tables {
            model,
            planned,
            ratios: ratios_sheet(model),
            operators: operators_sheet(model),
            totals: totals_sheet(model),
            types: types_sheet(model),
            types_rest: types_rest(model),
            levels: [model_levels(model), type_levels(model), group_levels(model)],
            plan_figures: plan_figures(planned),
            plan: plan_sheet(model, planned),
        }
    }

    /// Where they lie.
    pub(super) fn places(&self) -> Places {
        let mut places = Places::default();
        places.put(&self.ratios, sheet::RATIOS, (5, 0));
        // Below the headings of the whole model.
        places.put(&self.operators, sheet::OPERATORS, (1, 0));
        places.put(&self.totals, sheet::TOTALS, (2, 0));
        let below = places.put(&self.types, sheet::TYPES, (2, 0)).last_row();
        places.put(&self.types_rest, sheet::TYPES, (below, 0));
        let mut row = 2;
        for table in &self.levels {
            row = places.put(table, sheet::LEVELS, (row, 0)).last_row() + 2;
        }
        // To the right of the bounds, so that the layers begin higher up.
        places.put(&self.plan_figures, sheet::PLAN, (0, 3));
        places.put(&self.plan, sheet::PLAN, (10, 0));
        places
    }
}
