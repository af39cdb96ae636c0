//! When something happened, for people.

use super::exposure::Disturber;
use super::settled::Settled;
use onnxray_format::Nanoseconds;

/// A stretch of a launch in which something happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Episode {
    /// Number of the launch in the recording.
    pub launch: u32,
    /// Since the first reading of the launch.
    pub from: Nanoseconds,
    /// Likewise.
    pub to: Nanoseconds,
}

/// Slices that have it, those that follow each other put together. `amounts` are those of
/// the iterations, which tell how much is much.
pub(super) fn episodes(
    disturber: Disturber,
    settled: &Settled<'_>,
    amounts: &[f64],
) -> Vec<Episode> {
    let mut all: Vec<Episode> = Vec::new();
    for (conditions, range) in &settled.launches {
        let Some(slices) = &conditions.slices else { continue };
        let Some(rates) = disturber.of_slices(slices, settled.load_of) else { continue };
        let Some(launch) = settled.of_launch(range).first().map(|first| first.launch) else {
            continue;
        };
        let count = rates.len();
        let together: Vec<f64> = rates.into_iter().chain(amounts.iter().copied()).collect();
        let affected = disturber.affected(&together);
        let spans = slices
            .spans()
            .map(|(from, to)| (from.saturating_sub(slices.start), to.saturating_sub(slices.start)));
        for ((from, to), _) in spans.zip(&affected[..count]).filter(|(_, is)| **is) {
            match all.last_mut().filter(|last| last.launch == launch && last.to == from) {
                Some(last) => last.to = to,
                None => all.push(Episode { launch, from, to }),
            }
        }
    }
    all
}

/// `0.8 to 1.6 s of launch 0, 3.0 to 4.3 s of launch 2 and 4 more times`; which launch is
/// not said of a single one.
pub(super) fn when(episodes: &[Episode], launches: usize) -> String {
    const MOST: usize = 3;
    let text = |episode: &Episode| {
        let (from, to) = (episode.from.seconds(), episode.to.seconds());
        match launches {
            1 => format!("{from:.1} to {to:.1} s"),
            _ => format!("{from:.1} to {to:.1} s of launch {}", episode.launch),
        }
    };
    let shown: Vec<String> = episodes.iter().take(MOST).map(text).collect();
    match episodes.len().saturating_sub(MOST) {
        0 => shown.join(", "),
        1 => format!("{} and once more", shown.join(", ")),
        more => format!("{} and {more} more times", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn episodes_are_named_by_time_and_launch() {
        let episode = |launch, from: u64, to: u64| Episode {
            launch,
            from: Nanoseconds(from * 100_000_000),
            to: Nanoseconds(to * 100_000_000),
        };
        let all = [episode(0, 8, 16), episode(2, 30, 43), episode(3, 0, 1), episode(4, 0, 1)];
        assert_eq!(when(&all[..1], 1), "0.8 to 1.6 s");
        assert_eq!(when(&all[..2], 5), "0.8 to 1.6 s of launch 0, 3.0 to 4.3 s of launch 2");
        assert!(when(&all, 5).ends_with("0.0 to 0.1 s of launch 3 and once more"));
    }
}
