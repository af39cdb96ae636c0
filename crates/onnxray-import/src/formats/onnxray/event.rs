//! What is kept of an event of a recording.

use super::launched::FIGURES;
use crate::chrome::{Argument, EventFormat, Fault, Label, Role, figure as number};
use crate::damage::DamageKind;
use crate::figure::Figure;
use crate::json::{Broken, Cursor};

pub(crate) mod fact {
    pub(crate) const OPERATOR: usize = 0;
    pub(crate) const ITERATION: usize = 1;
    pub(crate) const WARM_UP: usize = 2;
    pub(crate) const FACTS: usize = 3;
    pub(crate) const PHASE: usize = 4;
    pub(crate) const TOKENS: usize = 5;
    pub(crate) const CACHED: usize = 6;
    pub(crate) const COUNT: usize = 7;
}

pub(crate) struct Recording;

impl EventFormat for Recording {
    const FACTS: usize = fact::COUNT;
    const FIGURES: &'static [Figure] = &FIGURES;
    // Converted traces have those that their producers told.
    const EVEN_FIGURES: bool = false;

    #[inline]
    fn argument(key: &[u8]) -> Argument {
        match key {
            b"op" => Argument::Fact(fact::OPERATOR),
            b"iteration" => Argument::Fact(fact::ITERATION),
            b"warmup" => Argument::Fact(fact::WARM_UP),
            b"phase" => Argument::Fact(fact::PHASE),
            b"tokens" => Argument::Fact(fact::TOKENS),
            b"cached" => Argument::Fact(fact::CACHED),
            b"facts" => Argument::Fact(fact::FACTS),
            b"figures" => Argument::Nested,
            b"reshape_time" | b"forward_time" | b"attributes" => Argument::Skip,
            b"input_tensor_name" | b"input_type" | b"input_shape" => Argument::Skip,
            b"output_tensor_name" | b"output_type" | b"output_shape" => Argument::Skip,
            _ => Argument::Unknown,
        }
    }

    fn nested<'a>(
        _key: &[u8],
        cursor: &mut Cursor<'a>,
        figures: &mut [i64],
        fault: &mut Option<Fault>,
    ) -> Result<(), Broken> {
        cursor.object(|key, cursor| {
            match FIGURES.iter().position(|figure| figure.key.as_bytes() == key.raw) {
                Some(position) => figures[position] = number(cursor, fault)?,
                None => {
                    fault.get_or_insert((DamageKind::Member, "a figure that is not known"));
                    cursor.skip()?;
                }
            }
            Ok(())
        })
    }

    fn role(label: &Label) -> Role {
        if label.raw_fact(fact::OPERATOR).is_some() {
            return Role::Operator;
        }
        match label.raw_category() {
            b"iteration" | b"plain_iteration" => Role::Mark,
            b"inference" if label.raw_name() == b"model_inference" => Role::Ignored(MODEL),
            _ => Role::Ignored(FOREIGN),
        }
    }
}

const MODEL: &str = "models";
pub(crate) const FOREIGN: &str = "events of other producers";
