//! The case under way: what is needed to reproduce it, and a watchdog for one that hangs.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::options::Options;
use crate::process::cpu_time;

/// Far more than a case needs of the processor, and of time where many wait for the processor.
const CPU_TIME_LIMIT: Duration = Duration::from_secs(20);
const TIME_LIMIT: Duration = Duration::from_secs(600);

/// How often the watchdog looks.
const WATCH: Duration = Duration::from_millis(500);

/// What the case works on.
#[derive(Debug, Default)]
pub(crate) struct Evidence {
    origin: String,
    program: Option<Vec<u8>>,
    frame: Vec<u8>,
    frames: u64,
}

impl Evidence {
    /// A program: where it comes from, and its text if it was damaged.
    pub(crate) fn program(&mut self, origin: &Path, text: Option<&[u8]>) {
        self.origin = origin.display().to_string();
        self.program = text.map(<[u8]>::to_vec);
    }

    /// A frame that is sent.
    pub(crate) fn frame(&mut self, frame: &[u8]) {
        self.frame.clear();
        self.frame.extend_from_slice(frame);
        self.frames += 1;
    }
}

/// The case under way, for this thread and the watchdog.
#[derive(Debug, Clone, Default)]
pub(crate) struct CurrentCase(Arc<Mutex<Case>>);

#[derive(Debug, Default)]
struct Case {
    seed: u64,
    started: Option<(Instant, Duration)>,
    evidence: Evidence,
    run_has_ended: bool,
}

impl CurrentCase {
    /// The lock, also after a panic.
    fn lock(&self) -> MutexGuard<'_, Case> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts the next case.
    pub(crate) fn begin(&self, seed: u64) {
        let started = Some((Instant::now(), cpu_time()));
        *self.lock() = Case { seed, started, ..Case::default() };
    }

    /// Keeps what the case works on.
    pub(crate) fn note(&self, note: impl FnOnce(&mut Evidence)) {
        note(&mut self.lock().evidence);
    }

    /// Writes the case to files; says how to repeat it and where they are.
    pub(crate) fn save(&self, options: &Options) -> io::Result<String> {
        let case = self.lock();
        let directory = options.failures.join(format!("{}-{}", options.target, case.seed));
        fs::create_dir_all(&directory)?;
        if let Some(program) = &case.evidence.program {
            fs::write(directory.join("program.json"), program)?;
        }
        let corpus = options.corpus.iter().map(|path| format!(" --corpus {}", path.display()));
        let command = format!(
            "cargo run --profile test -p fuzz -- {} --seed {} --cases 1{}",
            options.target,
            case.seed,
            corpus.collect::<String>()
        );
        let Evidence { origin, frame, frames, .. } = &case.evidence;
        let frame: String = frame.iter().map(|byte| format!("{byte:02x}")).collect();
        let text = format!("{command}\nprogram: {origin}\nframe {frames}: {frame}\n");
        fs::write(directory.join("case.txt"), text)?;
        Ok(format!("{command}; its input is in {}", directory.display()))
    }

    /// Ends the watch.
    pub(crate) fn end_run(&self) {
        self.lock().run_has_ended = true;
    }

    /// Ends the process when a case takes too long; returns when the run has ended.
    pub(crate) fn watch(&self, options: &Options) {
        loop {
            thread::sleep(WATCH);
            let case = self.lock();
            if case.run_has_ended {
                return;
            }
            let too_long = case.started.is_some_and(|(started, cpu_started)| {
                started.elapsed() > TIME_LIMIT
                    || cpu_time().saturating_sub(cpu_started) > CPU_TIME_LIMIT
            });
            drop(case);
            if too_long {
                match self.save(options) {
                    Ok(case) => eprintln!("a case takes too long: {case}"),
                    Err(error) => eprintln!("a case takes too long; {error}"),
                }
                std::process::abort();
            }
        }
    }
}
