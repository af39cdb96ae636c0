//! Makes one launch of the trace and the CSV of a run: events from the trace,
//! weights from the CSV.

use super::profile::Profile;
use super::row::Row;
use super::weight::{Writer, weight};
use crate::Launch;
use onnxray_format::{Operator, Warning};
use onnxray_text::counted;
use std::collections::{HashMap, HashSet};

/// Joins each CSV to the trace of its run, if there is one. The rest stay
/// launches by themselves.
pub(crate) fn join(mut launches: Vec<Launch>, profiles: Vec<Profile>) -> Vec<Launch> {
    let mut joined = vec![false; launches.len()];
    let mut alone = Vec::new();
    for profile in profiles {
        let fits = |position: &usize| {
            !joined[*position] && have_same_operators(&launches[*position], &profile.launch)
        };
        let mut fitting = (0..launches.len()).filter(fits);
        let first = fitting.next();
        // Several processes ran the same model: the names of the files tell.
        let named = first.into_iter().chain(fitting).find(|&position| {
            let stem = |launch: &Launch| Some(launch.files.first()?.file_stem()?.to_os_string());
            stem(&launches[position]) == stem(&profile.launch)
        });
        match named.or(first) {
            Some(position) => {
                joined[position] = true;
                add(&mut launches[position], profile);
            }
            None => alone.push(profile.launch),
        }
    }
    launches.extend(alone);
    launches
}

/// Whether at least half of the smaller table's names are in the other one.
fn have_same_operators(trace: &Launch, profile: &Launch) -> bool {
    let names: HashSet<&str> = trace.operators.iter().map(|o| o.name.as_str()).collect();
    let common = profile.operators.iter().filter(|o| names.contains(o.name.as_str())).count();
    let least = trace.operators.len().min(profile.operators.len());
    least > 0 && common * 2 >= least
}

fn add(launch: &mut Launch, profile: Profile) {
    let Profile { launch: csv, writer, rows } = profile;
    let by_name: HashMap<String, usize> =
        csv.operators.iter().enumerate().map(|(position, o)| (o.name.clone(), position)).collect();
    let same_length = launch.operators.len() == csv.operators.len();
    let mut used = HashSet::new();
    for (position, operator) in launch.operators.iter_mut().enumerate() {
        // A name with commas may have been read wrongly; both have one order.
        let same_place = || {
            let kind = &csv.operators.get(position)?.operator_type;
            (same_length && *kind == operator.operator_type).then_some(position)
        };
        let place = by_name.get(&operator.name).copied().or_else(same_place);
        if let Some(position) = place
            && used.insert(position)
            && let Some(row) = rows.get(position)
        {
            describe(operator, row, writer);
        }
    }
    launch.files.extend(csv.files.clone());
    launch.warnings.extend(csv.warnings.into_iter().filter(|warning| warning.loss));
    if used.len() < rows.len()
        && let Some(file) = csv.files.first()
    {
        let missing = rows.len() - used.len();
        let message = counted(
            missing as u64,
            "operator has no event in the trace and is left out",
            "operators have no events in the trace and are left out",
        );
        launch.warnings.push(Warning::note(file, message));
    }
}

/// Adds what only the CSV tells.
fn describe(operator: &mut Operator, row: &Row, writer: Writer) {
    if operator.post_ops.is_empty() && !row.post_op.is_empty() {
        operator.post_ops = vec![row.post_op.clone()];
    }
    for (tensors, others) in
        [(&mut operator.inputs, &row.inputs), (&mut operator.outputs, &row.outputs)]
    {
        if tensors.len() == others.len() {
            for (tensor, other) in tensors.iter_mut().zip(others) {
                tensor.shape = tensor.shape.take().or_else(|| other.shape.clone());
            }
        }
    }
    // The trace tells types and names of tensors more surely.
    let row =
        Row { inputs: operator.inputs.clone(), outputs: operator.outputs.clone(), ..row.clone() };
    let permutation = operator.attributes.get("src1_perm").map(String::as_str);
    operator.weight = weight(&row, writer, permutation);
    operator.sparse_support = row.sparse_support == Some(true);
}
