//! The rows of the exported tables.

use super::Executions;
use crate::schema::column;
use crate::schema::export::{self, Export, ExportTable};
use arrow_array::builder::{
    BooleanBuilder, Float64Builder, Int64Builder, StringBuilder, UInt32Builder, UInt64Builder,
};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use onnxray_format::{Block, Operator, Run, Tensor, exclusive};
use onnxray_import::{Average, Launch};
use std::fmt::Display;
use std::io;
use std::sync::Arc;

type Batches<'a> = Box<dyn Iterator<Item = io::Result<RecordBatch>> + 'a>;

/// The table's columns in Arrow's terms. Every column may hold nulls.
pub(crate) fn schema_of(table: &ExportTable) -> SchemaRef {
    let field = |column: &export::ExportColumn| {
        let data_type = match column.holds {
            Export::Text => DataType::Utf8,
            Export::Small => DataType::UInt32,
            Export::Whole => DataType::UInt64,
            Export::Signed => DataType::Int64,
            Export::Real => DataType::Float64,
            Export::Truth => DataType::Boolean,
        };
        Field::new(column.name, data_type, true)
    };
    Arc::new(Schema::new(table.columns.iter().map(field).collect::<Vec<_>>()))
}

/// The rows of a table of all launches, of these executions if it is the one of events.
pub(crate) fn of<'a>(
    table: &'static ExportTable,
    launches: &'a [Launch],
    executions: Executions,
) -> Batches<'a> {
    match table.key {
        "events" => events(table, launches, executions),
        "iterations" => Box::new(launches.iter().map(move |launch| iterations(table, launch))),
        "launches" => Box::new(std::iter::once_with(move || facts(table, launches))),
        _ => Box::new(launches.iter().map(move |launch| operators(table, launch))),
    }
}

/// Columns of a batch, in the order in which they are added.
struct Columns {
    table: &'static ExportTable,
    arrays: Vec<(&'static str, ArrayRef)>,
}

impl Columns {
    fn new(table: &'static ExportTable) -> Columns {
        Columns { table, arrays: Vec::new() }
    }

    fn small(&mut self, name: &'static str, values: impl Iterator<Item = Option<u32>>) {
        let mut builder = UInt32Builder::new();
        values.for_each(|value| builder.append_option(value));
        self.arrays.push((name, Arc::new(builder.finish())));
    }

    fn whole(&mut self, name: &'static str, values: impl Iterator<Item = Option<u64>>) {
        let mut builder = UInt64Builder::new();
        values.for_each(|value| builder.append_option(value));
        self.arrays.push((name, Arc::new(builder.finish())));
    }

    fn signed(&mut self, name: &'static str, values: impl Iterator<Item = Option<i64>>) {
        let mut builder = Int64Builder::new();
        values.for_each(|value| builder.append_option(value));
        self.arrays.push((name, Arc::new(builder.finish())));
    }

    fn real(&mut self, name: &'static str, values: impl Iterator<Item = Option<f64>>) {
        let mut builder = Float64Builder::new();
        values.for_each(|value| builder.append_option(value));
        self.arrays.push((name, Arc::new(builder.finish())));
    }

    fn truth(&mut self, name: &'static str, values: impl Iterator<Item = Option<bool>>) {
        let mut builder = BooleanBuilder::new();
        values.for_each(|value| builder.append_option(value));
        self.arrays.push((name, Arc::new(builder.finish())));
    }

    fn text<T: AsRef<str>>(&mut self, name: &'static str, values: impl Iterator<Item = Option<T>>) {
        let mut builder = StringBuilder::new();
        values.for_each(|value| builder.append_option(value));
        self.arrays.push((name, Arc::new(builder.finish())));
    }

    /// The batch, with its columns in the order of the table.
    fn finish(mut self) -> io::Result<RecordBatch> {
        let order = |name: &str| self.table.columns.iter().position(|column| column.name == name);
        // Columns were built by type.
        self.arrays.sort_by_key(|(name, _)| order(name));
        let arrays = self.arrays.into_iter().map(|(_, array)| array).collect();
        RecordBatch::try_new(schema_of(self.table), arrays).map_err(io::Error::other)
    }
}

/// One batch per chunk of events.
fn events<'a>(
    table: &'static ExportTable,
    launches: &'a [Launch],
    executions: Executions,
) -> Batches<'a> {
    let batches = launches.iter().flat_map(move |launch| {
        // Over the whole launch: an event may lie inside one of another chunk.
        let own = exclusive_times(launch);
        let mut begin = 0;
        launch.events.chunks.iter().map(move |chunk| {
            let times = &own[begin..begin + chunk.len()];
            begin += chunk.len();
            let rows = executions.rows(launch, chunk);
            event_batch(table, launch, chunk, times, &rows)
        })
    });
    Box::new(batches)
}

