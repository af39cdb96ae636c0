//! Size of the batch, as far as it is known.

use crate::error::RecordError;
use crate::model::graph::{AxisRole, Graph, InputDimension};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IsBatch {
    Yes,
    /// The first one of an input, without a name, and nothing tells what it is.
    Perhaps,
    No,
}

/// Evidence on the size of the batch.
#[derive(Default)]
pub(in crate::model) struct Batch {
    /// Sizes of free dimensions, of fixed ones that nodes take for the batch, and of fixed rows.
    free: Vec<u64>,
    fixed: Vec<u64>,
    rows: Vec<u64>,
    /// Size of a dimension that is the batch only if the user says so.
    asked: Option<u64>,
}

impl Batch {
    pub(in crate::model) fn note_fixed(&mut self, role: AxisRole, size: u64) {
        match role {
            AxisRole::Batch => self.fixed.push(size),
            AxisRole::Rows => self.rows.push(size),
            AxisRole::Unknown | AxisRole::Other => {}
        }
    }

    pub(in crate::model) fn note_free(&mut self, is_batch: IsBatch, size: u64, is_asked: bool) {
        match is_batch {
            IsBatch::Yes => self.free.push(size),
            IsBatch::Perhaps if is_asked => self.asked = Some(size),
            IsBatch::Perhaps | IsBatch::No => {}
        }
    }

    /// Its size, if all that is known agrees; `asked` is what the user says.
    ///
    /// # Errors
    ///
    /// If the model has another batch, or none.
    pub(in crate::model) fn size(
        self,
        graph: &Graph,
        asked: Option<u64>,
    ) -> Result<Option<u64>, RecordError> {
        let Batch { free, fixed, mut rows, asked: of_user } = self;
        rows.extend(graph.adds_batch.then_some(1));
        // What nodes take for the batch outranks rows, which may be tokens; a free dimension has
        // the size that it was given.
        let known = match (free.first(), fixed.is_empty()) {
            (Some(&first), _) => Some(first),
            (None, true) => of_user.or_else(|| agreed(&rows)),
            (None, false) => agreed(&fixed),
        };
        // Only if the user names a size: a first dimension that inputs share is not proof of a
        // batch.
        match (asked, known.or_else(|| common_first(graph).filter(|_| asked.is_some()))) {
            (Some(asked), Some(size)) if size != asked => {
                Err(RecordError::FixedBatch { fixed: size, asked })
            }
            (Some(asked), None) => Err(RecordError::NoBatch { asked }),
            (_, size) => Ok(size),
        }
    }
}

/// The size that all have in common, if there is one.
fn agreed(sizes: &[u64]) -> Option<u64> {
    let first = *sizes.first()?;
    sizes.iter().all(|&size| size == first).then_some(first)
}

/// The first dimension that all inputs have in common, all of it fixed: what a
/// model exported for one batch size has.
fn common_first(graph: &Graph) -> Option<u64> {
    let mut firsts =
        graph.inputs.iter().map(|input| match input.dimensions.iter().flatten().next() {
            Some(InputDimension::Fixed(size)) => Some(*size),
            _ => None,
        });
    let first = firsts.next()??;
    firsts.all(|other| other == Some(first)).then_some(first)
}
