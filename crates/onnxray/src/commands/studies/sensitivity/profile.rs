//! Loss profiles that a projection spreads a budget by.

use crate::args::ForceArguments;
use crate::message;
use anyhow::bail;
use onnxray_analyzer::Summary;
use onnxray_analyzer::projection::{
    BoundedSensitivities, Sensitivity, SensitivityBasis, Settings, bounded_sensitivities,
    highest_level, sensitivities,
};
use onnxray_analyzer::quantity::percent;
use onnxray_analyzer::settings::read_loss;
use onnxray_format::LossProfile;
use onnxray_report::mixed_sensitivities;
use onnxray_text::{first_of, printable, shown};
use std::path::Path;

/// Reads a loss profile, whose sensitivities take the place of those in the settings. Without
/// a maximum of the user's own, the plan ends where the profile does. Where a plan needs all losses,
/// a profile that lacks some is refused: a sum would lack them.
pub(crate) fn read(
    path: &Path,
    settings: &mut Settings,
    has_maximum: bool,
    needs_all: bool,
) -> anyhow::Result<LossProfile> {
    let profile = read_loss(path)?;
    let given = if needs_all { under_loss(path, &profile)? } else { by_budget(path, &profile) };
    if given.is_empty() {
        bail!("{}: nothing is known of the loss of any layer", shown(path));
    }
    if profile.run.data.random {
        message::note(format_args!(
            "{}: measured on random data, which says little about accuracy",
            shown(path)
        ));
    }
    if let Some(mixed) = mixed_sensitivities(&profile) {
        message::note(format_args!("{}: {mixed}", shown(path)));
    }
    // At the same sparsity, other blocks remove other weights, with another loss.
    if profile.run.block != settings.block {
        message::note(format_args!(
            "{}: measured with blocks of {}, and the projection is for blocks of {}",
            shown(path),
            profile.run.block,
            settings.block
        ));
    }
    if let Some(highest) = highest_level(&profile) {
        limit(path, highest, settings, has_maximum)?;
    }
    settings.plan.sensitivities = given;
    Ok(profile)
}

/// What a plan under a loss may use.
fn under_loss(path: &Path, profile: &LossProfile) -> anyhow::Result<Vec<Sensitivity>> {
    let Some(BoundedSensitivities { sensitivities, bounds }) = bounded_sensitivities(profile)
    else {
        let layers = profile.measured_layers();
        bail!(
            "{}: {} of {} layers were measured at all sparsities, and --max-loss needs all\n\
             hint: the same `onnxray sensitivity` measures the others",
            shown(path),
            layers.whole,
            layers.all
        );
    };
    if !bounds.is_empty() {
        let at = |(layer, level): &(String, f64)| format!("{layer} below {} %", percent(*level));
        let bounds: Vec<String> = bounds.iter().map(at).collect();
        message::note(format_args!(
            "{}: the plan keeps layers below the sparsity at which their runs failed: {}",
            shown(path),
            printable(&first_of(&bounds, ", "))
        ));
    }
    Ok(sensitivities)
}

/// What a budget is spread by.
fn by_budget(path: &Path, profile: &LossProfile) -> Vec<Sensitivity> {
    let (given, basis) = sensitivities(profile);
    if basis == SensitivityBasis::Magnitude {
        message::note(format_args!(
            "{}: not all layers were measured at all sparsities, so that the plan uses the L2 \
             norm of what is removed",
            shown(path)
        ));
    }
    given
}

/// Keeps the plan below the highest level of a profile, of which nothing is known above.
fn limit(
    path: &Path,
    highest: f64,
    settings: &mut Settings,
    has_maximum: bool,
) -> anyhow::Result<()> {
    let (bounds, end) = (&mut settings.plan, percent(highest));
    if bounds.maximum <= highest {
        return Ok(());
    }
    // The user's own maximum stays; beyond the profile, the loss is taken to be constant.
    if has_maximum {
        message::note(format_args!(
            "{}: ends at {end} %; the plan takes the loss above to be as there",
            shown(path)
        ));
        return Ok(());
    }
    if bounds.minimum > highest {
        bail!(
            "{}: ends at {end} %, and the plan prunes a layer to {} % at least\n\
             hint: --min-sparsity sets another lower limit",
            shown(path),
            percent(bounds.minimum)
        );
    }
    message::note(format_args!(
        "{}: ends at {end} %, and so does the plan; --max-sparsity sets another end",
        shown(path)
    ));
    bounds.maximum = highest;
    Ok(())
}

/// Refuses a profile of another model than the recording, unless forced.
pub(crate) fn check(
    path: &Path,
    profile: &LossProfile,
    summary: &Summary,
    force: ForceArguments,
) -> anyhow::Result<()> {
    let (own, recorded) = (&profile.run.file.model_sha256, &summary.run.model_sha256);
    match (own, recorded) {
        (Some(own), Some(recorded)) if own == recorded => {}
        (Some(_), Some(_)) if force.force => message::warning(format_args!(
            "{}: belongs to another model than the recording, and is used because of --force",
            shown(path)
        )),
        (Some(_), Some(_)) => bail!(
            "{}: belongs to another model than the recording ({})\n\
             hint: --force takes it all the same, by the names of layers",
            shown(path),
            onnxray_text::printable(&profile.run.file.model)
        ),
        // Without both hashes, there is nothing to refuse it for.
        _ => message::warning(format_args!(
            "{}: whether it belongs to the recording's model is unknown",
            shown(path)
        )),
    }
    Ok(())
}
