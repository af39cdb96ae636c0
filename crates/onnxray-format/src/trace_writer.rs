//! Writes a launch as a Chrome trace, one iteration at a time.
//!
//! ```text
//! {"displayTimeUnit":"ns","otherData":{…run…},"traceEvents":[
//! {"name":"/MatMul","cat":"MatMul","ph":"X",…,"args":{…,"facts":{…}}},   first time
//! {"name":"Iteration0","cat":"iteration","ph":"X",…},
//! {"name":"/MatMul","cat":"MatMul","ph":"X",…,"args":{"op":0}},          later
//! {"name":"Iteration1",…},
//! {"name":"model_inference","cat":"inference","ph":"X",…}
//! ],"idleOperators":[…],"completed":{"iterations":2,"plain_iterations":2,"events":2}}
//! ```
//!
//! An iteration follows its operators, because its duration is known last,
//! and each iteration reaches the file in one flush: a recorder that is killed
//! leaves whole iterations behind, at worst with a piece of the next one. Only
//! the closing `completed` tells that nothing is missing.

use crate::time::Microseconds;
use crate::track::{Lane, Track};
use crate::{Iteration, IterationKind, Nanoseconds, Operator, Run, Span, Step, Tensor};
use serde::Serialize;
use serde_json::json;
use std::io::{self, Write};

/// Thread number of the instrumented iterations in the trace.
const INFERENCE_THREAD: u32 = 1;
/// Thread number of the uninstrumented iterations.
const UNPROFILED_THREAD: u32 = 2;
/// Workers have the thread numbers after this one.
const WORKERS: u32 = UNPROFILED_THREAD;

/// When an operator's event carries all its facts and not just its number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OperatorArguments {
    /// On its first event, and on the next one after the facts changed.
    #[default]
    WhenChanged,
    /// On every event: larger files, for readers that know nothing of numbers.
    Always,
}

/// Writes one launch. Call [`TraceWriter::finish`] at the end; without it the
/// trace reads back, but as cut off.
pub struct TraceWriter<W: Write> {
    out: W,
    /// Lane of the model event, and of the iterations that we recorded.
    lane: Lane,
    arguments: OperatorArguments,
    operators: Vec<OperatorText>,
    /// Bytes that have not reached the output.
    buffer: Vec<u8>,
    first: Option<Nanoseconds>,
    last: Nanoseconds,
    iterations: u64,
    unprofiled_iterations: u64,
    events: u64,
    /// Workers that have a name in the trace, which are the first ones.
    workers: u32,
    /// Further members of the document, each with a comma in front.
    members: String,
}

/// The parts of an operator's event that never change, ready to be copied.
struct OperatorText {
    /// The operator's facts alone, for an operator that never runs.
    idle: String,
    /// From `{` up to the value of `pid`.
    head: String,
    number: u32,
    /// The full arguments from after `forward_time` to the closing brace.
    facts: String,
    written: bool,
}

impl<W: Write> TraceWriter<W> {
    /// Begins with the run's metadata and the thread names, which are written with the
    /// first iteration: what is killed before that leaves nothing.
    pub fn new(
        out: W,
        run: &Run,
        operators: &[Operator],
        arguments: OperatorArguments,
    ) -> TraceWriter<W> {
        let track = |thread: u32, name: &str| Track {
            pid: run.process.into(),
            tid: thread.into(),
            thread_name: name.to_string(),
            ..Track::default()
        };
        let tracks =
            [track(INFERENCE_THREAD, "inference"), track(UNPROFILED_THREAD, "uninstrumented")];
        let title = format!("onnxray {} {}", run.profile, run.model);
        TraceWriter::begin(out, run, (operators, arguments), &tracks, &title)
    }

    /// Begins a trace converted from another producer's, whose executions and iterations are on
    /// these tracks; the first one is the model's. `title` names processes without a name.
    ///
    /// # Errors
    ///
    /// If the tracks cannot be written as JSON.
    pub fn converted(
        out: W,
        run: &Run,
        operators: &[Operator],
        tracks: &[Track],
        title: &str,
    ) -> io::Result<TraceWriter<W>> {
        let arguments = OperatorArguments::WhenChanged;
        let mut writer = TraceWriter::begin(out, run, (operators, arguments), tracks, title);
        writer.add_member("threads", &tracks)?;
        Ok(writer)
    }

    fn begin(
        out: W,
        run: &Run,
        (operators, arguments): (&[Operator], OperatorArguments),
        tracks: &[Track],
        title: &str,
    ) -> TraceWriter<W> {
        let head = json!({"displayTimeUnit": "ns", "otherData": run}).to_string();
        // The object stays open: the array of events is its last big member.
        let names: Vec<String> =
            Track::names(tracks, title).iter().map(|name| name.to_string()).collect();
        let head = format!("{},\"traceEvents\":[\n{}", &head[..head.len() - 1], names.join(",\n"));
        let mut writer = TraceWriter {
            out,
            lane: tracks.first().map(Track::lane).unwrap_or_default(),
            arguments,
            operators: Vec::new(),
            buffer: head.into_bytes(),
            first: None,
            last: Nanoseconds(0),
            iterations: 0,
            unprofiled_iterations: 0,
            events: 0,
            workers: 0,
            members: String::new(),
        };
        writer.set_operators(operators);
        writer
    }

