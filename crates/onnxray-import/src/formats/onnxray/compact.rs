//! What a compact recording has in the place of executions: means, and launches after the first.

use super::conditions::refuse;
use super::tables::Tables;
use crate::Launch;
use crate::chrome::EventTrace;
use crate::formats::together::LONGEST;
use onnxray_format::{Compact, FurtherLaunch, Iteration};

pub(super) const MEMBER: &str = "compact";
pub(super) const LAUNCHES: &str = "launches";

pub(super) fn means(trace: &EventTrace, tables: &mut Tables) -> Vec<Compact> {
    let check = |compact: &Compact| {
        let times = [compact.mean_ns, compact.overhead_ns, compact.concurrent_ns];
        match times.into_iter().flatten().all(|time| (0.0..=LONGEST).contains(&time)) {
            true => Ok(()),
            false => Err("a time that is none"),
        }
    };
    let mut means = Vec::new();
    tables.each(trace, MEMBER, MEMBER, check, |compact| means.push(compact));
    means
}

pub(super) fn further(trace: &EventTrace, tables: &mut Tables) -> Vec<Launch> {
    let check = |launch: &FurtherLaunch| {
        let mut iterations = launch.iterations.iter().map(|&packed| Iteration::from(packed));
        // Their sums have room then.
        let is_time = |time: u64| time as f64 <= LONGEST;
        match iterations.all(|own| is_time(own.start.0) && is_time(own.duration.0)) {
            true => Ok(()),
            false => Err("a time that is none"),
        }
    };
    let mut launches = Vec::new();
    let mut refused = Vec::new();
    let take = |FurtherLaunch { run, mut conditions, iterations }: FurtherLaunch| {
        refused.extend(conditions.iter_mut().flat_map(refuse).map(str::to_string));
        let mut iterations: Vec<Iteration> = iterations.into_iter().map(Iteration::from).collect();
        iterations.sort_by_key(|iteration| iteration.start);
        let files = vec![trace.file.clone()];
        launches.push(Launch { files, run, conditions, iterations, ..Launch::default() });
    };
    tables.each(trace, LAUNCHES, LAUNCHES, check, take);
    tables.fields(LAUNCHES, trace.member(LAUNCHES).map(|member| member.position), &refused);
    launches
}
