//! Several traces of one process as one.

use super::trace::EventTrace;
use std::collections::HashMap;

impl EventTrace {
    /// Adds the events of another trace of the same format behind those of this one, `later` by this
    /// many nanoseconds. Its work on devices must be found, and have no labels of its own yet.
    pub fn append(&mut self, other: EventTrace, later: i64) {
        let mut known: HashMap<&[u8], u32> = HashMap::new();
        (0..).zip(&self.labels).for_each(|(number, label)| _ = known.insert(&label.0, number));
        let mut next = self.labels.len() as u32;
        let mut new = Vec::new();
        let labels: Vec<u32> = (other.labels.iter().enumerate())
            .map(|(at, label)| {
                *known.entry(&label.0).or_insert_with(|| {
                    new.push(at);
                    next += 1;
                    next - 1
                })
            })
            .collect();
        for at in new {
            self.labels.push(other.labels[at].clone());
            self.first.push(other.first[at]);
        }
        let mut threads = Vec::with_capacity(other.threads.len());
        for thread in other.threads {
            let known = self.threads.iter().position(|known| *known == thread);
            threads.push(known.unwrap_or(self.threads.len()) as u32);
            if known.is_none() {
                self.threads.push(thread);
            }
        }
        let label = |number: u32| labels[number as usize];
        let thread = |number: u32| threads[number as usize];
        let moved = |time: i64| time.saturating_add(later);
        let chunks = self.chunks.len() as u32;
        let calls = self.work.iter().filter_map(|work| work.call).max().map_or(0, |last| last + 1);
        self.chunks.extend(other.chunks.into_iter().map(|mut rows| {
            rows.label.iter_mut().for_each(|number| *number = label(*number));
            rows.thread.iter_mut().for_each(|number| *number = thread(*number));
            rows.start.iter_mut().for_each(|start| *start = moved(*start));
            rows
        }));
        self.work.extend(other.work.into_iter().map(|mut work| {
            work.chunk += chunks;
            work.call = work.call.map(|call| call.saturating_add(calls));
            if let Some(launch) = &mut work.launch {
                launch.label = label(launch.label);
                launch.thread = thread(launch.thread);
                launch.start = moved(launch.start);
            }
            work
        }));
        self.marks.extend(other.marks.into_iter().map(|mut mark| {
            mark.label = label(mark.label);
            mark.thread = thread(mark.thread);
            mark.start = moved(mark.start);
            mark
        }));
        for (kind, count) in other.ignored {
            *self.ignored.entry(kind).or_default() += count;
        }
        for (phase, count) in other.phases {
            *self.phases.entry(phase).or_default() += count;
        }
        self.damage.merge(other.damage);
    }
}
