//! Judges what changed: intervals, tests and verdicts for the whole and for every
//! group.

use super::blocks::{OfBlocks, TestedBlock, bound};
use super::draft::{Draft, adjusted};
use super::needed::{LaunchesNeeded, needed};
use super::on_all_cores::on_all_cores;
use super::power::minimum_detectable_effect;
use super::profiling::Profiling;
use super::reason::{Doubted, Reason};
use super::stability::{self, Trend};
use super::unlike::unlike;
use crate::comparison::evidence::t_test::{CONFIDENCE, Tested, test};
use crate::comparison::evidence::{self, Band, RatioEstimate, TICKS, verdict};
use crate::comparison::pairs::paired::Paired;
use crate::comparison::patterns::{Fold, Folded, Unlike};
use crate::comparison::timing::{Measured, Timing, Whole};
use crate::comparison::units::pairing::{Basis, FEWEST_LAUNCHES, Units, units};
use crate::comparison::{Change, Compared, Group, LayerTimes, Options, Recording, Side, Verdict};
use crate::statistics::{Interval, Timeline};
use crate::units::{Milliseconds, Share};

/// Judgement of the whole, and of the groups and their folds in their order.
pub(crate) struct Judged {
    pub(crate) total: Compared,
    /// `None` if the cost of profiling is unknown.
    pub(crate) profiling: Option<Profiling>,
    pub(crate) groups: Vec<Compared>,
    pub(crate) folded: Vec<Folded>,
    /// Typical time that layers are parts of, by side; `None` where sides cannot be compared.
    pub(crate) whole: Option<[Milliseconds; 2]>,
}

pub(crate) struct Judge<'a> {
    pub(super) recordings: [&'a Recording; 2],
    pub(super) measured: &'a [Measured; 2],
    options: &'a Options,
    units: Option<Units>,
    /// Set where iterations were interleaved.
    paired: Option<&'a Paired>,
    pub(super) basis: Basis,
    /// Set where a side's layers are blocks of an x-ray.
    blocks: Option<OfBlocks>,
    /// Of the whole, and of layers, whose clock may be coarser.
    bands: [Band; 2],
    /// Share by which the latency moved from the first launches to the last, where that is
    /// significant and sides were not interleaved; otherwise 0.
    drift: f64,
}

impl<'a> Judge<'a> {
    pub(crate) fn new(
        recordings: [&'a Recording; 2],
        measured: &'a [Measured; 2],
        trends: &[Option<Trend>; 2],
        paired: Option<&'a Paired>,
        options: &'a Options,
    ) -> Judge<'a> {
        let units = units(recordings);
        let basis = match (&units, measured.each_ref().map(|measured| measured.by_iteration)) {
            (Some(units), _) => paired.map_or(units.basis, Paired::basis),
            (None, [true, true]) => Basis::Averages,
            (None, [false, false]) => Basis::Totals,
            (None, _) => Basis::Unlike,
        };
        let band = |tick: fn(&Recording) -> Option<f64>| {
            let ticks = recordings.map(|recording| tick(recording).unwrap_or(0.0));
            Band { share: options.noise_threshold.0, ticks: TICKS * ticks[0].max(ticks[1]) }
        };
        let bands = [band(Recording::tick), band(Recording::operator_tick)];
        // Interleaved sides drift together, and blocks of one process get no verdict that a drift
        // could overturn.
        let drift = match basis {
            Basis::Launches(_) => {
                trends.iter().flatten().filter_map(Trend::drift).fold(0.0, f64::max)
            }
            _ => 0.0,
        };
        let blocks = None;
        let mut judge =
            Judge { recordings, measured, options, units, paired, basis, blocks, bands, drift };
        let is_of_blocks = recordings.iter().any(|own| own.summary.run.blocks);
        if let Some(units) = judge.units.as_ref().filter(|_| is_of_blocks) {
            let total = judge.total().sides.map(|side| side.typical);
            judge.blocks = OfBlocks::of(recordings, units, total);
        }
        judge
    }

    pub(crate) fn basis(&self) -> Basis {
        self.basis
    }

