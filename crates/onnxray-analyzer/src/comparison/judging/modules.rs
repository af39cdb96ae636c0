//! Judges modules, each as one group.

use super::change::Judge;
use super::profiling::Profiling;
use crate::comparison::{Compared, ComparedGroup, Group};
use crate::statistics::Interval;

impl Judge<'_> {
    /// Judges several groups as one, again and again, as a family of tests; `shift` is what the
    /// machine may have done.
    pub(crate) fn modules(
        &self,
        modules: &[Vec<usize>],
        groups: &[ComparedGroup],
        profiling: Option<&Profiling>,
        shift: Interval,
    ) -> Vec<Compared> {
        let own = |members: &'_ [usize]| {
            let members = members.to_vec();
            members.into_iter().filter_map(|at| groups.get(at))
        };
        let joined: Vec<Group> = modules
            .iter()
            .map(|members| Group::joined(own(members).map(|group| &group.group)))
            .collect();
        let mut drafts = self.drafts(&joined);
        for ((draft, group), members) in drafts.iter_mut().zip(&joined).zip(modules) {
            // One cost cancels only where it does in every layer.
            let is_alike = own(members).all(|group| group.types[0] == group.types[1]);
            let types = if is_alike { [""; 2] } else { ["", "another"] };
            draft.profiling = profiling.map_or(0.0, |profiling| profiling.of_group(group, types));
            draft.shift = shift;
            let cost = profiling.map_or(0.0, |profiling| profiling.most_of_group(group));
            draft.mark_below(cost);
        }
        self.family(drafts, None)
    }
}
