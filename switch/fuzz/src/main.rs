//! Runs the fuzzers.

use std::path::PathBuf;
use std::process::ExitCode;

use fuzz::{run, Corpus, Options, Target};

const USAGE: &str = "\
usage: fuzz TARGET [--cases N] [--seed SEED] [--input FILE] [--corpus DIR]... [--failures DIR]

packets   frames through all programs, 100 per case
programs  damaged programs, one per case
requests  control requests and packets, 1000 requests per case
watched   programs, requests and packets, watched and unwatched
offloads  frames whose senders have left checksums or splitting to do, 100 per case

--input repeats the case that a coverage-guided run (make fuzz-guided) has found.

--seed is that of the first case, and each case's is one more than the one before's.
A case that fails is told with the command that repeats it; its input goes to the directory of
failures. More directories of compiled programs can be added to the corpus.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--help" || argument == "-h") {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    let load = |options: Options| Corpus::load(&options.corpus).map(|corpus| (options, corpus));
    let (options, corpus) = match parse(&arguments).and_then(load) {
        Ok(parsed) => parsed,
        Err(message) => {
            eprintln!("fuzz: {message}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match run(&corpus, &options) {
        Ok(summary) => {
            println!("{summary}");
            ExitCode::SUCCESS
        }
        Err(failure) => {
            eprintln!("fuzz: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn parse(arguments: &[String]) -> Result<Options, String> {
    let (target, rest) = arguments.split_first().ok_or("no target")?;
    let mut options = Options {
        target: target.parse::<Target>()?,
        seed: 1,
        cases: 1000,
        input: None,
        corpus: Vec::new(),
        failures: PathBuf::from("fuzz-failures"),
    };
    for pair in rest.chunks(2) {
        let [option, value] = pair else { return Err(format!("{} needs a value", pair[0])) };
        let number = || value.parse().map_err(|error| format!("{option} {value}: {error}"));
        match option.as_str() {
            "--cases" => options.cases = number()?,
            "--seed" => options.seed = number()?,
            "--input" => (options.input, options.cases) = (Some(read(value)?), 1),
            "--corpus" => options.corpus.push(PathBuf::from(value)),
            "--failures" => options.failures = PathBuf::from(value),
            _ => return Err(format!("no option {option}")),
        }
    }
    Ok(options)
}

fn read(path: &str) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|error| format!("--input {path}: {error}"))
}
