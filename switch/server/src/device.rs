//! The device that a server serves: engine, programs and controllers behind one set of requests, which
//! are P4Runtime's messages in bytes.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use std::time::Instant;

use engine::{SharedSwitch, Warn};
use p4runtime::messages::streams::{
    CapabilitiesRequest, CapabilitiesResponse, DigestListAck, GetForwardingPipelineConfigRequest,
    StreamMessageRequest, ToSwitch,
};
use p4runtime::{
    invalid, message, refusal, BatchStatus, Code, Error, P4Runtime, PipelineRequest, ReadRequest,
    Reading, Sender, WriteRequest, Writing,
};
use parking_lot::Mutex;
use pipeline::{Digest, TableEntry};
use prost::Message;
use tokio::sync::watch;

use crate::controllers::Controllers;
use crate::outbox::Outbox;
use crate::port_table::{LaterPorts, Live, Ports};

/// The specification that is served.
const API_VERSION: &str = "1.5.0";

/// Who hears of a program's news besides controllers. Its calls must not wait.
pub trait Listener: Send + Sync {
    /// Digests of packets.
    fn digests(&self, digests: &[Digest]);
    /// Entries that have become idle, by their tables' names.
    fn idle(&self, entries: &[(String, TableEntry)]);
}

/// One switch under its P4Runtime device id.
pub struct Device {
    /// Its id.
    pub id: u64,
    /// The programs, running and saved.
    pub p4runtime: P4Runtime,
    /// The switch's ports.
    pub ports: Ports,
    /// Never held for long.
    controllers: Mutex<Controllers>,
    failure: watch::Sender<Option<Error>>,
    /// Of frames from the CPU port, those that are no packet-in.
    dropped_frames: AtomicU64,
    warn: Warn,
}

impl fmt::Debug for Device {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Device").field("id", &self.id).finish_non_exhaustive()
    }
}

impl Device {
    /// A switch without a program. `warn` is told what its user should know.
    pub fn new(
        id: u64,
        engine: Arc<SharedSwitch>,
        live: Live,
        later: LaterPorts,
        warn: Warn,
    ) -> Device {
        Device {
            id,
            p4runtime: P4Runtime::new(Arc::clone(&engine)),
            ports: Ports { engine, live, later },
            controllers: Mutex::new(Controllers::new(id)),
            failure: watch::Sender::new(None),
            dropped_frames: AtomicU64::new(0),
            warn,
        }
    }

    /// Begins to apply updates in order (section 12): all of them, unless they are many. Nothing else
    /// must be written or read until it is complete and was handed to [`Device::finish`].
    pub fn write(&self, request: &[u8]) -> Result<Writing, Error> {
        let request = WriteRequest::decode(request)?;
        self.check_device(request.sender.device_id)?;
        let access = {
            let arbitration = &self.controllers.lock().arbitration;
            arbitration.access(arbitration.writer(&request.sender)?)
        };
        self.p4runtime.write(request, access)
    }

    /// What has failed of a Write.
    pub fn finish(&self, writing: &Writing) -> BatchStatus {
        // What was written to a saved config waits for its commit.
        self.controllers.lock().adopt_digests(self.p4runtime.digest_configs());
        writing.status()
    }

    /// Begins to read (section 13). Nothing must be written until all of it has been taken.
    pub fn read(&self, request: &[u8]) -> Result<Reading, Error> {
        let request = ReadRequest::decode(request)?;
        let role = request.sender.role.as_str();
        self.check_device(request.sender.device_id)?;
        let access = {
            let arbitration = &self.controllers.lock().arbitration;
            let scope = arbitration.reader(role)?;
            (!role.is_empty()).then(|| arbitration.access(scope))
        };
        self.p4runtime.read(request, access)
    }