    /// Writes what is in the buffer, which is given up if that fails.
    fn empty_buffer(&mut self) -> io::Result<()> {
        // Cleared also on failure: written twice, a part of it would damage the file further.
        let written = self.out.write_all(&self.buffer);
        self.buffer.clear();
        written
    }

    /// Replaces the operators' facts, for instance because the shapes of the
    /// inputs changed; they are written out again where they did.
    pub fn set_operators(&mut self, operators: &[Operator]) {
        let mut previous = std::mem::take(&mut self.operators).into_iter();
        for operator in operators {
            let mut text = OperatorText::new(operator);
            text.written = previous
                .next()
                // By position, since numbers are positions in the table.
                .is_some_and(|previous| previous.written && previous.facts == text.facts);
            self.operators.push(text);
        }
    }

    /// Writes an iteration with its operators' executions and flushes.
    ///
    /// Spans of operators that are not in the table are not written: they have
    /// no name.
    ///
    /// # Errors
    ///
    /// If the output cannot be written.
    pub fn write_iteration(&mut self, iteration: &Iteration, spans: &[Span]) -> io::Result<()> {
        self.spans(spans)?;
        let lane = match iteration.kind {
            IterationKind::Unprofiled => Lane { thread: UNPROFILED_THREAD.into(), ..self.lane },
            _ => self.lane,
        };
        self.iteration(iteration, lane)
    }

    /// Writes the executions of operators in an iteration that was written without them, and
    /// flushes.
    ///
    /// # Errors
    ///
    /// If the output cannot be written.
    pub fn write_spans(&mut self, spans: &[Span]) -> io::Result<()> {
        self.spans(spans)?;
        self.empty_buffer()?;
        self.out.flush()
    }

    fn spans(&mut self, spans: &[Span]) -> io::Result<()> {
        for span in spans {
            let Some(text) = self.operators.get_mut(span.operator as usize) else { continue };
            // When a worker first appears: their number is not known in the beginning.
            while self.workers < span.worker {
                self.workers += 1;
                let name = json!({"name": "thread_name", "ph": "M", "pid": self.lane.process,
                    "tid": WORKERS + self.workers,
                    "args": {"name": format!("worker {}", self.workers)}});
                write!(self.buffer, ",\n{name}")?;
            }
            let lane = match span.worker {
                0 => self.lane,
                worker => Lane { thread: (WORKERS + worker).into(), ..self.lane },
            };
            let full = self.arguments == OperatorArguments::Always || !text.written;
            text.written = true;
            text.write(&mut self.buffer, span, lane, full, &[])?;
            self.events += 1;
        }
        Ok(())
    }

    /// Appends an iteration to the buffer, and writes and flushes all of it.
    fn iteration(
        &mut self,
        iteration: &Iteration,
        Lane { process, thread }: Lane,
    ) -> io::Result<()> {
        let (name, category) = match iteration.kind {
            IterationKind::Unprofiled => ("PlainIteration", "plain_iteration"),
            _ => ("Iteration", "iteration"),
        };
        let warmup = match iteration.kind {
            IterationKind::WarmUp => ",\"warmup\":true",
            _ => "",
        };
        let step = iteration.step.map_or(String::new(), |Step { phase, tokens, cached }| {
            format!(",\"phase\":\"{}\",\"tokens\":{tokens},\"cached\":{cached}", phase.name())
        });
        write!(
            self.buffer,
            ",\n{{\"name\":\"{name}{index}\",\"cat\":\"{category}\",\"ph\":\"X\",\"pid\":{process},\
             \"tid\":{thread},\"ts\":{start},\"dur\":{duration},\
             \"args\":{{\"iteration\":{index}{warmup}{step}}}}}",
            index = iteration.index,
            start = Microseconds(iteration.start),
            duration = Microseconds(iteration.duration),
        )?;
        self.empty_buffer()?;
        self.out.flush()?;
        if iteration.kind == IterationKind::Unprofiled {
            self.unprofiled_iterations += 1;
        } else {
            self.iterations += 1;
            self.first.get_or_insert(iteration.start);
            // Unprofiled iterations are on a track of their own, outside of `model_inference`.
            self.last = self.last.max(iteration.end());
        }
        Ok(())
    }

    /// Writes an execution of another producer's trace, with its figures by name.
    ///
    /// # Errors
    ///
    /// If the output cannot be written.
    pub fn write_execution(
        &mut self,
        span: &Span,
        lane: Lane,
        figures: &[(&str, i64)],
    ) -> io::Result<()> {
        let Some(text) = self.operators.get_mut(span.operator as usize) else { return Ok(()) };
        let full = self.arguments == OperatorArguments::Always || !text.written;
        text.written = true;
        text.write(&mut self.buffer, span, lane, full, figures)?;
        self.events += 1;
        self.empty_buffer()
    }

