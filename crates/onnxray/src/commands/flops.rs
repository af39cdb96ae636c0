//! `onnxray flops`: the FLOPS profile of a model alone, and the plan of a budget by it.

use crate::args::{Arguments, FlopsArguments};
use crate::destination::{Destination, ONE_LEVEL};
use crate::engine_process::apart_for_reading;
use crate::exit::Ended;
use crate::message;
use onnxray_analyzer::flops_profile;
use onnxray_analyzer::projection::{Planned, Settings};
use onnxray_format::Run;
use onnxray_recorder::Model;
use onnxray_recorder::engine::EngineSpec;
use onnxray_report::{FlopsReport, Level};

pub(crate) fn run(arguments: FlopsArguments) -> anyhow::Result<Ended> {
    let measured = [Level::Launch, Level::Iteration];
    if arguments.view.level.iter().any(|level| measured.contains(level)) {
        Arguments::refuse("the FLOPS profile has no launches and iterations: nothing is run");
    }
    let engine = arguments.engine.spec(false).unwrap_or_else(|message| Arguments::refuse(&message));
    apart_for_reading(&engine, &arguments.model.model, || count(&arguments, &engine))
}

fn count(arguments: &FlopsArguments, engine: &EngineSpec) -> anyhow::Result<Ended> {
    let (inputs, shown) = ([arguments.model.model.clone()], &arguments.view.shown);
    let output = Destination::of(inputs, arguments.force, &arguments.output, shown)?;
    let output = output.hinting(ONE_LEVEL);
    let model = Model::load(engine, &arguments.model.model, &arguments.model.sizes.given(), 1)?;
    let operators = model.sample_operators()?;
    if operators.is_empty() {
        message::note(format_args!(
            "{} executes none of the model's nodes: their results depend on no input, or they \
             hand inputs on as they are",
            model.engine.name()
        ));
    }
    let run = Run {
        model: model.file.name(),
        profile: "FLOPS".to_string(),
        model_sha256: model.file.sha256(),
        batch_size: model.bound.batch_size,
        dimensions: model.bound.dimensions.clone(),
        parameters: model.file.parameters(),
        engine: model.engine.name().to_string(),
        engine_version: model.engine.version().to_string(),
        engine_options: model.engine.options(),
        producer: format!("onnxray {}", env!("CARGO_PKG_VERSION")),
        // Nothing was run: what only a run can tell stays unknown.
        ..Run::default()
    };
    let profile = flops_profile(operators, run);
    let mut settings = Settings::default();
    settings.plan.budget = arguments.budget.unwrap_or(settings.plan.budget);
    let plan = Planned::of(&profile, settings).plan;
    let prints_plan = arguments.budget.is_some();
    let report = FlopsReport { profile: &profile, plan: &plan, prints_plan };
    output.deliver(&report, &arguments.view.selection())?;
    Ok(Ended::Done)
}