    pub(crate) fn layer_times(&self) -> LayerTimes {
        match self.measured.each_ref().map(|side| side.by_iteration) {
            [true, true] if self.tells_operators() => LayerTimes::Typical,
            [true, true] => LayerTimes::Mean,
            _ => LayerTimes::Total,
        }
    }

    /// Judges the whole, the groups and their folds; `types` are the types of the groups' main
    /// operators, `unprofiled` the latency without profiling.
    pub(crate) fn all(
        &self,
        groups: &[Group],
        types: &[[&str; 2]],
        folds: &[Fold],
        unprofiled: Option<&Compared>,
    ) -> Judged {
        let draft = self.total();
        let profiling = Profiling::of(self.recordings, unprofiled);
        let whole = self.whole(&draft, unprofiled);
        let parted = whole.map(|[a, b]| Milliseconds(b.0 - a.0));
        // The whole is tested by itself, before groups: its p is not adjusted.
        let adjusted = draft.p().map(|p| (p, self.options.alpha));
        let total = self.judge(draft, adjusted, parted);
        // What the machine did between the two recordings falls on layers as on the whole
        // (docs/statistics.md#verdict).
        let shift = unprofiled.unwrap_or(&total).shift();
        let prepare = |draft: &mut Draft, group: &Group, types: [&str; 2]| {
            let of_group = |profiling: &Profiling| profiling.of_group(group, types);
            draft.profiling = profiling.as_ref().map_or(0.0, of_group);
            draft.shift = shift;
            let cost = profiling.as_ref().map_or(0.0, |profiling| profiling.most_of_group(group));
            // Taken out before p is adjusted: a test that can find nothing would only raise the p
            // of the others.
            draft.mark_below(cost);
        };
        let mut drafts = self.drafts(groups);
        for ((draft, group), &types) in drafts.iter_mut().zip(groups).zip(types) {
            prepare(draft, group, types);
        }
        // A pattern is a group like any other: all operators of its members.
        let patterns = || folds.iter().filter(|fold| fold.is_pattern());
        let joined = |fold: &Fold| Group::joined(fold.members.iter().map(|&at| &groups[at]));
        let joined: Vec<Group> = patterns().map(joined).collect();
        let mut of_patterns = self.drafts(&joined);
        for ((draft, group), fold) in of_patterns.iter_mut().zip(&joined).zip(patterns()) {
            prepare(draft, group, types[fold.members[0]]);
        }
        let mut of_patterns = of_patterns.into_iter();
        let of_folds = folds.iter().filter_map(|fold| match fold.members[..] {
            [lone] => drafts.get(lone).cloned(),
            _ => of_patterns.next(),
        });
        let of_folds: Vec<Draft> = of_folds.collect();
        let unlike: Vec<Option<Unlike>> = folds
            .iter()
            .zip(&of_folds)
            .map(|(fold, draft)| unlike(fold, draft, &drafts, self.options.alpha))
            .collect();
        let judged = self.family(of_folds, parted);
        let groups = self.layers(drafts, folds, &judged, parted);
        let folded = folds.iter().zip(judged).zip(unlike);
        let folded =
            folded.map(|((fold, compared), unlike)| fold.judged(compared, unlike, &groups));
        let folded = folded.collect();
        Judged { total, profiling, groups, folded, whole }
    }

    /// Judges each layer once: those in no pattern are as among the `folded` rows, and members of
    /// patterns are a family of their own. Without patterns, all are one family.
    fn layers(
        &self,
        drafts: Vec<Draft>,
        folds: &[Fold],
        folded: &[Compared],
        parted: Option<Milliseconds>,
    ) -> Vec<Compared> {
        let mut lone: Vec<Option<&Compared>> = vec![None; drafts.len()];
        for (fold, compared) in folds.iter().zip(folded) {
            if let [at] = fold.members[..] {
                lone[at] = Some(compared);
            }
        }
        let members = drafts.into_iter().zip(&lone).filter(|(_, lone)| lone.is_none());
        let members = self.family(members.map(|(draft, _)| draft).collect(), parted);
        let mut members = members.into_iter();
        lone.into_iter().filter_map(|lone| lone.cloned().or_else(|| members.next())).collect()
    }

