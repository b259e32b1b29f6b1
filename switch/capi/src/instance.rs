//! What C's `p4abs_pipeline` points to.

use std::ffi::{CStr, CString};
use std::panic::{catch_unwind, AssertUnwindSafe};

use pipeline::{Control, EgressVerdict, Pipeline, QueueInfo, Verdict};

use crate::error::Error;
use crate::packets::{PacketHandle, Packets};

/// A pipeline with its packets.
#[derive(Debug)]
pub struct Instance {
    pipeline: Pipeline,
    packets: Packets,
    message: CString,
    has_panicked: bool,
}

/// Runs code whose panic becomes an error.
pub(crate) fn contained<R>(request: impl FnOnce() -> Result<R, Error>) -> Result<R, Error> {
    // What a panic leaves half done is not used again: the instance refuses all later calls.
    let outcome = catch_unwind(AssertUnwindSafe(request));
    outcome.unwrap_or_else(|payload| Err(Error::from_panic(&*payload)))
}

impl Instance {
    pub(crate) fn load(json: &[u8]) -> Result<Instance, Error> {
        Ok(Instance {
            pipeline: Pipeline::load(json)?,
            packets: Packets::default(),
            message: CString::default(),
            has_panicked: false,
        })
    }

    /// Carries out a request; None: it failed, and the message says why.
    pub(crate) fn attempt<R>(
        &mut self,
        request: impl FnOnce(&mut Instance) -> Result<R, Error>,
    ) -> Option<R> {
        if self.has_panicked {
            return None;
        }
        match contained(|| request(self)) {
            Ok(value) => Some(value),
            Err(error) => {
                self.has_panicked = matches!(error, Error::Panic(_));
                self.message = error.message();
                None
            }
        }
    }

    /// Why the latest request that failed did.
    pub(crate) fn message(&self) -> &CStr {
        &self.message
    }

    /// Runs a frame through ingress; None: dropped.
    pub(crate) fn ingress(
        &mut self,
        port: u16,
        frame: &[u8],
        now_us: u64,
    ) -> Result<Option<(PacketHandle, u16)>, Error> {
        let (handle, packet) = self.packets.acquire(|| self.pipeline.new_packet());
        packet.set_frame(frame);
        let verdict = self.pipeline.ingress(packet, port, now_us);
        let unsupported = match (packet.take_clone_request(), verdict) {
            (Some(_), _) => "a clone",
            (None, Verdict::Multicast(_)) => "multicast",
            (None, Verdict::Resubmit) => "a resubmission",
            (None, Verdict::Forward(egress_port)) => return Ok(Some((handle, egress_port))),
            (None, Verdict::Drop) => return self.discard(handle).map(|()| None),
        };
        self.discard(handle)?;
        Err(Error::Unsupported(unsupported))
    }

    /// Runs a packet through egress; returns the frame as it leaves, None: dropped.
    pub(crate) fn egress(
        &mut self,
        handle: PacketHandle,
        port: u16,
        now_us: u64,
        queue: QueueInfo,
    ) -> Result<Option<&[u8]>, Error> {
        let packet = self.packets.release(handle)?;
        let verdict = self.pipeline.egress(packet, port, now_us, queue);
        match (packet.take_clone_request(), verdict) {
            (Some(_), _) => Err(Error::Unsupported("a clone")),
            (None, EgressVerdict::Recirculate) => Err(Error::Unsupported("a recirculation")),
            (None, EgressVerdict::Emit) => Ok(Some(packet.frame())),
            (None, EgressVerdict::Drop) => Ok(None),
        }
    }

    /// Takes a packet back.
    pub(crate) fn discard(&mut self, handle: PacketHandle) -> Result<(), Error> {
        self.packets.release(handle).map(drop)
    }

    pub(crate) fn control(&mut self) -> Control<'_> {
        self.pipeline.control()
    }
}

#[cfg(test)]
#[path = "tests/instance.rs"]
mod tests;
