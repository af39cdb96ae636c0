//! What the machine can do at most: the rates that no operator exceeds.
//!
//! Each is the best of many short trials: what disturbs some of them lowers no roof. Trials last a
//! millisecond, so that some fit between those that take a core away, and go on for long enough that
//! a processor gets to its highest frequency.

mod caches;
mod kernels;

use crate::{cores, memory};
use onnxray_format::{ArithmeticRoof, BandwidthRoof, DataType, Roofs};
use onnxray_text::counted;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Barrier, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Time for the trials of a roof of the core's own: six roofs take a third of a second.
const TIME: Duration = Duration::from_millis(30);
/// Time for those of the first one, in which a processor gets to its highest frequency, and of
/// memory, which other machines on the same one disturb: the best of half as many is 9 % lower.
const LONG_TIME: Duration = Duration::from_millis(60);
/// The same where no two trials are alike: those of a busy machine.
const LONGEST: Duration = Duration::from_millis(150);
/// The second best of the best.
const ALIKE: f64 = 0.98;
/// Trials even where threads hardly get to run.
const FEWEST: u32 = 3;
/// Rounds of a trial: a millisecond at 4 GHz, two rounds of 12 multiply-adds taking 12 cycles.
const ROUNDS: u32 = 600_000;
/// Bytes that a thread reads in a trial: a millisecond of memory, less of caches.
const READ: u64 = 16 << 20;

/// Measures with this many threads on the cores that this thread may use. `limit` is the CPU time
/// that the container allows, in cores.
pub(crate) fn measure(threads: u32, limit: Option<f64>) -> Roofs {
    // Launches of two recordings in one process have the same roofs.
    type Known = (u32, Option<Vec<u32>>, Roofs);
    static KNOWN: Mutex<Option<Known>> = Mutex::new(None);
    let cores = cores::allowed();
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((of_threads, of_cores, roofs)) = &*known
        && (*of_threads, of_cores) == (threads, &cores)
    {
        return roofs.clone();
    }
    let roofs = measured(threads, cores.as_deref().unwrap_or_default(), limit)
        .unwrap_or_else(|unknown| Roofs { unknown: Some(unknown), ..Roofs::default() });
    *known = Some((threads, cores, roofs.clone()));
    roofs
}

fn measured(threads: u32, cores: &[u32], limit: Option<f64>) -> Result<Roofs, String> {
    if let Some(limit) = limit.filter(|&limit| limit < f64::from(threads)) {
        return Err(format!(
            "the container allows {limit} cores to {}: the roofs would be too low",
            counted(threads.into(), "thread", "threads")
        ));
    }
    if !cores.is_empty() && cores.len() < threads as usize {
        return Err(format!(
            "{threads} threads share {}: the roofs would be too low",
            counted(cores.len() as u64, "core", "cores")
        ));
    }
    let level = kernels::level()?;
    let arithmetic = |data_type, kernel: Result<kernels::Dots, String>| {
        let time = if data_type == DataType::Fp32 { LONG_TIME } else { TIME };
        let best = kernel.map(|kernel| best(threads, time, |_, _| kernel(level, ROUNDS)));
        let (gflops, unknown) = match best {
            Ok(best) => (best, None),
            Err(reason) => (None, Some(reason)),
        };
        ArithmeticRoof { data_type, gflops, unknown }
    };
    Ok(Roofs {
        unknown: None,
        threads: Some(threads),
        isa: Some(kernels::name(level).to_string()),
        arithmetic: vec![
            arithmetic(DataType::Fp32, Ok(kernels::multiply_add)),
            arithmetic(DataType::S8, kernels::dots(level)),
        ],
        bandwidth: bandwidth(threads, cores),
    })
}

/// The rate of each level, none of which is below that of a larger one.
fn bandwidth(threads: u32, cores: &[u32]) -> Vec<BandwidthRoof> {
    let mut levels = caches::levels(Path::new(cores::SYSTEM), cores, threads);
    // A container may not have room for what memory is measured with.
    let most = memory::limit().map_or(u64::MAX, |limit| limit / 4);
    levels.retain(|level| level.read <= most);
    let largest = levels.iter().map(|level| level.read).max().unwrap_or(0);
    let Ok(data) = memory::resident(largest as usize) else { return Vec::new() };
    let mut roofs: Vec<BandwidthRoof> = Vec::new();
    for caches::Level { name, bytes, read } in levels.into_iter().rev() {
        // Each thread reads a part of its own; of a large one another piece in each trial.
        let each = (read / u64::from(threads)) as usize;
        let piece = each.min(READ as usize);
        let passes = (READ / (piece as u64).max(1)).max(1) as u32;
        let time = if bytes.is_some() { TIME } else { LONG_TIME };
        let rate = best(threads, time, |thread, trial| {
            let start = thread * each + piece * (trial % (each / piece.max(1)).max(1));
            kernels::read(&data[start..][..piece], passes);
            piece as f64 * f64::from(passes)
        });
        let larger = roofs.last().map_or(0.0, |larger| larger.gb_per_second);
        if let Some(rate) = rate {
            roofs.push(BandwidthRoof { level: name, bytes, gb_per_second: rate.max(larger) });
        }
    }
    roofs.reverse();
    roofs
}

