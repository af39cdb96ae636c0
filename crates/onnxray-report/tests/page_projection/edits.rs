//! What somebody changes in a page, in the analyzer's settings and in the page's own.

use crate::cases::{level, others, ratio};
use onnxray_analyzer::Summary;
use onnxray_analyzer::projection::{Estimate, Plan, SAME_LEVEL, Settings};
use proptest::option;
use proptest::prelude::*;
use serde_json::{Value, json};

/// An edit; positions are taken of what there is.
#[derive(Clone, Debug)]
pub(crate) enum Edit {
    Ratio(usize, f64, Estimate),
    NoRatio(usize, f64),
    Others(usize, f64),
    Level(f64),
    NoLevel(f64),
    Model(Option<f64>),
    Type(usize, Option<f64>),
    Operator(usize, Option<f64>),
    Layer(usize, Option<f64>),
}

pub(crate) fn edit() -> impl Strategy<Value = Edit> {
    let at = 0usize..1000;
    let target = || option::weighted(0.7, level());
    prop_oneof![
        4 => (at.clone(), level(), ratio()).prop_map(|(row, level, ratio)| Edit::Ratio(row, level, ratio)),
        1 => (at.clone(), level()).prop_map(|(row, level)| Edit::NoRatio(row, level)),
        1 => (at.clone(), others()).prop_map(|(row, others)| Edit::Others(row, others)),
        1 => level().prop_map(Edit::Level),
        1 => level().prop_map(Edit::NoLevel),
        1 => target().prop_map(Edit::Model),
        2 => (at.clone(), target()).prop_map(|(at, target)| Edit::Type(at, target)),
        2 => (at.clone(), target()).prop_map(|(at, target)| Edit::Operator(at, target)),
        2 => (at, target()).prop_map(|(at, target)| Edit::Layer(at, target)),
    ]
}

impl Edit {
    /// Changes the analyzer's settings; how the page does it, or `None` if the model has
    /// nothing of the kind.
    pub(crate) fn apply(
        &self,
        settings: &mut Settings,
        summary: &Summary,
        plan: &Plan,
    ) -> Option<Value> {
        let place = |at: usize, length: usize| at.checked_rem(length);
        let same = |one: f64, other: f64| (one - other).abs() < SAME_LEVEL;
        let (rows, before) = (settings.ratios.len(), settings.ratios.clone());
        let edited = Some(match *self {
            Edit::Ratio(row, level, ratio) => {
                let row = place(row, rows)?;
                settings.ratios[row].set(level, ratio);
                settings.add_level(level);
                json!(["setRatio", row, level, ratio])
            }
            Edit::NoRatio(row, level) => {
                let row = place(row, rows)?;
                settings.ratios[row].points.retain(|point| !same(point.level, level));
                json!(["removeRatio", row, level])
            }
            Edit::Others(row, others) => {
                let row = place(row, rows)?;
                settings.ratios[row].others = others;
                json!(["setOthers", row, others])
            }
            Edit::Level(level) => {
                settings.add_level(level);
                json!(["addLevel", level])
            }
            Edit::NoLevel(level) => {
                settings.levels.retain(|known| !same(*known, level));
                for row in &mut settings.ratios {
                    row.points.retain(|point| !same(point.level, level));
                }
                json!(["removeLevel", level])
            }
            Edit::Model(target) => {
                settings.targets.model = target;
                json!(["setModelTarget", target])
            }
            Edit::Type(at, target) => {
                let at = place(at, summary.types.len())?;
                let name = &summary.types[at].operator_type;
                let types = &mut settings.targets.types;
                types.retain(|(known, _)| known.to_lowercase() != name.to_lowercase());
                types.extend(target.map(|target| (name.clone(), target)));
                json!(["setTypeTarget", at, target])
            }
            Edit::Operator(at, target) => {
                let at = place(at, summary.operators.len())?;
                let name = &summary.operators[at].operator.name;
                named(&mut settings.targets.operators, name, target);
                json!(["setOperatorTarget", at, name, target])
            }
            Edit::Layer(at, level) => {
                let at = place(at, plan.layers.len())?;
                let name = &summary.operators[plan.layers[at].operator].operator.name;
                named(&mut settings.plan.overrides, name, level);
                json!(["setOverride", at, name, level])
            }
        });
        // Layers that multiply by their zeros do so whatever stands in the page.
        for (row, before) in settings.ratios.iter_mut().zip(before) {
            if before.multiplies_zeros() != row.multiplies_zeros() {
                *row = before;
            }
        }
        edited
    }
}

fn named(list: &mut Vec<(String, f64)>, name: &str, level: Option<f64>) {
    list.retain(|(known, _)| known != name);
    list.extend(level.map(|level| (name.to_string(), level)));
}
