//! What the program tests share; none of them uses all of it.
#![allow(dead_code, unreachable_pub)]

pub mod hashes;
pub mod random;

use pipeline::{
    Control, Digest, EgressVerdict, LogSink, Match, NewEntry, Packet, Pipeline, QueueInfo,
    TableAction, TraceEvent, Verdict,
};

/// A loaded test program.
pub struct Switch {
    pipeline: Pipeline,
    packet: Packet,
}

impl Switch {
    /// What the user should know.
    pub fn notices(&mut self) -> Vec<String> {
        self.pipeline.notices().take()
    }

    /// Loads `tests/programs/<name>.json`.
    pub fn load(name: &str) -> Switch {
        let path = format!("{}/tests/programs/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let json = std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        Switch::of(&json)
    }

    /// Loads a program that may differ from those of the compiler.
    pub fn of(json: &[u8]) -> Switch {
        let pipeline = Pipeline::load(json).unwrap_or_else(|error| panic!("{error}"));
        // Watched packets run instructions, see `ways_to_run.rs`; all others, this.
        pipeline.compile().unwrap_or_else(|error| panic!("{error}"));
        let packet = pipeline.new_packet();
        Switch { pipeline, packet }
    }

    pub fn pipeline(&mut self) -> &mut Pipeline {
        &mut self.pipeline
    }

    pub fn control(&mut self) -> Control<'_> {
        self.pipeline.control()
    }

    /// Starts or stops watching packets.
    pub fn set_tracing(&mut self, tracing: bool) {
        self.pipeline.set_tracing(tracing);
    }

    /// What packets went through since the last call.
    pub fn take_trace(&mut self) -> Vec<TraceEvent> {
        self.pipeline.take_trace().collect()
    }

    /// Sends a frame through ingress and egress; None if one of them drops it.
    pub fn send(&mut self, frame: &[u8]) -> Option<Vec<u8>> {
        let port = self.ingress(frame, 3, 1000)?;
        self.egress(port, 2000, QueueInfo::default())
    }

    /// Sends a frame through ingress: its egress port.
    pub fn ingress(&mut self, frame: &[u8], port: u16, now_us: u64) -> Option<u16> {
        self.packet.set_frame(frame);
        match self.pipeline.ingress(&mut self.packet, port, now_us) {
            Verdict::Forward(port) => Some(port),
            Verdict::Drop | Verdict::Multicast(_) | Verdict::Resubmit => None,
        }
    }

    pub fn set_log(&mut self, sink: Option<LogSink>) {
        self.pipeline.set_log(sink);
    }

    /// The digest of the frame that went through ingress last.
    pub fn digest(&mut self) -> Option<Digest> {
        self.pipeline.take_digest(&mut self.packet)
    }

    /// Sends the frame that went through ingress last through egress.
    pub fn egress(&mut self, port: u16, now_us: u64, queue: QueueInfo) -> Option<Vec<u8>> {
        match self.pipeline.egress(&mut self.packet, port, now_us, queue) {
            EgressVerdict::Drop | EgressVerdict::Recirculate => None,
            EgressVerdict::Emit => Some(self.packet.frame().to_vec()),
        }
    }
}

/// The bytes one after the other.
pub fn frame(parts: &[&[u8]]) -> Vec<u8> {
    parts.concat()
}

/// Gives an entry without priority another action.
pub fn modify(control: &mut Control<'_>, table: &str, key: &[Match], action: TableAction) {
    let (key, metadata) = (key.to_vec(), Box::default());
    let new = NewEntry { key, priority: 0, action, idle_timeout_ns: 0, metadata };
    control.entry_modify(table, &new).unwrap();
}
