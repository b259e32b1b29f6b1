//! Ingress: from a port, or once more, to the queues of one port or of several.

use std::collections::VecDeque;

use pipeline::{Pipeline, Verdict};

use super::pool::Buffer;
use super::processor::Processor;
use super::transit::{Forwarded, Returning};
use crate::observe::{DropReason, SwitchEvent};
use crate::time::SwitchTime;

impl Processor {
    /// Runs a received frame through ingress; returns it if it goes on to one port. Its copies go to
    /// `copies`.
    pub(crate) fn ingress(
        &mut self,
        port: u16,
        frame: &[u8],
        at: SwitchTime,
        copies: &mut VecDeque<Forwarded>,
    ) -> Option<Forwarded> {
        self.count_pass();
        self.traffic[usize::from(port)].received.add(frame.len());
        let number = self.observer.receive(port, frame, at);
        let Some(pipeline) = &mut self.pipeline else {
            self.account_drop(number, frame.len(), DropReason::NoProgram, at);
            return None;
        };
        let mut buffer = self.pool.take(pipeline, number);
        buffer.packet.set_frame(frame);
        pipeline.set_tracing(self.observer.traces(number));
        let verdict = pipeline.ingress(&mut buffer.packet, port, at.micros());
        self.observer.record_run(number, at, pipeline);
        self.after_ingress(buffer, verdict, at, copies)
    }

    /// Runs a packet through ingress again.
    pub(crate) fn ingress_again(
        &mut self,
        mut buffer: Buffer,
        at: SwitchTime,
        copies: &mut VecDeque<Forwarded>,
    ) -> Option<Forwarded> {
        self.count_pass();
        let Some(pipeline) = &mut self.pipeline else {
            self.drop(buffer, DropReason::NoProgram, at);
            return None;
        };
        pipeline.set_tracing(self.observer.traces(buffer.number));
        let verdict = pipeline.ingress_again(&mut buffer.packet, at.micros());
        self.observer.record_run(buffer.number, at, pipeline);
        self.after_ingress(buffer, verdict, at, copies)
    }

    fn after_ingress(
        &mut self,
        mut buffer: Buffer,
        verdict: Verdict,
        at: SwitchTime,
        copies: &mut VecDeque<Forwarded>,
    ) -> Option<Forwarded> {
        if let Some(request) = buffer.packet.take_clone_request() {
            self.clone(&buffer, request, at, Pipeline::clone_ingress, copies);
        }
        let pipeline = self.pipeline.as_mut()?;
        if let Some(digest) = pipeline.take_digest(&mut buffer.packet) {
            self.queues.digests.push(|| digest);
        }
        match verdict {
            Verdict::Forward(port) => {
                let priority = pipeline.priority(&buffer.packet);
                if let Some(traffic) = self.traffic.get_mut(usize::from(port)) {
                    traffic.forwarded_packets += 1;
                }
                return Some(Forwarded { buffer, port, priority });
            }
            Verdict::Drop => self.drop(buffer, DropReason::Ingress, at),
            Verdict::Multicast(group) => self.multicast(buffer, group, at, copies),
            Verdict::Resubmit => {
                pipeline.resubmit(&mut buffer.packet);
                self.observer.record(buffer.number, at, SwitchEvent::Resubmit);
                self.send_back(Returning::ToIngress(buffer), at);
            }
        }
        None
    }
}
