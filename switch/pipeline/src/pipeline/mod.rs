//! A loaded program with its state.

mod heat;
mod replication;

use crate::compile::compile;
use crate::control::Control;
use crate::error::LoadError;
use crate::json::{read_program, with_deep_stack};
use crate::native;
use crate::packet::{Packet, Requests};
use crate::program::{
    get, read_optional, write_optional, Digest, InstanceType, Program, DROP_PORT,
};
use crate::state::{Log, LogSink, Notices, State};
use crate::trace::{Trace, TraceEvent};
use codegen::Unavailable as MachineCodeUnavailable;
use heat::Heat;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use std::thread;

/// What ingress decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The packet ends here.
    Drop,
    /// The packet goes to this egress port.
    Forward(u16),
    /// Copies of the packet go to the replicas of this multicast group: [`Pipeline::replicate`].
    Multicast(u16),
    /// The packet starts over as it was received: [`Pipeline::resubmit`].
    Resubmit,
}

/// What egress decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EgressVerdict {
    /// The packet ends here.
    Drop,
    /// [`Packet::frame`] leaves by the egress port.
    Emit,
    /// [`Packet::frame`] starts over: [`Pipeline::recirculate`].
    Recirculate,
}

/// What the traffic manager tells egress about the packet's stay in the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct QueueInfo {
    /// When the packet entered the queue.
    pub enqueued_at_us: u64,
    /// Packets in the queue when it entered, without it.
    pub enqueue_depth_packets: u32,
    /// Packets in the queue when it left, without it.
    pub dequeue_depth_packets: u32,
    /// Which of the port's queues it was, by priority.
    pub queue: u8,
}

/// A program and its state: tables, registers and counters.
#[derive(Debug)]
pub struct Pipeline {
    /// Tells the packets of this pipeline from those of others.
    id: u64,
    program: Arc<Program>,
    state: State,
    trace: Trace,
    heat: Heat,
    /// Where the values are that survive the reset of a packet's variables.
    preserved: Vec<u64>,
}

impl Pipeline {
    /// Compiles a program from BMv2's JSON. Its tables hold the program's constant entries, its
    /// registers and counters are zero.
    pub fn load(json: &[u8]) -> Result<Pipeline, LoadError> {
        static NEXT_ID: AtomicU64 = AtomicU64::new(0);
        let (program, state) = with_deep_stack(|| compile(read_program(json)?))?;
        let program = Arc::new(program);
        Ok(Pipeline {
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
            program,
            state,
            trace: Trace::default(),
            heat: Heat::default(),
            preserved: Vec::new(),
        })
    }

    /// Whether to watch what the next packets go through.
    pub fn set_tracing(&mut self, tracing: bool) {
        self.trace.is_on = tracing;
    }

