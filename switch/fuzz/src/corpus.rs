//! The programs that the fuzzers start from.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::frames::Parser;
use crate::random::Random;

/// Where the repository keeps compiled programs.
const DIRECTORIES: [&str; 3] =
    ["../../p4src/build", "../pipeline/tests/programs", "../tests/programs"];

/// Compiled programs.
#[derive(Debug)]
pub struct Corpus {
    programs: Vec<CorpusProgram>,
}

/// A compiled program.
#[derive(Debug)]
pub struct CorpusProgram {
    /// Where it lies.
    pub path: PathBuf,
    /// Its JSON, without the places in its source.
    pub json: Value,
    /// The same as text.
    pub text: Vec<u8>,
    pub(crate) parser: Parser,
}

impl Corpus {
    /// The repository's programs, and those of more directories. The error is one line.
    pub fn load(more: &[PathBuf]) -> Result<Corpus, String> {
        let own = DIRECTORIES.map(|path| Path::new(env!("CARGO_MANIFEST_DIR")).join(path));
        let mut programs = Vec::new();
        for directory in own.iter().chain(more) {
            for path in json_files(directory)? {
                programs.push(CorpusProgram::load(path)?);
            }
        }
        match programs.is_empty() {
            false => Ok(Corpus { programs }),
            true => Err("there are no programs".to_string()),
        }
    }

    /// All programs, in the order of their paths.
    pub fn programs(&self) -> &[CorpusProgram] {
        &self.programs
    }

    pub(crate) fn choose(&self, random: &mut Random) -> &CorpusProgram {
        &self.programs[random.usize(..self.programs.len())]
    }
}

impl CorpusProgram {
    fn load(path: PathBuf) -> Result<CorpusProgram, String> {
        let text = std::fs::read(&path).map_err(|error| of_file(&path, &error))?;
        let mut json = serde_json::from_slice(&text).map_err(|error| of_file(&path, &error))?;
        strip(&mut json);
        let parser = Parser::of(&json);
        let text = json.to_string().into_bytes();
        Ok(CorpusProgram { path, json, text, parser })
    }
}

fn json_files(directory: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(directory).map_err(|error| of_file(directory, &error))?;
    let mut paths: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    paths.sort();
    Ok(paths)
}

fn of_file(path: &Path, error: &dyn std::error::Error) -> String {
    format!("{}: {error}", path.display())
}

/// Without the places in the source, damage hits what matters.
fn strip(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.remove("source_info");
            members.values_mut().for_each(strip);
        }
        Value::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}
