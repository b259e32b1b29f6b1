//! Captures of every port's frames: files in libpcap's format with nanoseconds, for each port one
//! of the frames that came in and one of those that went out.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{channel, Receiver, Sender};
use std::sync::Arc;

use super::spool::{Batch, Spool, SpoolWriter};
use crate::config::PortConfig;
use crate::time::NS_PER_S;
use crate::warn::Warn;

const MAGIC_NANOSECONDS: u32 = 0xa1b2_3c4d;
const VERSION: (u16, u16) = (2, 4);
/// The longest frame that readers accept; no interface has longer ones.
const SNAP_LENGTH_BYTES: u32 = 262_144;
const LINK_TYPE_ETHERNET: u32 = 1;

/// Before every record in the spool: the file's index and the record's length.
const PREFIX_BYTES: usize = 8;

/// Which way a frame goes through a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    In,
    Out,
}

/// Whose frames are captured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Captured {
    /// Those of every port.
    All,
    /// Those of ports with an interface, so that switches with one directory share no file.
    WithInterface,
}

impl Captured {
    fn includes(self, config: &PortConfig) -> bool {
        self == Captured::All || config.interface.is_some()
    }
}

/// Captures under way. Dropping it completes the files.
#[derive(Debug)]
pub(crate) struct Capture {
    captured: Captured,
    /// By the position of their files.
    ports: Vec<CapturedPort>,
    directory: PathBuf,
    /// Files of ports that come later, in their order, on their way to the writer.
    later: Sender<PathBuf>,
    spool: Arc<Spool>,
    _writer: SpoolWriter,
}

/// Whose frames a pair of files has.
#[derive(Debug)]
struct CapturedPort {
    /// None: that of a port that is gone.
    number: Option<u16>,
    /// What the files are called.
    name: String,
}

impl Capture {
    /// Creates a file `<NAME>_in.pcap` and one `<NAME>_out.pcap` for each port that is captured in
    /// `directory`, which is created if need be. NAME is the interface's; that of a port without
    /// one is `port<N>`; of two ports with one name, the later one's ends with `-<N>`.
    pub(crate) fn start(
        directory: &Path,
        captured: Captured,
        ports: &[PortConfig],
        warn: Warn,
    ) -> io::Result<Capture> {
        std::fs::create_dir_all(directory)?;
        let mut named = Vec::new();
        for config in ports.iter().filter(|config| captured.includes(config)) {
            named.push(CapturedPort::new(config, &named));
        }
        let paths = named.iter().flat_map(|port| paths(directory, &port.name));
        let files = paths.map(CaptureFile::create).collect::<io::Result<_>>()?;
        let (later, receiver) = channel();
        let mut files = Files { files, later: receiver };
        let spool = Arc::new(Spool::default());
        let write = move |batch: &Batch, warn: &Warn| files.write(batch, warn);
        let writer = SpoolWriter::start("capture", Arc::clone(&spool), warn, write)?;
        let directory = directory.to_owned();
        Ok(Capture { captured, ports: named, directory, later, spool, _writer: writer })
    }

    /// Captures a port that comes later, too; in the files of one that had its name, if any.
    pub(crate) fn add(&mut self, config: &PortConfig) {
        if !self.captured.includes(config) {
            return;
        }
        let port = CapturedPort::new(config, &self.ports);
        match self.ports.iter_mut().find(|known| known.name == port.name) {
            Some(known) => known.number = port.number,
            None => {
                for path in paths(&self.directory, &port.name) {
                    // A writer that has died has told so.
                    let _ = self.later.send(path);
                }
                self.ports.push(port);
            }
        }
    }

    /// Captures a port no more.
    pub(crate) fn remove(&mut self, port: u16) {
        self.ports
            .iter_mut()
            .filter(|known| known.number == Some(port))
            .for_each(|known| known.number = None);
    }