    /// Judges drafts whose p is adjusted together.
    pub(super) fn family(&self, drafts: Vec<Draft>, parted: Option<Milliseconds>) -> Vec<Compared> {
        let adjusted = adjusted(&drafts, self.options.alpha);
        let drafts = drafts.into_iter().zip(adjusted);
        drafts.map(|(draft, adjusted)| self.judge(draft, adjusted, parted)).collect()
    }

    /// Typical times that layers are parts of: the latency, where the profiling cost is taken out
    /// of layers.
    fn whole(&self, total: &Draft, unprofiled: Option<&Compared>) -> Option<[Milliseconds; 2]> {
        if self.basis == Basis::Unlike {
            return None;
        }
        let [a, b] = [0, 1].map(|side| {
            let measured = &self.measured[side];
            match measured.whole_is {
                // The total is of profiled iterations, and layers have the profiling cost taken out
                // of them: they are parts of the unprofiled latency, located as a layer is where it
                // was tested.
                Whole::Latency => unprofiled
                    .and_then(|unprofiled| unprofiled.sides[side].typical)
                    .or(Some(measured.mean(measured.whole))),
                Whole::Wall | Whole::Operators => total.sides[side].typical,
            }
        });
        Some([a?, b?])
    }

    fn total(&self) -> Draft {
        let sides = [0, 1].map(|side| {
            let measured = &self.measured[side];
            let mean = measured.mean(measured.timed);
            Timing {
                operators: measured.sums.iter().flatten().count(),
                sum_ns: Some(measured.timed),
                mean: Some(mean),
                typical: Some(mean),
                below: None,
                share: Some(Share(1.0)),
                outliers: None,
            }
        });
        let mut work = Work::default();
        for (side, times) in work.times.iter_mut().enumerate() {
            if let Some(timeline) = &self.recordings[side].timeline {
                times.clone_from(match self.measured[side].whole_is {
                    Whole::Wall | Whole::Latency => &timeline.latencies,
                    Whole::Operators => &timeline.operators,
                });
            }
        }
        // Of a side that knows latencies only, nothing is known of operators by iteration.
        let known = work.times.iter().all(|times| !times.is_empty());
        let located = self.located(sides, [known; 2], &mut work);
        Draft { band: self.bands[0], is_whole: true, ..located }
    }

    /// Both sides have times of operators per iteration.
    pub(super) fn tells_operators(&self) -> bool {
        let mut timelines = self.recordings.iter().map(|recording| &recording.timeline);
        timelines.all(|timeline| timeline.as_ref().is_some_and(Timeline::tells_operators))
    }

    pub(super) fn drafts(&self, groups: &[Group]) -> Vec<Draft> {
        on_all_cores(groups, |groups| {
            let mut work = Work::default();
            groups.iter().map(|group| self.draft_group(group, &mut work)).collect()
        })
    }

    fn draft_group(&self, group: &Group, work: &mut Work) -> Draft {
        let mut present = [false; 2];
        let sides = [Side::A, Side::B].map(|side| {
            let number = side as usize;
            let mut timing = self.measured[number].timing(group, side);
            if self.blocks.is_some() {
                timing.below = bound(&self.recordings[number].summary, group, side);
            }
            present[number] = timing.sum_ns.is_some() && self.tells_operators();
            let members = group.members(side).iter().map(|member| member.operator);
            match &self.recordings[number].timeline {
                Some(timeline) => timeline.time_per_iteration(members, &mut work.times[number]),
                None => work.times[number].clear(),
            }
            timing
        });
        let mut draft = self.draft(sides, present, work);
        if self.blocks.is_some() {
            draft.doubt_bounded();
        }
        draft
    }

    /// Locates and tests the times of layers in `work`; skips sides that are not present.
    pub(super) fn draft(
        &self,
        mut sides: [Timing; 2],
        present: [bool; 2],
        work: &mut Work,
    ) -> Draft {
        let (Some(of_blocks), Some(units)) = (&self.blocks, &self.units) else {
            return self.located(sides, present, work);
        };
        let TestedBlock { typical, tested, basis } = of_blocks.tested(units, present, &work.times);
        for side in [0, 1].into_iter().filter(|&side| present[side]) {
            sides[side].typical = Some(Milliseconds::from_nanoseconds(typical[side]));
        }
        Draft { sides, tested, basis, ..self.untested() }
    }

