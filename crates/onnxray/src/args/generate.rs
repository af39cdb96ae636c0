//! The arguments of `onnxray record` about decoders that generate.

use super::heading;
use super::numbers::whole;
use clap::Args;
use onnxray_recorder::GenerationOptions;

#[derive(Args)]
pub(crate) struct GenerateArguments {
    /// Record a decoder with a KV cache: one iteration for the prompt, then one for each of TOKENS
    #[arg(long, value_name = "TOKENS", help_heading = heading::DECODERS, conflicts_with = "inputs",
          value_parser = whole::<u32>(1..=1_000_000))]
    generate: Option<u32>,

    /// Tokens of the prompt
    #[arg(long, value_name = "TOKENS", help_heading = heading::DECODERS, default_value_t = 32,
          requires = "generate",
          value_parser = whole::<u32>(1..=1_000_000), hide_short_help = true)]
    prompt: u32,

    /// Feed an output back as an input of the next step; usual names, such as present.0.key and
    /// past_key_values.0.key, are recognized
    #[arg(long = "feed", value_name = "OUTPUT=INPUT", help_heading = heading::DECODERS, requires = "generate",
          value_parser = feed, hide_short_help = true)]
    feeds: Vec<(String, String)>,
}

impl GenerateArguments {
    /// What is to be generated, if anything is.
    pub(crate) fn options(&self) -> Option<GenerationOptions> {
        let tokens = self.generate?;
        Some(GenerationOptions { prompt: self.prompt, tokens, feeds: self.feeds.clone() })
    }
}

fn feed(text: &str) -> Result<(String, String), String> {
    let (output, input) =
        text.split_once('=').ok_or("expected OUTPUT=INPUT, such as present_0=past_0")?;
    Ok((output.to_string(), input.to_string()))
}
