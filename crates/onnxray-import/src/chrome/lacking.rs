//! Counts the operators whose events lack what those of others have.

use super::event::Argument;
use super::label::Label;
use super::trace::EventTrace;
use crate::presence::Presence;
use onnxray_format::Position;

impl EventTrace {
    /// Counts the labels that lack one of the `members`, of which each is told with its key,
    /// though others of their kind have it. `kind` is `None` for labels of which nothing is
    /// expected.
    pub fn count_lacking(
        &mut self,
        members: &[(Argument, &'static str)],
        kind: impl Fn(&Label) -> Option<String>,
    ) {
        let mut presence = Presence::new();
        for (label, first) in self.labels.iter().zip(&self.first) {
            let Some(kind) = kind(label) else { continue };
            let Position { line, byte } = first.position;
            let has = members.iter().map(|&(member, key)| (key, first.members.has(member)));
            presence.see(&kind, &label.name(), (byte, line), has);
        }
        presence.count(&mut self.damage, |(byte, line)| Position { line, byte });
    }
}