/// The best rate of trials in which all threads work at once, per nanosecond, for at least this
/// `time`. `work` gets the numbers of the thread and of the trial, and returns how much it did. `None`
/// where the system makes no threads.
fn best(threads: u32, time: Duration, work: impl Fn(usize, usize) -> f64 + Sync) -> Option<f64> {
    let trials = &Trials {
        barrier: Barrier::new(threads as usize),
        gate: AtomicU8::new(CLOSED),
        is_over: AtomicBool::new(false),
        rate: Mutex::new(0.0),
        work,
    };
    thread::scope(|scope| {
        for thread in 1..threads as usize {
            let run = move || trials.run(thread, |_| {});
            // Those that wait for one that never comes would wait for ever.
            if thread::Builder::new().spawn_scoped(scope, run).is_err() {
                trials.gate.store(SHUT, Ordering::Release);
                return None;
            }
        }
        trials.gate.store(OPEN, Ordering::Release);
        let (begun, mut count, mut best, mut second) = (Instant::now(), 0, 0.0_f64, 0.0);
        trials.run(0, |rate| {
            count += 1;
            second = rate.min(best).max(second);
            best = best.max(rate);
            let time = if second >= ALIKE * best { time } else { LONGEST };
            let is_over = count >= FEWEST && begun.elapsed() >= time;
            trials.is_over.store(is_over, Ordering::Release);
        });
        (best > 0.0 && best.is_finite()).then_some(best)
    })
}

const CLOSED: u8 = 0;
const OPEN: u8 = 1;
const SHUT: u8 = 2;

struct Trials<Work> {
    barrier: Barrier,
    gate: AtomicU8,
    is_over: AtomicBool,
    /// Sum over the threads in this trial.
    rate: Mutex<f64>,
    work: Work,
}

impl<Work: Fn(usize, usize) -> f64> Trials<Work> {
    /// Works until it is over; the first thread calls `ended` after each trial.
    fn run(&self, thread: usize, mut ended: impl FnMut(f64)) {
        while self.gate.load(Ordering::Acquire) == CLOSED {
            thread::yield_now();
        }
        for trial in 0.. {
            if self.gate.load(Ordering::Acquire) == SHUT {
                return;
            }
            self.barrier.wait();
            if self.is_over.load(Ordering::Acquire) {
                return;
            }
            let start = Instant::now();
            let done = (self.work)(thread, trial);
            let rate = done / start.elapsed().as_nanos().max(1) as f64;
            *self.rate.lock().unwrap_or_else(PoisonError::into_inner) += rate;
            self.barrier.wait();
            if thread == 0 {
                let mut rate = self.rate.lock().unwrap_or_else(PoisonError::into_inner);
                ended(std::mem::take(&mut *rate));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trials_are_of_all_threads_together() {
        let calls: [AtomicU8; 3] = std::array::from_fn(|_| AtomicU8::new(0));
        let rate = best(3, TIME, |thread, _| {
            calls[thread].fetch_add(1, Ordering::Relaxed);
            thread::sleep(Duration::from_millis(1));
            1e6
        });
        let counts = calls.map(AtomicU8::into_inner);
        assert!(counts[0] >= FEWEST as u8 && counts == [counts[0]; 3], "{counts:?}");
        // A thread does at most 1e6 in a millisecond: 1 per nanosecond.
        assert!((0.0..=3.0).contains(&rate.unwrap()), "{rate:?}");
    }

    #[test]
    fn what_would_be_too_low_is_unknown() {
        let unknown = |threads, cores: &[u32], limit| measured(threads, cores, limit).unwrap_err();
        let reason = unknown(2, &[0, 1], Some(1.5));
        assert!(reason.starts_with("the container allows 1.5 cores to 2 threads"), "{reason}");
        assert!(unknown(2, &[1], None).starts_with("2 threads share 1 core:"));
    }

    #[test]
    fn roofs_are_in_order() {
        let roofs = measure(1, None);
        if roofs.unknown.is_some() {
            assert_eq!((roofs.arithmetic.len(), roofs.bandwidth.len()), (0, 0));
            return;
        }
        assert!(roofs.gflops(DataType::Fp32).unwrap() > 0.0);
        let rates = roofs.bandwidth.iter().map(|roof| roof.gb_per_second);
        assert!(rates.is_sorted_by(|larger, smaller| larger >= smaller), "{roofs:?}");
        assert_eq!(measure(1, None), roofs, "measured once");
    }
}
