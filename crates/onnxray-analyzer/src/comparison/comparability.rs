//! Whether two recordings may be compared: in what their configurations differ, beyond
//! what was meant to.

use super::causes::precision::precision;
use super::check::numbered;
use super::units::turns::knows;
use super::{ComparedGroup, Field, Options, Recording, Side};
use crate::statistics::Summary;
use onnxray_format::{Conditions, Generation, Operator, elements};
use std::collections::{BTreeMap, BTreeSet};

/// Consequence of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The point of the comparison: versions of a model, runtimes, or a field that the user expects
    /// to differ.
    Expected,
    /// It is shown, and the recordings stay comparable.
    Noted,
    /// One side does not tell.
    Unknown,
    /// Times of the two mean different things.
    NotComparable,
}

impl Meaning {
    /// Wording of reports.
    pub fn text(self) -> &'static str {
        match self {
            Meaning::Expected => "what is compared",
            Meaning::Noted => "differs",
            Meaning::Unknown => "unknown on one side",
            Meaning::NotComparable => "not comparable",
        }
    }
}

/// A difference of the configurations.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// In what the recordings differ.
    pub field: Field,
    /// `None` if unknown.
    pub values: [Option<String>; 2],
    /// Its consequence for comparing times.
    pub meaning: Meaning,
}

impl Difference {
    /// The field, with those of the engine's options that differ: `engine options (spinning: on
    /// against off)`.
    pub fn named(&self) -> String {
        let name = self.field.name();
        let parts: Vec<String> = self
            .options()
            .into_iter()
            .map(|(option, [a, b])| format!("{option}: {a} against {b}"))
            .collect();
        if parts.is_empty() {
            return name.to_string();
        }
        format!("{name} ({})", parts.join(", "))
    }

    /// The engine's options that differ, with both values; empty unless both sides state theirs.
    pub fn options(&self) -> Vec<(&str, [&str; 2])> {
        let ([Some(a), Some(b)], Field::EngineOptions) = (&self.values, self.field) else {
            return Vec::new();
        };
        let [a, b] = [a, b].map(|options| {
            let options = options.split("; ").filter_map(|option| option.split_once(": "));
            options.collect::<BTreeMap<&str, &str>>()
        });
        let names: BTreeSet<&str> = a.keys().chain(b.keys()).copied().collect();
        let both = names.into_iter().map(|option| {
            (option, [&a, &b].map(|options| options.get(option).copied().unwrap_or("default")))
        });
        both.filter(|(_, [a, b])| a != b).collect()
    }
}

/// All differences of the configurations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparability {
    /// In the order of [`Field::ALL`], without fields that agree.
    pub differences: Vec<Difference>,
}

impl Comparability {
    /// No difference gives the times of the two another meaning.
    pub fn is_comparable(&self) -> bool {
        self.not_comparable().next().is_none()
    }

    /// Differences that make the recordings not comparable.
    pub fn not_comparable(&self) -> impl Iterator<Item = &Difference> {
        self.differences.iter().filter(|known| known.meaning == Meaning::NotComparable)
    }
}

/// Fewer layers of other sizes do not show that inputs differ.
const FEWEST_LAYERS: u64 = 3;

pub(crate) fn comparability(
    recordings: [&Recording; 2],
    operators: &[Vec<Operator>; 2],
    groups: &[ComparedGroup],
    options: &Options,
) -> Comparability {
    let summaries = recordings.map(|recording| &recording.summary);
    let runs = summaries.map(|summary| &summary.run);
    let mut several_models = false;
    let in_turns = knows(runs[0], runs[1]) && knows(runs[1], runs[0]);
    let differences = Field::ALL.into_iter().filter_map(|field| {
        let mut values = [0, 1].map(|side| value(field, summaries[side], &operators[side]));
        // Sizes stated alike, or not at all, may still be of other inputs: the layers tell.
        if field == Field::Shapes && (values[0] == values[1] || values.contains(&None)) {
            values = layer_sizes(operators, groups).map(|sizes| sizes.map(Some)).unwrap_or(values);
        }
        // Two files may hold one model, and one name two versions of it.
        let same_file = field == Field::Model
            && matches!((&runs[0].model_sha256, &runs[1].model_sha256), (Some(a), Some(b)) if a == b);
        // Of other runtimes nobody knows them.
        let untold = is_condition(field) && values.contains(&None);
        // Those of two engines are not two values of one thing.
        let several_engines = runs[0].engine != runs[1].engine;
        let of_engine = matches!(field, Field::EngineOptions | Field::Registers);
        let unlike = several_engines && of_engine;
        if values[0] == values[1] || same_file || untold || unlike {
            return None;
        }
        // `Field::ALL` has model and precision before engine and version, which this decides about.
        several_models |= matches!(field, Field::Model | Field::Precision);
        let meaning = match &values {
            _ if options.expected_differences.contains(&field) => Meaning::Expected,
            // One command that recorded both was told to.
            _ if in_turns && is_asked_for(field) => Meaning::Expected,
            [Some(_), Some(_)] => meaning(field, several_models),
            _ => Meaning::Unknown,
        };
        Some(Difference { field, values, meaning })
    });
    Comparability { differences: differences.collect() }
}

