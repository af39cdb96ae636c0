//! Text that a decoder generates: a prompt at once, and then token by token, with a cache that
//! grows.

use serde::{Deserialize, Serialize};

/// The generation that iterations of a recording are steps of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Generation {
    /// Tokens of the prompt, which one iteration takes.
    pub prompt: u32,
    /// Tokens generated after the prompt, an iteration each.
    pub tokens: u32,
    /// The outputs that become inputs of the next iteration.
    pub feeds: Vec<Feed>,
}

/// An output that becomes an input of the next iteration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Feed {
    /// Name of the output.
    pub output: String,
    /// Name of the input.
    pub input: String,
}

/// A step of a generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Prompt or token.
    pub phase: Phase,
    /// Tokens that go in, of each item of the batch.
    pub tokens: u32,
    /// Tokens that are in the cache before.
    pub cached: u32,
}

/// Phase of a generation. The two differ like two models: one multiplies matrices, the other one
/// reads weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Takes the prompt.
    Prefill,
    /// Takes the token that came last.
    Decode,
}

impl Phase {
    /// Both, in their order.
    pub const ALL: [Phase; 2] = [Phase::Prefill, Phase::Decode];

    /// Its name in recordings and tables.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Prefill => "prefill",
            Phase::Decode => "decode",
        }
    }

    /// The phase with this name.
    pub fn of_name(name: &str) -> Option<Phase> {
        Phase::ALL.into_iter().find(|phase| phase.name() == name)
    }
}

impl Generation {
    /// Iterations of a phase in one generation.
    pub fn iterations(&self, phase: Phase) -> u32 {
        match phase {
            Phase::Prefill => 1,
            Phase::Decode => self.tokens,
        }
    }

    /// Text for people: `prompt of 16 tokens, 64 generated`.
    pub fn text(&self) -> String {
        let prompt = onnxray_text::counted(u64::from(self.prompt), "token", "tokens");
        format!("prompt of {prompt}, {} generated", self.tokens)
    }
}