/// Exclusive time of each event of a launch.
fn exclusive_times(launch: &Launch) -> Vec<u64> {
    let chunks = &launch.events.chunks;
    // Events contain each other only within a thread and an iteration.
    let lanes = chunks.iter().flat_map(|chunk| chunk.thread.iter().zip(&chunk.iteration));
    let lanes: Vec<(u32, u32)> = lanes.map(|(&thread, &number)| (thread, number)).collect();
    let starts: Vec<&[u64]> = chunks.iter().map(|chunk| &chunk.start[..]).collect();
    let durations: Vec<&[u64]> = chunks.iter().map(|chunk| &chunk.duration[..]).collect();
    exclusive(&starts.concat(), &durations.concat(), |event| lanes[event]).times
}

fn event_batch(
    table: &'static ExportTable,
    launch: &Launch,
    chunk: &onnxray_import::EventChunk,
    own: &[u64],
    rows: &[usize],
) -> io::Result<RecordBatch> {
    let mut columns = Columns::new(table);
    let rows = rows.iter().copied();
    let iteration = |row: usize| launch.iterations.get(chunk.iteration[row] as usize);
    let operator = |row: usize| &launch.operators[chunk.operator[row] as usize];
    let thread = |row: usize| launch.events.threads.get(chunk.thread[row] as usize);
    columns.small(column::LAUNCH, rows.clone().map(|_| Some(launch.run.launch)));
    columns.small(column::ITERATION, rows.clone().map(|row| Some(iteration(row)?.index)));
    columns.text(column::KIND, rows.clone().map(|row| Some(iteration(row)?.kind.name())));
    columns.small(column::OPERATOR, rows.clone().map(|row| Some(chunk.operator[row])));
    columns.text("name", rows.clone().map(|row| Some(&operator(row).name)));
    columns.text("type", rows.clone().map(|row| Some(&operator(row).operator_type)));
    columns.text("process", rows.clone().map(|row| Some(&thread(row)?.process)));
    columns.text(column::THREAD, rows.clone().map(|row| Some(&thread(row)?.thread)));
    columns.whole(column::START, rows.clone().map(|row| Some(chunk.start[row])));
    columns.whole(column::DURATION, rows.clone().map(|row| Some(chunk.duration[row])));
    columns.whole(column::EXCLUSIVE, rows.clone().map(|row| Some(own[row])));
    for figure in onnxray_import::figure::ALL {
        let known = launch.events.figures.iter().position(|known| known == figure);
        let values = known.and_then(|at| chunk.figures.get(at));
        columns.signed(figure.key, rows.clone().map(|row| values?.get(row)));
    }
    columns.finish()
}

fn iterations(table: &'static ExportTable, launch: &Launch) -> io::Result<RecordBatch> {
    let mut columns = Columns::new(table);
    let all = || launch.iterations.iter();
    columns.small(column::LAUNCH, all().map(|_| Some(launch.run.launch)));
    columns.small(column::ITERATION, all().map(|iteration| Some(iteration.index)));
    columns.text(column::KIND, all().map(|iteration| Some(iteration.kind.name())));
    columns.text("phase", all().map(|iteration| Some(iteration.step?.phase.name())));
    columns.small("tokens", all().map(|iteration| Some(iteration.step?.tokens)));
    columns.small("cached", all().map(|iteration| Some(iteration.step?.cached)));
    columns.whole(column::START, all().map(|iteration| Some(iteration.start.0)));
    columns.whole(column::DURATION, all().map(|iteration| Some(iteration.duration.0)));
    columns.finish()
}

