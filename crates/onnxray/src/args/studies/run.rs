//! Arguments that several studies share.

use crate::args::choice::choice;
use crate::args::heading;
use crate::args::numbers::duration;
use clap::Args;
use onnxray_recorder::study::sensitivity::MeasureChoice;
use std::time::Duration;

/// How long a study measures, and whether it begins anew.
#[derive(Args)]
pub(crate) struct RunArguments {
    /// Time limit: start no launch later than 90s, 10m, 1h
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = duration,
          help_heading = heading::MEASURING)]
    pub time_limit: Duration,

    /// Replace what was measured in the folder
    #[arg(long, help_heading = heading::MEASURING, hide_short_help = true)]
    pub restart: bool,
}

/// A loss of outputs, in a measure of its own.
pub(in crate::args) fn loss(text: &str) -> Result<f64, String> {
    match text.parse() {
        // `parse` takes `nan` and `inf`, too.
        Ok(loss) if f64::is_finite(loss) && loss >= 0.0 => Ok(loss),
        _ => Err("expected a number from 0 on, such as 0.001".to_string()),
    }
}

/// How outputs are compared with the base's.
#[derive(Args)]
pub(crate) struct MeasureArguments {
    /// How to compare outputs; auto is the KL divergence for classes, and the relative L2 norm
    /// otherwise
    #[arg(long, help_heading = heading::COMPARING, default_value = "auto", value_parser = choice([
        ("auto".into(), MeasureChoice::Auto),
        ("kl".into(), MeasureChoice::Kl),
        ("l2".into(), MeasureChoice::L2),
    ]), hide_short_help = true)]
    pub measure: MeasureChoice,
}
