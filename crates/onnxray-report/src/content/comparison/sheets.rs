//! The tables of a version in the workbook.

use super::rows::Pair;
use super::{causes, end_to_end, layers, parts, patterns};
use crate::document::Table;

/// The figures of the whole, configuration differences, what the time is made of, types,
/// layers, causes, details and layers by pattern, which has no rows where nothing repeats.
pub(crate) fn comparison_tables(pair: Pair) -> [Table; 8] {
    [
        end_to_end::inference_sheet(pair),
        end_to_end::configuration_sheet(pair),
        parts::conservation_sheet(pair),
        parts::types_sheet(pair),
        layers::layers_sheet(pair),
        causes::causes_sheet(pair),
        layers::details_sheet(pair),
        patterns::patterns_sheet(pair),
    ]
}