    fn untested(&self) -> Draft {
        Draft {
            sides: Default::default(),
            tested: None,
            basis: self.basis,
            band: self.bands[1],
            profiling: 0.0,
            shift: Interval { low: 1.0, high: 1.0 },
            is_whole: false,
        }
    }

    /// By medians of blocks of iterations.
    fn located(&self, mut sides: [Timing; 2], present: [bool; 2], work: &mut Work) -> Draft {
        let mut draft = self.untested();
        if let Some(units) = &self.units {
            for side in [0, 1].into_iter().filter(|&side| present[side]) {
                let (cells, values) = (&units.cells[side], &mut work.values[side]);
                cells.values(&work.times[side], values, &mut work.sorted);
                let location = evidence::location(values, &cells.blocks);
                sides[side].typical = Some(Milliseconds::from_nanoseconds(location));
                let timeline = self.recordings[side].timeline.as_ref();
                let counted = timeline.and_then(|timeline| {
                    stability::outliers(timeline, &work.times[side], &mut work.numbers)
                });
                sides[side].outliers = counted.map(|(beyond, _)| beyond);
            }
            let both = present == [true, true];
            let times = [&work.times[0][..], &work.times[1][..]];
            let paired = self.paired.filter(|_| both);
            draft.tested = paired.and_then(|paired| paired.estimate(times));
            // `test` raises times of 0 to half a clock step, for their logarithm. A side that never
            // takes any time keeps its 0 instead of the step.
            let mut is_0 = false;
            if draft.tested.is_none() && both {
                // One side took no time in too many pairs (`MOST_LONE`): the group falls back to
                // launches.
                draft.basis = units.basis;
                let blocks = units.cells.each_ref().map(|cells| &cells.blocks[..]);
                let values = work.values.each_ref().map(|values| &values[..]);
                draft.tested = test(units.basis, blocks, values, self.bands[1].ticks);
                is_0 = values.iter().any(|values| values.iter().all(|&value| value == 0.0));
            }
            if let Some(tested) = draft.tested.filter(|_| !is_0) {
                // Times of the estimate, so that difference, ratio and their intervals never
                // contradict each other.
                for (side, typical) in sides.iter_mut().zip(tested.typical) {
                    side.typical = Some(Milliseconds::from_nanoseconds(typical));
                }
            }
        }
        draft.sides = sides;
        draft
    }

