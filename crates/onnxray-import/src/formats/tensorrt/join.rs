//! Makes one launch of profile, iteration times and layer information.

use super::layers::Layers;
use super::names;
use super::profile::Profile;
use super::times::Times;
use crate::formats::together::{Finder, Part, number_and_name};
use crate::{Average, Launch};
use onnxray_format::{Nanoseconds, Operator, Run};
use onnxray_text::counted;
use std::collections::HashSet;

pub(crate) fn join(
    number: usize,
    profile: Option<&Part<Profile>>,
    times: Option<&Part<Times>>,
    layers: Option<&Part<Layers>>,
) -> Launch {
    let mut launch = Launch {
        run: Run {
            engine: "TensorRT".to_string(),
            producer: "trtexec".to_string(),
            launch: number as u32,
            ..Run::default()
        },
        ..Launch::default()
    };
    if let Some(layers) = layers {
        layers.add_to(&mut launch);
        launch.operators = layers.content.operators.clone();
    }
    if let Some(profile) = profile {
        profile.add_to(&mut launch);
        launch.run.clock_resolution = profile.content.resolution_ns.map(Nanoseconds);
        if let Some((total, sum)) = profile.content.mismatch() {
            let message =
                format!("the total is {total:.4} ms, but the layers sum up to {sum:.4} ms");
            profile.note(&mut launch, message);
        }
        if let Some(layers) = layers {
            keep_shape_profile(&mut launch, &profile.content, layers);
        }
        let unknown = add_times(&mut launch, &profile.content);
        if unknown > 0 && layers.is_some() {
            let message = counted(
                unknown as u64,
                "layer has no layer information; it may be of another engine",
                "layers have no layer information; it may be of another engine",
            );
            profile.note(&mut launch, message);
        }
    }
    // After both are joined by the producer's names, which repeat.
    number_and_name(&mut launch.operators);
    if let Some(times) = times {
        times.add_to(&mut launch);
        launch.iterations = times.content.iterations.clone();
        if times.content.with_warmup {
            let message = "the warm-up of this version of trtexec is among the iterations";
            times.note(&mut launch, message);
        }
    }
    launch
}

/// Layer information lists the layers for every profile of shapes that the engine
/// was built for; one of these ran.
fn keep_shape_profile(launch: &mut Launch, profile: &Profile, layers: &Part<Layers>) {
    let ran: HashSet<Option<&str>> =
        profile.layers.iter().map(|layer| names::shape_profile(&layer.name)).collect();
    let before = launch.operators.len();
    launch.operators.retain(|operator| ran.contains(&names::shape_profile(&operator.name)));
    let left_out = before - launch.operators.len();
    if left_out > 0 {
        let message = counted(
            left_out as u64,
            "layer is of a profile of shapes that did not run, and left out",
            "layers are of profiles of shapes that did not run, and left out",
        );
        layers.note(launch, message);
    }
}

/// Adds averages, and operators that only the profile knows: how many.
fn add_times(launch: &mut Launch, profile: &Profile) -> usize {
    let before = launch.operators.len();
    let mut finder = Finder::new(&launch.operators);
    for layer in &profile.layers {
        let operator = finder.take(&layer.name).unwrap_or_else(|| {
            launch.operators.push(Operator {
                name: layer.name.clone(),
                nodes: names::nodes(&layer.name),
                ..Operator::default()
            });
            launch.operators.len() as u32 - 1
        });
        launch.averages.push(Average {
            operator,
            mean_ns: layer.mean_ns,
            median_ns: layer.median_ns,
            iterations: profile.count,
            ..Average::default()
        });
    }
    launch.operators.len() - before
}
