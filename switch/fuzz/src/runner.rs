//! Runs cases one after the other, and keeps what is needed to reproduce the one that fails.

use std::fmt;
use std::fs;
use std::io;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::{run_case, Corpus, Outcome, Target};

/// Far more than a case needs of the processor, and of time where many wait for the processor.
const CPU_TIME_LIMIT: Duration = Duration::from_secs(20);
const TIME_LIMIT: Duration = Duration::from_secs(600);

/// How often the watchdog looks.
const WATCH: Duration = Duration::from_millis(500);

/// Cases that bring memory to the size that it keeps.
const WARM_UP_CASES: u64 = 200;

/// What memory may grow by afterwards: the allocator's ways.
const MEMORY_GROWTH_BYTES: u64 = 128 << 20;

/// What to run.
#[derive(Debug, Clone)]
pub struct Options {
    /// What is hostile.
    pub target: Target,
    /// The first case's seed; the next ones follow.
    pub seed: u64,
    /// How many cases.
    pub cases: u64,
    /// Directories whose programs the corpus has besides the repository's.
    pub corpus: Vec<PathBuf>,
    /// Where to keep the input of a case that fails.
    pub failures: PathBuf,
}

/// What was run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Summary {
    /// Cases.
    pub cases: u64,
    /// What they did.
    pub outcome: Outcome,
    /// Memory after the first cases and at the end.
    pub memory_bytes: (u64, u64),
}

impl fmt::Display for Summary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Outcome { accepted_programs, packets, departures, accepted_requests } = self.outcome;
        let (before, after) = self.memory_bytes;
        write!(
            formatter,
            "{} cases: {accepted_programs} programs accepted, {packets} packets in, \
             {departures} out, {accepted_requests} requests carried out, \
             memory {} MiB after the first cases and {} MiB at the end",
            self.cases,
            before >> 20,
            after >> 20
        )
    }
}

/// Why a run ended early.
#[derive(Debug)]
pub enum Failure {
    /// A case ended in a panic: how to repeat it.
    Panic(String),
    /// Memory grows.
    Memory {
        /// After the first cases and at the end.
        bytes: (u64, u64),
    },
    /// Files cannot be written.
    Files(io::Error),
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Panic(case) => write!(formatter, "a case failed: {case}"),
            Failure::Memory { bytes: (before, after) } => {
                write!(formatter, "memory grew from {before} to {after} bytes")
            }
            Failure::Files(error) => write!(formatter, "{error}"),
        }
    }
}

/// What the case under way works on.
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

    fn begin(&self, seed: u64) {
        let started = Some((Instant::now(), cpu_time()));
        *self.lock() = Case { seed, started, ..Case::default() };
    }

    /// Keeps what the case works on.
    pub(crate) fn note(&self, note: impl FnOnce(&mut Evidence)) {
        note(&mut self.lock().evidence);
    }

    /// Writes the case to files; says how to repeat it and where they are.
    fn save(&self, options: &Options) -> io::Result<String> {
        let case = self.lock();
        let directory = options.failures.join(format!("{}-{}", options.target, case.seed));
        fs::create_dir_all(&directory)?;
        if let Some(program) = &case.evidence.program {
            fs::write(directory.join("program.json"), program)?;
        }
        let corpus = options.corpus.iter().map(|path| format!(" --corpus {}", path.display()));
        let command = format!(
            "cargo run --profile checked -p fuzz -- {} --seed {} --cases 1{}",
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

    /// Ends the process when a case takes too long.
    fn watch(&self, options: &Options) {
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

/// Runs cases until one fails; one that hangs ends the process.
pub fn run(corpus: &Corpus, options: &Options) -> Result<Summary, Failure> {
    let current = CurrentCase::default();
    let (watched, watched_options) = (current.clone(), options.clone());
    let watchdog = thread::spawn(move || watched.watch(&watched_options));
    let ended = run_cases(corpus, options, &current);
    current.lock().run_has_ended = true;
    // It has nothing to say about a run that has ended.
    let _ = watchdog.join();
    ended
}

fn run_cases(
    corpus: &Corpus,
    options: &Options,
    current: &CurrentCase,
) -> Result<Summary, Failure> {
    let mut outcome = Outcome::default();
    let mut memory_bytes = None;
    for number in 0..options.cases {
        let seed = options.seed.wrapping_add(number);
        current.begin(seed);
        let case = AssertUnwindSafe(|| run_case(options.target, corpus, seed, current));
        match catch_unwind(case) {
            Ok(done) => outcome += done,
            Err(_) => return Err(Failure::Panic(current.save(options).map_err(Failure::Files)?)),
        }
        if number == WARM_UP_CASES {
            memory_bytes = Some(resident_bytes().map_err(Failure::Files)?);
        }
    }
    let after = resident_bytes().map_err(Failure::Files)?;
    let before = memory_bytes.unwrap_or(after);
    match after.saturating_sub(before) {
        0..=MEMORY_GROWTH_BYTES => {
            Ok(Summary { cases: options.cases, outcome, memory_bytes: (before, after) })
        }
        _ => Err(Failure::Memory { bytes: (before, after) }),
    }
}

/// The processor time of this process, by Linux's account.
fn cpu_time() -> Duration {
    const TICK: Duration = Duration::from_millis(10);
    let statistics = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Behind the program's name: state, ten numbers, user and system time in ticks.
    let fields = statistics.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks = fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<u32>().ok());
    TICK * ticks.sum::<u32>()
}

/// Memory of this process, by Linux's account.
fn resident_bytes() -> io::Result<u64> {
    const PAGE_BYTES: u64 = 4096;
    let statistics = fs::read_to_string("/proc/self/statm")?;
    let pages = statistics.split(' ').nth(1).and_then(|pages| pages.parse().ok());
    let pages: u64 = pages.ok_or_else(|| io::Error::other("/proc/self/statm has another form"))?;
    Ok(pages * PAGE_BYTES)
}