/// Between versions of a model, another engine is merely noted; it is what is compared otherwise.
fn meaning(field: Field, several_models: bool) -> Meaning {
    match field {
        Field::Model | Field::Precision => Meaning::Expected,
        Field::Engine | Field::Version if several_models => Meaning::Noted,
        Field::Engine | Field::Version => Meaning::Expected,
        Field::OperatingSystem | Field::Inputs | Field::Recorder => Meaning::Noted,
        Field::Batch
        | Field::Shapes
        | Field::Threads
        | Field::Instances
        | Field::EngineOptions
        | Field::Registers
        | Field::Isa
        | Field::Cpu
        | Field::Pinning
        | Field::Governor
        | Field::Turbo
        | Field::Limit
        | Field::Host => Meaning::NotComparable,
    }
}

/// Fields that no model decides: where one command recorded both, they differ on purpose.
fn is_asked_for(field: Field) -> bool {
    matches!(field, Field::Threads | Field::EngineOptions | Field::Registers)
}

/// Fields that launches report about their machine.
fn is_condition(field: Field) -> bool {
    matches!(field, Field::Pinning | Field::Governor | Field::Turbo | Field::Limit)
}

/// A condition that all launches which report any agree on.
fn condition(summary: &Summary, of: impl Fn(&Conditions) -> Option<String>) -> Option<String> {
    let mut values = summary.conditions.iter().flatten().map(of);
    let first = values.next()??;
    values.all(|value| value.as_ref() == Some(&first)).then_some(first)
}

fn value(field: Field, summary: &Summary, operators: &[Operator]) -> Option<String> {
    let run = &summary.run;
    let text = |text: &str| (!text.is_empty()).then(|| text.to_string());
    match field {
        Field::Model => text(&run.model).map(|name| match &run.model_sha256 {
            Some(hash) => format!("{name} ({})", hash.get(..8).unwrap_or(hash)),
            None => name,
        }),
        Field::Precision => precisions(operators),
        Field::Engine => text(&run.engine),
        Field::Version => text(&run.engine_version),
        Field::EngineOptions => text(&run.engine_options_text()),
        Field::Batch => run.batch_size.map(|size| size.to_string()),
        Field::Shapes => {
            let sizes = run.dimensions.iter().map(|d| format!("{}={}", d.name, d.size));
            let sizes = sizes.chain(run.generation.as_ref().map(Generation::text));
            text(&sizes.collect::<Vec<_>>().join(", "))
        }
        Field::Threads => run.threads.map(|threads| threads.to_string()),
        // A recording that states none had one at a time.
        Field::Instances => match run.instances {
            None if run.format_version == 0 => None,
            instances => Some(instances.unwrap_or(1).to_string()),
        },
        Field::Registers => run.vector_registers.map(|registers| registers.text().to_string()),
        Field::Isa => run.isa.clone(),
        Field::Cpu => run.cpu.clone(),
        Field::Pinning => condition(summary, |launch| {
            let cores = launch.pinned.as_ref()?;
            Some(if cores.is_empty() { "none".to_string() } else { numbered(cores) })
        }),
        Field::Governor => condition(summary, |launch| launch.governor.clone()),
        Field::Turbo => condition(summary, |launch| {
            launch.turbo.map(|on| if on { "on" } else { "off" }.to_string())
        }),
        Field::Limit => condition(summary, |launch| {
            let cores = launch.limit.as_ref()?.cores;
            Some(cores.map_or("none".to_string(), |cores| format!("{cores} cores")))
        }),
        Field::Host => run.host.clone(),
        Field::OperatingSystem => run.operating_system.clone(),
        Field::Inputs => run.inputs.clone(),
        Field::Recorder => text(&run.producer),
    }
}

/// Numbers of elements, where most layers make other numbers on both sides: an input has another
/// shape, although no field says so.
fn layer_sizes(operators: &[Vec<Operator>; 2], groups: &[ComparedGroup]) -> Option<[String; 2]> {
    let size = |group: &ComparedGroup, side: Side| {
        // What the group hands on: fused and unfused layers agree in it, and conversions change
        // only its layout.
        let last = group.group.members(side).iter().rfind(|member| !member.conversion)?;
        let made = operators[side as usize].get(last.operator as usize)?.outputs.first()?;
        elements(made.shape.as_ref()?)
    };
    let (mut alike, mut others) = (0u64, Vec::new());
    for group in groups {
        match [Side::A, Side::B].map(|side| size(group, side)) {
            [Some(a), Some(b)] if a == b => alike += 1,
            [Some(a), Some(b)] => others.push([a, b]),
            _ => {}
        }
    }
    let most = others.len() as u64 > alike && others.len() as u64 >= FEWEST_LAYERS;
    let example = others.first().filter(|_| most)?;
    let text = |size: u64| format!("{size} elements, in the first of {} layers", others.len());
    Some(example.map(text))
}

/// Element types of matrix multiplications and convolutions, most frequent first.
fn precisions(operators: &[Operator]) -> Option<String> {
    use super::alignment::{Kind, kind};
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for operator in operators {
        let heavy = matches!(kind(&operator.operator_type), Kind::Product | Kind::Convolution);
        let precision = precision(operator);
        if heavy && precision != "unknown" {
            *counts.entry(precision).or_default() += 1;
        }
    }
    let mut counts: Vec<(&str, u64)> = counts.into_iter().collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let names: Vec<&str> = counts.into_iter().map(|(name, _)| name).collect();
    (!names.is_empty()).then(|| names.join(", "))
}