    /// Captures a frame at a time since the Unix epoch.
    pub(crate) fn record(&self, port: u16, direction: Direction, at_ns: u64, frame: &[u8]) {
        let Some(position) = self.ports.iter().position(|known| known.number == Some(port)) else {
            return;
        };
        let file = 2 * position as u32 + direction as u32;
        let captured = &frame[..frame.len().min(SNAP_LENGTH_BYTES as usize)];
        let header = [
            (at_ns / NS_PER_S) as u32,
            (at_ns % NS_PER_S) as u32,
            captured.len() as u32,
            frame.len() as u32,
        ];
        let record_bytes = (4 * header.len() + captured.len()) as u32;
        let [seconds, nanoseconds, captured_bytes, frame_bytes] = header.map(u32::to_le_bytes);
        self.spool.append(&[
            &file.to_le_bytes(),
            &record_bytes.to_le_bytes(),
            &seconds,
            &nanoseconds,
            &captured_bytes,
            &frame_bytes,
            captured,
        ]);
    }
}

impl CapturedPort {
    /// The files of ports that are there are not for another one, whatever it is called.
    fn new(config: &PortConfig, ports: &[CapturedPort]) -> Self {
        let mut name = config.interface.clone().unwrap_or_else(|| format!("port{}", config.port));
        while ports.iter().any(|other| other.number.is_some() && other.name == name) {
            name = format!("{name}-{}", config.port);
        }
        CapturedPort { number: Some(config.port), name }
    }
}

/// The files for frames that come in and that go out.
fn paths(directory: &Path, name: &str) -> [PathBuf; 2] {
    ["in", "out"].map(|direction| directory.join(format!("{name}_{direction}.pcap")))
}

/// The writer's side.
struct Files {
    files: Vec<CaptureFile>,
    later: Receiver<PathBuf>,
}

impl Files {
    fn write(&mut self, batch: &Batch, warn: &Warn) {
        // Those of the batch's records have been sent before these.
        self.files.extend(self.later.try_iter().map(CaptureFile::create_if_possible));
        let mut rest = &batch.bytes[..];
        while let Some((prefix, records)) = rest.split_at_checked(PREFIX_BYTES) {
            let number = |range: std::ops::Range<usize>| {
                prefix[range].iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte))
            };
            let (record, next) = records.split_at(number(4..8));
            self.files[number(0..4)].write(record);
            rest = next;
        }
        for file in &mut self.files {
            if let Some(error) = file.flush() {
                warn(&format!("{}: {error}; the capture ends here", file.path.display()));
            }
        }
        if batch.lost_records > 0 {
            warn(&format!(
                "{} frames are missing in captures: the disk is too slow",
                batch.lost_records
            ));
        }
    }
}

struct CaptureFile {
    path: PathBuf,
    /// Nothing more is written after an error.
    file: Result<BufWriter<File>, Option<io::Error>>,
}

impl CaptureFile {
    fn create(path: PathBuf) -> io::Result<CaptureFile> {
        let mut file = BufWriter::new(File::create(&path)?);
        file.write_all(&file_header())?;
        file.flush()?;
        Ok(CaptureFile { path, file: Ok(file) })
    }

    /// Without one, the error is that of the first flush.
    fn create_if_possible(path: PathBuf) -> CaptureFile {
        let failed = |error| CaptureFile { path: path.clone(), file: Err(Some(error)) };
        CaptureFile::create(path.clone()).unwrap_or_else(failed)
    }

    fn write(&mut self, bytes: &[u8]) {
        if let Ok(file) = &mut self.file {
            if let Err(error) = file.write_all(bytes) {
                self.file = Err(Some(error));
            }
        }
    }

    /// Returns the first error once.
    fn flush(&mut self) -> Option<io::Error> {
        if let Ok(file) = &mut self.file {
            if let Err(error) = file.flush() {
                self.file = Err(Some(error));
            }
        }
        self.file.as_mut().err().and_then(Option::take)
    }
}

fn file_header() -> Vec<u8> {
    let mut header = Vec::new();
    header.extend(MAGIC_NANOSECONDS.to_le_bytes());
    header.extend(VERSION.0.to_le_bytes());
    header.extend(VERSION.1.to_le_bytes());
    // Two numbers that are always 0: time zone and accuracy.
    header.extend([0; 8]);
    header.extend(SNAP_LENGTH_BYTES.to_le_bytes());
    header.extend(LINK_TYPE_ETHERNET.to_le_bytes());
    header
}