    /// Writes an iteration of another producer's trace, without executions.
    ///
    /// # Errors
    ///
    /// If the output cannot be written.
    pub fn write_mark(&mut self, iteration: &Iteration, lane: Lane) -> io::Result<()> {
        self.iteration(iteration, lane)
    }

    /// Adds a member to the document after the events.
    ///
    /// # Errors
    ///
    /// If the value cannot be written as JSON.
    pub fn add_member(&mut self, name: &str, value: &impl Serialize) -> io::Result<()> {
        self.members.push_str(&format!(",{}:{}", json!(name), json!(value)));
        Ok(())
    }

    /// Writes the model event, the operators that never ran, such as those of a
    /// branch not taken, and the closing mark.
    ///
    /// # Errors
    ///
    /// If the output cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        self.empty_buffer()?;
        let start = self.first.unwrap_or_default();
        let idle = self.operators.iter().filter(|operator| !operator.written);
        let idle: Vec<&str> = idle.map(|operator| operator.idle.as_str()).collect();
        write!(
            self.out,
            ",\n{{\"name\":\"model_inference\",\"cat\":\"inference\",\"ph\":\"X\",\"pid\":{},\
             \"tid\":{},\"ts\":{},\"dur\":{},\"args\":{{}}}}\n\
             ],\"idleOperators\":[{}]{},\"completed\":{{\"iterations\":{},\"plain_iterations\":{},\"events\":{}}}}}\n",
            self.lane.process,
            self.lane.thread,
            Microseconds(start),
            Microseconds(self.last - start),
            idle.join(","),
            self.members,
            self.iterations,
            self.unprofiled_iterations,
            self.events,
        )?;
        self.out.flush()?;
        Ok(self.out)
    }
}

impl OperatorText {
    fn new(operator: &Operator) -> OperatorText {
        let head = format!(
            "{{\"name\":{},\"cat\":{},\"ph\":\"X\",\"pid\":",
            json!(operator.name),
            json!(operator.operator_type),
        );
        let arguments = json!({
            "input_tensor_name": join(&operator.inputs, |tensor| tensor.name.clone()),
            "input_type": join(&operator.inputs, |tensor| tensor.type_text().to_string()),
            "input_shape": join(&operator.inputs, shape_text),
            "output_tensor_name": join(&operator.outputs, |tensor| tensor.name.clone()),
            "output_type": join(&operator.outputs, |tensor| tensor.type_text().to_string()),
            "output_shape": join(&operator.outputs, shape_text),
            "attributes": attributes_text(operator),
            "facts": operator,
        })
        .to_string();
        // Drop the brace: the times and the number come first.
        let facts = arguments[1..].to_string();
        let idle = json!(operator).to_string();
        OperatorText { idle, head, number: operator.number, facts, written: false }
    }

    fn write(
        &self,
        buffer: &mut Vec<u8>,
        span: &Span,
        Lane { process, thread }: Lane,
        full: bool,
        figures: &[(&str, i64)],
    ) -> io::Result<()> {
        buffer.extend_from_slice(b",\n");
        buffer.extend_from_slice(self.head.as_bytes());
        write!(
            buffer,
            "{process},\"tid\":{thread},\"ts\":{},\"dur\":{},\"args\":{{\"op\":{}",
            Microseconds(span.start),
            Microseconds(span.duration),
            self.number
        )?;
        for (index, (key, value)) in figures.iter().enumerate() {
            let before = if index == 0 { ",\"figures\":{" } else { "," };
            write!(buffer, "{before}\"{key}\":{value}")?;
        }
        if !figures.is_empty() {
            buffer.push(b'}');
        }
        if full {
            // No `reshape_time`: tract fixes shapes when it loads the model, ONNX Runtime computes
            // them within the kernel.
            write!(buffer, ",\"forward_time\":\"{:.6}ms\",", span.duration.milliseconds())?;
            buffer.extend_from_slice(self.facts.as_bytes());
        } else {
            buffer.push(b'}');
        }
        buffer.push(b'}');
        Ok(())
    }
}

fn join(tensors: &[Tensor], text: impl Fn(&Tensor) -> String) -> String {
    tensors.iter().map(text).collect::<Vec<_>>().join(",")
}

/// Dimensions joined by `*`, as the Neural Engine's trace has them.
fn shape_text(tensor: &Tensor) -> String {
    tensor.shape_text("*")
}

fn attributes_text(operator: &Operator) -> String {
    let post_ops = (!operator.post_ops.is_empty())
        .then(|| format!("append_op:{}", operator.post_ops.join(",")));
    let attributes = operator.attributes.iter().map(|(key, value)| format!("{key}:{value}"));
    post_ops.into_iter().chain(attributes).collect::<Vec<_>>().join(";")
}