fn operators(table: &'static ExportTable, launch: &Launch) -> io::Result<RecordBatch> {
    let mut columns = Columns::new(table);
    let all = || launch.operators.iter();
    let mut averages: Vec<Option<&Average>> = vec![None; launch.operators.len()];
    for average in &launch.averages {
        averages[average.operator as usize] = Some(average);
    }
    let average = |pick: fn(&Average) -> Option<f64>| {
        averages.clone().into_iter().map(move |average| pick(average?))
    };
    let weight = || all().map(|operator| operator.weight.as_ref());
    columns.small(column::LAUNCH, all().map(|_| Some(launch.run.launch)));
    columns.small(column::OPERATOR, all().map(|operator| Some(operator.number)));
    columns.text("name", all().map(|operator| Some(&operator.name)));
    columns.text("type", all().map(|operator| Some(&operator.operator_type)));
    columns.text("nodes", all().map(|operator| list(&operator.nodes)));
    columns.text("post_ops", all().map(|operator| list(&operator.post_ops)));
    columns.text("phase", all().map(|operator| Some(operator.phase?.name())));
    columns.text("kernel", all().map(|operator| operator.kernel.as_ref()));
    columns.small("parent", all().map(|operator| operator.parent));
    columns.truth("device", all().map(|operator| Some(operator.device)));
    type Side = fn(&Operator) -> &[Tensor];
    let sides: [(_, _, _, Side); 2] = [
        ("inputs", "input_types", "input_shapes", |operator| &operator.inputs),
        ("outputs", "output_types", "output_shapes", |operator| &operator.outputs),
    ];
    for (names, types, shapes, side) in sides {
        columns.text(names, all().map(|operator| tensors(side(operator), |t| t.name.clone())));
        columns.text(
            types,
            all().map(|operator| tensors(side(operator), |t| t.type_text().to_string())),
        );
        columns.text(shapes, all().map(|operator| tensors(side(operator), |t| t.shape_text("x"))));
    }
    columns.text("weight", weight().map(|weight| Some(&weight?.name)));
    columns.text("weight_type", weight().map(|weight| Some(weight?.data_type.name())));
    columns.whole("weight_outputs", weight().map(|weight| Some(weight?.outputs)));
    columns.whole("weight_inputs", weight().map(|weight| Some(weight?.inputs)));
    for (name, block) in export::SPARSE_RATIO_COLUMNS.into_iter().zip(Block::ALL) {
        columns.real(name, weight().map(|weight| weight?.sparse_ratio(block)));
    }
    // Without the model, a missing weight is unknown, and not absent.
    columns.truth(
        "sparse_support",
        all().map(|operator| {
            (operator.sparse_support || operator.parameters.is_some())
                .then_some(operator.sparse_support)
        }),
    );
    columns.whole("parameters", all().map(|operator| operator.parameters));
    columns.whole("flops", all().map(|operator| operator.flops));
    columns.whole("bytes", all().map(|operator| operator.bytes));
    columns.real(
        "executions",
        all().zip(average(|average| average.executions)).map(|(operator, stated)| {
            stated.or(operator.executions.map(|executions| executions as f64))
        }),
    );
    columns.real("mean_ns", average(|average| average.mean_ns));
    columns.real("median_ns", average(|average| average.median_ns));
    columns.real("min_ns", average(|average| average.min_ns));
    columns.real("max_ns", average(|average| average.max_ns));
    columns.text("attributes", all().map(|operator| pairs(&operator.attributes)));
    columns.finish()
}

fn facts(table: &'static ExportTable, launches: &[Launch]) -> io::Result<RecordBatch> {
    let mut columns = Columns::new(table);
    let all = || launches.iter().map(|launch| &launch.run);
    columns.small(column::LAUNCH, all().map(|run| Some(run.launch)));
    type Fact = fn(&Run) -> Option<&str>;
    let texts: [(_, Fact); 13] = [
        ("recording", |run| known(&run.recording)),
        ("profile", |run| known(&run.profile)),
        ("producer", |run| known(&run.producer)),
        ("model", |run| known(&run.model)),
        ("model_sha256", |run| run.model_sha256.as_deref()),
        ("inputs", |run| run.inputs.as_deref()),
        ("engine", |run| known(&run.engine)),
        ("engine_version", |run| known(&run.engine_version)),
        ("isa", |run| run.isa.as_deref()),
        ("cpu", |run| run.cpu.as_deref()),
        ("host", |run| run.host.as_deref()),
        ("operating_system", |run| run.operating_system.as_deref()),
        ("started_at", |run| run.started_at.as_deref()),
    ];
    for (name, fact) in texts {
        columns.text(name, all().map(fact));
    }
    columns.text("format", launches.iter().map(|launch| Some(launch.format.name)));
    columns.text(
        "files",
        launches.iter().map(|launch| list(launch.files.iter().map(|file| file.display()))),
    );
    columns.text(
        "dimensions",
        all().map(|run| pairs(run.dimensions.iter().map(|own| (&own.name, own.size)))),
    );
    columns.text("engine_options", all().map(|run| pairs(&run.engine_options)));
    columns.text("warnings", launches.iter().map(|launch| list(&launch.warnings)));
    columns.whole("parameters", all().map(|run| run.parameters));
    columns.whole("batch_size", all().map(|run| run.batch_size));
    columns.whole("load_time_ns", all().map(|run| Some(run.load_time?.0)));
    columns.small("threads", all().map(|run| run.threads));
    columns.small("instances", all().map(|run| run.instances));
    columns.small("rank", all().map(|run| run.rank));
    columns.small("world_size", all().map(|run| run.world_size));
    columns.finish()
}

/// Recordings write unknown facts as empty texts.
fn known(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

/// Texts joined by `; `; null if there are none.
fn list(texts: impl IntoIterator<Item = impl Display>) -> Option<String> {
    let texts: Vec<String> = texts.into_iter().map(|text| text.to_string()).collect();
    (!texts.is_empty()).then(|| texts.join("; "))
}

/// `name=value` pairs joined by `; `; null if there are none.
fn pairs(pairs: impl IntoIterator<Item = (impl Display, impl Display)>) -> Option<String> {
    list(pairs.into_iter().map(|(name, value)| format!("{name}={value}")))
}

fn tensors(tensors: &[Tensor], part: impl Fn(&Tensor) -> String) -> Option<String> {
    list(tensors.iter().map(part))
}