    /// `adjusted` is the adjusted p and the p that the group must reach alone; `whole` is the
    /// difference of the whole that it is a part of.
    fn judge(
        &self,
        draft: Draft,
        adjusted: Option<(f64, f64)>,
        whole: Option<Milliseconds>,
    ) -> Compared {
        let p = draft.p();
        let Draft { sides, tested, basis, band, profiling, shift, is_whole } = draft;
        let present = sides.iter().any(|side| side.sum_ns.is_some());
        let alike = self.basis != Basis::Unlike && present;
        let mean_difference = difference(sides.each_ref().map(|side| side.mean)).filter(|_| alike);
        let mut change = Change {
            p,
            p_adjusted: adjusted.map(|(p, _)| p),
            verdict: sides.iter().all(|side| side.sum_ns.is_some()).then_some(Verdict::NotTested),
            mean_difference,
            ..Change::default()
        };
        let typical = sides.each_ref().map(|side| side.typical);
        if let ([Some(a), Some(b)], true) = (typical, alike) {
            change.difference = Some(Milliseconds(b.0 - a.0));
            // Of two blocks that are not told from nothing there is no ratio.
            let is_told = self.blocks.is_none() || sides.iter().any(|side| side.below.is_none());
            change.ratio = (a.0 > 0.0 && is_told).then_some(b.0 / a.0);
        }
        let parted = difference(typical).zip(whole).filter(|(_, whole)| whole.0 != 0.0 && alike);
        change.contribution = parted.map(|(part, whole)| part.0 / whole.0);
        if let (Some(tested), Some((p, alone))) = (tested, adjusted) {
            let Tested { student, estimate, typical: [location, _], .. } = tested;
            let milliseconds = |nanoseconds: f64| nanoseconds / 1e6;
            let verdict_of =
                |estimate: &RatioEstimate| verdict(estimate, location, p, self.options.alpha, band);
            let apart = |verdict| matches!(verdict, Verdict::Faster | Verdict::Slower);
            // Judged as measured, then with what the machine may have done, then with what
            // profiling may have: the first step at which the verdict is lost is the reason.
            let without = verdict_of(&estimate);
            let shifted = estimate.shifted(shift, location);
            let estimate = shifted.widened(profiling, location);
            let mut verdict = verdict_of(&estimate);
            let found = apart(verdict);
            let most_shifted = (1.0 / shift.low).max(shift.high) - 1.0;
            let hidden = (apart(without) && !found).then(|| match apart(verdict_of(&shifted)) {
                true => Reason::Profiling,
                false => Reason::Shift(most_shifted),
            });
            let mut drift = None;
            if found && estimate.difference.abs() <= self.drift * location {
                // The machine changed by as much while it was recorded.
                (verdict, drift) = (Verdict::Inconclusive, Some(self.drift));
            }
            // Last, so that too few launches are the reason only where nothing else speaks against
            // a verdict.
            let is_few = basis.is_few() && !(is_whole && basis.is_beyond_levels(&estimate));
            let hidden = match is_few && verdict != Verdict::Inconclusive {
                true => Some(Reason::Launches),
                false => hidden,
            };
            if is_few {
                verdict = Verdict::Inconclusive;
            }
            change.verdict = Some(verdict);
            let judged = Doubted {
                estimate: &estimate,
                location,
                p: [change.p.unwrap_or(p), p],
                alpha: self.options.alpha,
                band,
                basis,
                drift,
                hidden,
            };
            change.reason = judged.reason().filter(|_| verdict == Verdict::Inconclusive);
            // What takes no time has no ratio.
            if change.ratio.is_some_and(|ratio| ratio > 0.0) {
                change.difference_interval = Some(Interval {
                    low: milliseconds(estimate.difference_low),
                    high: milliseconds(estimate.difference_high),
                });
                let (low, high) = (estimate.ratio_low, estimate.ratio_high);
                change.ratio_interval = Some(Interval { low, high });
            }
            // What no number of launches would show comes on top.
            let hidden_share = profiling / location + most_shifted;
            let effect =
                minimum_detectable_effect(student.half_width, CONFIDENCE, student.degrees, alone);
            change.minimum_detectable_effect = effect.map(|share| Share(share + hidden_share));
            // More launches narrow neither what profiling nor what the machine leaves open.
            let is_open = verdict == Verdict::Inconclusive
                && drift.is_none()
                && matches!(hidden, None | Some(Reason::Launches));
            let fewest = FEWEST_LAUNCHES as u32;
            let judged = |moved: &Tested| {
                let location = moved.typical[0];
                moved.estimate.shifted(shift, location).widened(profiling, location)
            };
            change.launches_needed = match (is_open, basis.has_launches()) {
                (false, _) => None,
                (true, true) => {
                    let needed = needed(&tested, judged, alone, band);
                    // Where nothing but their number is missing, the fewest do.
                    let is_number_alone = is_few && hidden.is_some();
                    let needed = match needed.low {
                        None if is_number_alone => LaunchesNeeded::exactly(fewest),
                        _ => needed,
                    };
                    Some(if is_few { needed.at_least(fewest) } else { needed })
                }
                (true, false) => is_few.then(|| LaunchesNeeded::exactly(fewest)),
            };
        }
        Compared { sides, change, basis }
    }
}

/// B minus A, where a side that does not execute takes no time.
fn difference([a, b]: [Option<Milliseconds>; 2]) -> Option<Milliseconds> {
    (a.is_some() || b.is_some())
        .then(|| Milliseconds(b.unwrap_or_default().0 - a.unwrap_or_default().0))
}

/// Buffers reused from group to group.
#[derive(Default)]
pub(super) struct Work {
    pub(super) times: [Vec<u64>; 2],
    pub(super) values: [Vec<f64>; 2],
    pub(super) numbers: Vec<f64>,
    pub(super) sorted: Vec<u64>,
}