    /// A config that its sender may verify, save or commit (section 14), by [`Device::change`].
    pub fn config_change(&self, request: &[u8]) -> Result<PipelineRequest, Error> {
        let change = PipelineRequest::decode(request)?;
        self.check_device(change.sender.device_id)?;
        if self.controllers.lock().arbitration.writer(&change.sender)?.may_push_pipeline() {
            return Ok(change);
        }
        let role = change.sender.role;
        Err(refusal!(
            PermissionDenied,
            "role {role} may not push a pipeline: its config has no can_push_pipeline"
        ))
    }

    /// Verifies, saves or commits. Nothing must be written or read meanwhile.
    pub fn change(&self, change: PipelineRequest) -> Result<(), Error> {
        self.p4runtime.set_config(change)?;
        self.adopt_program();
        Ok(())
    }

    /// Takes note of a program that has replaced another.
    pub fn adopt_program(&self) {
        let (loads, digests) = (self.p4runtime.loads(), self.p4runtime.digest_configs());
        if self.controllers.lock().adopt_program(loads, digests) {
            self.p4runtime.remarks().iter().for_each(|remark| (self.warn)(remark));
        }
    }

    /// A `GetForwardingPipelineConfigResponse` with the parts asked for (section 15).
    pub fn config(&self, request: &[u8]) -> Result<Vec<u8>, Error> {
        let name = "p4.v1.GetForwardingPipelineConfigRequest";
        let wanted: GetForwardingPipelineConfigRequest = message(name, request)?;
        self.check_device(wanted.device_id)?;
        self.p4runtime.config(wanted.response_type)
    }

    /// A `CapabilitiesResponse`, of this device or of the server as a whole (section 17).
    pub fn capabilities(&self, request: &[u8]) -> Result<Vec<u8>, Error> {
        let wanted: CapabilitiesRequest = message("p4.v1.CapabilitiesRequest", request)?;
        self.check_device(if wanted.device_id == 0 { self.id } else { wanted.device_id })?;
        let told = CapabilitiesResponse { p4runtime_api_version: API_VERSION.to_owned() };
        Ok(told.encode_to_vec())
    }

    /// Any client may ask this device.
    pub(crate) fn check_device(&self, device_id: u64) -> Result<(), Error> {
        self.check_alive()?;
        if device_id == self.id {
            return Ok(());
        }
        Err(refusal!(NotFound, "no device has id {device_id}; valid: {}", self.id))
    }

    /// A sender may write to this device.
    pub(crate) fn check_writer(&self, sender: &Sender) -> Result<(), Error> {
        self.check_device(sender.device_id)?;
        self.controllers.lock().arbitration.writer(sender).map(drop)
    }

    /// Ends all streams, and refuses every later request, with UNAVAILABLE.
    pub fn fail(&self, reason: &str) {
        let error = Error::new(Code::Unavailable, reason);
        let is_first = self.failure.send_if_modified(|failure| {
            let is_first = failure.is_none();
            failure.get_or_insert_with(|| error.clone());
            is_first
        });
        if is_first {
            self.controllers.lock().end(&error);
        }
    }

    /// Why it has failed, once it has.
    pub(crate) async fn failed(&self) -> Error {
        let mut failure = self.failure.subscribe();
        let failed = failure.wait_for(Option::is_some).await;
        // It cannot be closed: this is its owner.
        failed.ok().and_then(|failure| failure.clone()).unwrap_or_else(ended)
    }

    fn check_alive(&self) -> Result<(), Error> {
        self.failure.borrow().clone().map_or(Ok(()), Err)
    }

    /// Takes a stream that a controller has opened.
    pub fn enter(&self) -> Result<Arc<Outbox>, Error> {
        let stream = self.controllers.lock().enter();
        // After that: one that fails meanwhile has ended the stream, or is noticed here.
        match self.check_alive() {
            Ok(()) => Ok(stream),
            Err(error) => {
                self.leave(&stream);
                Err(error)
            }
        }
    }