    /// Takes what packets went through since the last call, in order.
    pub fn take_trace(&mut self) -> impl Iterator<Item = TraceEvent> + '_ {
        self.trace.events.drain(..)
    }

    /// A packet for this pipeline.
    pub fn new_packet(&self) -> Packet {
        Packet::new(self.id, &self.program)
    }

    /// Runs parser, checksum verification and ingress on [`Packet::frame`]. A packet of another
    /// pipeline becomes one of this.
    pub fn ingress(&mut self, packet: &mut Packet, ingress_port: u16, now_us: u64) -> Verdict {
        if packet.pipeline != self.id {
            packet.adopt(self.id, &self.program);
        }
        if self.heat.add_packet() {
            self.begin_compilation();
        }
        packet.clear_variables(&self.program);
        let standard = &self.program.standard_metadata;
        let slots = &mut packet.slots;
        standard.ingress_port.write(slots, ingress_port.into());
        write_optional(slots, standard.ingress_global_timestamp, now_us);
        self.state.now_us = now_us;
        packet.ingress_port = ingress_port;
        packet.frame.received_bytes = packet.frame.length_bytes();
        self.run_ingress(packet)
    }

    /// Runs ingress again on a packet that [`Pipeline::resubmit`] or [`Pipeline::recirculate`]
    /// prepared. A packet of another pipeline is dropped.
    pub fn ingress_again(&mut self, packet: &mut Packet, now_us: u64) -> Verdict {
        self.state.now_us = now_us;
        match packet.pipeline == self.id {
            true => self.run_ingress(packet),
            false => Verdict::Drop,
        }
    }

    fn run_ingress(&mut self, packet: &mut Packet) -> Verdict {
        let standard = &self.program.standard_metadata;
        let length = packet.frame.length_bytes();
        packet.frame.parsed = 0;
        packet.frame.current_bytes = length;
        packet.requests = Requests::default();
        let slots = &mut packet.slots;
        standard.packet_length.write(slots, length as u64);
        standard.parser_error.write(slots, standard.error_codes.no_error);
        write_optional(slots, standard.checksum_error, 0);
        self.trace.run(&self.program, &mut self.state, packet, self.program.ingress_start);
        self.verdict(packet)
    }

    /// BMv2's precedence: a resubmitted packet is not multicast, a multicast one is not dropped.
    fn verdict(&self, packet: &mut Packet) -> Verdict {
        let standard = &self.program.standard_metadata;
        let slots = &mut packet.slots;
        let group = read_optional(slots, standard.mcast_grp);
        if packet.requests.resubmit.is_some() {
            return Verdict::Resubmit;
        }
        if group != 0 {
            standard.instance_type.write(slots, InstanceType::Replication as u64);
            return Verdict::Multicast(group as u16);
        }
        match standard.egress_spec.read(slots) {
            DROP_PORT => Verdict::Drop,
            port => {
                standard.instance_type.write(slots, InstanceType::Normal as u64);
                Verdict::Forward(port as u16)
            }
        }
    }

    /// Where the program's log goes; nowhere at first.
    pub fn set_log(&mut self, sink: Option<LogSink>) {
        self.state.log = Log::to(sink);
    }

    /// What the user should know of the program and has not been told: a parser that did not end, a table
    /// that is full.
    pub fn notices(&mut self) -> &mut Notices {
        &mut self.state.notices
    }

    /// What a packet that has just gone through ingress sends to the control plane; the request
    /// is taken off the packet. As in BMv2, it is of the fields at the end of ingress.
    pub fn take_digest(&self, packet: &mut Packet) -> Option<Digest> {
        let list = packet.requests.digest.take()?;
        let list = self.program.learn_lists.get(usize::from(list))?;
        (packet.pipeline == self.id).then(|| list.sample(&packet.slots))
    }

    /// The queue of the egress port that the packet asks for: its priority, 0 is the lowest.
    pub fn priority(&self, packet: &Packet) -> u64 {
        read_optional(&packet.slots, self.program.standard_metadata.priority)
    }

    /// Runs egress and all that follows it on a packet that ingress forwarded, for callers that
    /// make no copies. A packet of another pipeline is dropped: its variables mean nothing here.
    pub fn egress(
        &mut self,
        packet: &mut Packet,
        egress_port: u16,
        now_us: u64,
        queue: QueueInfo,
    ) -> EgressVerdict {
        let verdict = self.run_egress(packet, egress_port, now_us, queue);
        if verdict != EgressVerdict::Drop {
            self.deparse(packet);
        }
        verdict
    }

    /// Runs egress only: between it and [`Pipeline::deparse`], copies can be made with
    /// [`Pipeline::clone_egress`].
    pub fn run_egress(
        &mut self,
        packet: &mut Packet,
        egress_port: u16,
        now_us: u64,
        queue: QueueInfo,
    ) -> EgressVerdict {
        if packet.pipeline != self.id {
            return EgressVerdict::Drop;
        }
        self.state.now_us = now_us;
        let standard = &self.program.standard_metadata;
        let slots = &mut packet.slots;
        let waited_us = now_us.wrapping_sub(queue.enqueued_at_us);
        standard.egress_port.write(slots, egress_port.into());
        standard.egress_spec.write(slots, DROP_PORT + 1);
        standard.packet_length.write(slots, packet.frame.current_bytes as u64);
        write_optional(slots, standard.egress_global_timestamp, now_us);
        write_optional(slots, standard.enq_timestamp, queue.enqueued_at_us);
        write_optional(slots, standard.enq_qdepth, queue.enqueue_depth_packets.into());
        write_optional(slots, standard.deq_timedelta, waited_us);
        write_optional(slots, standard.deq_qdepth, queue.dequeue_depth_packets.into());
        write_optional(slots, standard.qid, queue.queue.into());
        self.trace.run(&self.program, &mut self.state, packet, self.program.egress_start);
        if standard.egress_spec.read(&packet.slots) == DROP_PORT {
            return EgressVerdict::Drop;
        }
        match packet.requests.recirculate {
            None => EgressVerdict::Emit,
            Some(_) => EgressVerdict::Recirculate,
        }
    }

    /// Updates checksums and makes the frame from the headers. As in BMv2, a frame is truncated
    /// when it leaves, not when it recirculates.
    pub fn deparse(&mut self, packet: &mut Packet) {
        if let Some(update_start) = self.program.update_start {
            self.trace.run(&self.program, &mut self.state, packet, update_start);
        }
        self.emit_headers(packet);
        if let (Some(length_bytes), None) = (packet.requests.truncate, packet.requests.recirculate)
        {
            packet.truncate(length_bytes);
        }
    }

    /// Puts the valid headers in front of the payload, the last one first.
    fn emit_headers(&mut self, packet: &mut Packet) {
        if !self.emit_in_place(packet) {
            self.emit_anywhere(packet);
        }
    }

    /// Does so by machine code, if there is some and every header belongs where it was read; whether
    /// it was done.
    #[inline]
    fn emit_in_place(&mut self, packet: &mut Packet) -> bool {
        let Some(native) = self.program.native() else { return false };
        let Some(deparser) = native.deparser else { return false };
        let Packet { slots, used, frame, .. } = packet;
        let (parsed, registers) = (frame.parsed, self.state.registers.cells_mut());
        let is_done =
            native.functions.run(deparser, 0, frame.for_native(slots, used, registers)) != 0;
        match is_done {
            true => frame.cut_front(),
            false => frame.parsed = parsed,
        }
        is_done
    }

    /// Does so wherever the headers belong.
    fn emit_anywhere(&self, packet: &mut Packet) {
        let Packet { slots, used, frame, .. } = packet;
        // Where what follows stands, as origins count.
        let mut place = 1 + frame.remove_parsed(self.program.emitted_bytes_max) as u64;
        for run in self.program.deparser.iter().rev() {
            let used = run.iter().take_while(|emission| usize::from(emission.valid) < *used);
            for emission in run[..used.count()].iter().rev() {
                if get(slots, emission.valid) != 0 {
                    let header = &self.program.headers[usize::from(emission.header)];
                    let length_bytes = header.length_bytes(slots);
                    place = place.saturating_sub(length_bytes as u64);
                    header.emit(frame.prepend(length_bytes), place, slots);
                }
            }
        }
    }

    /// Makes machine code of the program at once, and not only when it is hot. Errors say why there
    /// can be none; instructions do the same.
    pub fn compile(&self) -> Result<(), &MachineCodeUnavailable> {
        self.program.native.get_or_init(|| native::compile(&self.program)).as_ref().map(drop)
    }

    /// Begins to make machine code, beside the packets. Where there can be no thread, there is no
    /// machine code either.
    #[cold]
    fn begin_compilation(&self) {
        let program = Arc::clone(&self.program);
        let make = move || {
            program.native.get_or_init(|| native::compile(&program));
        };
        let compiler = thread::Builder::new().name("p4-compiler".into());
        let _: Result<_, std::io::Error> = compiler.spawn(make);
    }

    /// What has come of making machine code of the program; None if it has not been made yet.
    #[inline]
    pub fn compilation(&self) -> Option<Result<(), &MachineCodeUnavailable>> {
        Some(self.program.native.get()?.as_ref().map(drop))
    }

    /// Tells the program what time it is; packets tell it as well.
    pub fn set_time(&mut self, now_us: u64) {
        self.state.now_us = now_us;
    }

    /// Tells the program whether a port is up: members of action profiles that watch it take part
    /// only then. All ports are up at first.
    pub fn set_port_up(&mut self, port: u16, up: bool) {
        self.state.profiles.iter_mut().for_each(|profile| profile.set_port_up(port, up));
    }

    /// Lets the idle timeouts of all entries begin now.
    pub fn begin_timeouts(&mut self) {
        let now_us = self.state.now_us;
        self.state.tables.iter_mut().for_each(|table| table.begin_timeouts(now_us));
    }

    /// The control plane's view.
    pub fn control(&mut self) -> Control<'_> {
        Control::new(&mut self.state, &self.program)
    }
}