    /// Takes a message of a controller's stream; an error must end the stream.
    pub fn receive(&self, stream: &Arc<Outbox>, request: &[u8]) -> Result<(), Error> {
        let request: StreamMessageRequest = message("p4.v1.StreamMessageRequest", request)?;
        if let Some(ToSwitch::Arbitration(bid)) = &request.update {
            return self.controllers.lock().bid(stream, bid);
        }
        let taken = match &request.update {
            Some(ToSwitch::Packet(packet)) => self.packet_out(stream, packet),
            Some(ToSwitch::DigestAck(ack)) => self.acknowledge(stream, *ack),
            Some(_) => Err(refusal!(Unimplemented, "other is not supported")),
            None => Err(invalid!("the stream message is empty")),
        };
        if let Err(error) = taken {
            stream.report(error, request.update);
        }
        Ok(())
    }

    /// Forgets a controller whose stream has ended.
    pub fn leave(&self, stream: &Arc<Outbox>) {
        self.controllers.lock().leave(stream);
        let lost = stream.lost_messages();
        if lost > 0 {
            (self.warn)(&format!("slow controller: {lost} messages dropped"));
        }
    }

    /// Sends frames from the CPU port to the primaries; without one they are lost.
    pub fn deliver_packets(&self, frames: &[Vec<u8>]) {
        if !self.has_primary() || !self.p4runtime.is_running() {
            return;
        }
        for frame in frames {
            match self.p4runtime.packet_in(frame) {
                Ok(packet) => self.controllers.lock().send_packet(packet),
                Err(error) => self.tell_of_dropped(&error.message),
            }
        }
    }

    /// Of the first, the second, the fourth and so on: a program may send each of its packets so.
    fn tell_of_dropped(&self, why: &str) {
        let dropped = self.dropped_frames.fetch_add(1, Ordering::Relaxed) + 1;
        if dropped.is_power_of_two() {
            (self.warn)(&format!("{why}; such frames dropped so far: {dropped}"));
        }
    }

    /// Takes digests of the program, for lists to the primaries.
    pub fn deliver_digests(&self, digests: &[Digest]) {
        for digest in digests {
            if let Some((id, data)) = self.p4runtime.digest(digest) {
                self.controllers.lock().take_digest(id, data);
            }
        }
    }

    /// When a list of digests is to be sent, if one waits.
    pub(crate) fn digests_due(&self) -> Option<Instant> {
        self.controllers.lock().digests.due()
    }

    /// Sends the lists of digests that have waited for as long as they may.
    pub(crate) fn send_digests(&self) {
        self.controllers.lock().send_due_lists();
    }

    /// Tells the primaries, and `listener`, which table entries have not been hit for their timeout.
    pub fn report_idle(&self, listener: Option<&dyn Listener>) -> Result<(), Error> {
        if self.p4runtime.loads() == 0 || !(listener.is_some() || self.has_primary()) {
            return Ok(());
        }
        let expired = self.ports.engine.control(|control| control.table_expired())?;
        if expired.is_empty() {
            return Ok(());
        }
        if let Some(listener) = listener {
            listener.idle(&expired);
        }
        let told = expired.iter().map(|(table, entry)| self.p4runtime.table_entry(table, entry));
        let told: Vec<_> = told.flatten().collect();
        self.controllers.lock().send_idle(&told);
        Ok(())
    }

    fn has_primary(&self) -> bool {
        !self.controllers.lock().arbitration.primaries().is_empty()
    }

    fn packet_out(&self, stream: &Arc<Outbox>, packet: &[u8]) -> Result<(), Error> {
        self.check_is_primary(stream)?;
        self.p4runtime.packet_out(packet)
    }

    fn acknowledge(&self, stream: &Arc<Outbox>, ack: DigestListAck) -> Result<(), Error> {
        self.check_is_primary(stream)?;
        self.p4runtime.check_digest(ack.digest_id)?;
        self.controllers.lock().digests.acknowledge(ack);
        Ok(())
    }

    fn check_is_primary(&self, stream: &Arc<Outbox>) -> Result<(), Error> {
        if self.controllers.lock().arbitration.is_primary(stream) {
            return Ok(());
        }
        Err(refusal!(PermissionDenied, "only a primary may send packets and acknowledge digests"))
    }
}

fn ended() -> Error {
    refusal!(Unavailable, "the switch has ended")
}
