//! Copies of packets, and packets that start over: what becomes of their frame and their metadata
//! is what BMv2's simple_switch makes of them.

use super::Pipeline;
use crate::packet::{CloneRequest, Packet, Requests};
use crate::program::{write_optional, InstanceType};

impl Pipeline {
    /// Makes `copy` a copy of a packet that ingress multicast or that is a clone, with everything
    /// but its requests.
    pub fn replicate(&self, packet: &Packet, copy: &mut Packet) {
        self.adopt(copy);
        copy.copy_from(packet);
    }

    /// Takes the requests off a multicast packet, which may be the last of its replicas.
    pub fn clear_requests(&self, packet: &mut Packet) {
        packet.requests = Requests::default();
    }

    /// Tells a replica which of its group's it is.
    pub fn set_instance(&self, packet: &mut Packet, instance: u16) {
        let place = self.program.standard_metadata.egress_rid;
        write_optional(&mut packet.slots, place, instance.into());
    }

    /// Tells a clone its class of service.
    pub fn set_priority(&self, packet: &mut Packet, priority: u8) {
        let place = self.program.standard_metadata.priority;
        write_optional(&mut packet.slots, place, priority.into());
    }

    /// Makes `copy` the clone of a packet after ingress: its frame as it came to ingress, parsed
    /// again, and of its metadata what the program keeps.
    pub fn clone_ingress(&mut self, packet: &Packet, copy: &mut Packet, request: CloneRequest) {
        self.adopt(copy);
        copy.copy_frame_from(packet);
        let standard = &self.program.standard_metadata;
        copy.clear_variables(&self.program);
        standard.ingress_port.write(&mut copy.slots, packet.ingress_port.into());
        self.trace.run(&self.program, &mut self.state, copy, self.program.parser_start);
        self.reset_metadata(packet, copy, request, InstanceType::IngressClone);
    }

    /// Makes `copy` the clone of a packet after egress, before it is deparsed: its headers as they
    /// are, and of its metadata what the program keeps.
    pub fn clone_egress(&mut self, packet: &Packet, copy: &mut Packet, request: CloneRequest) {
        self.adopt(copy);
        copy.copy_from(packet);
        self.reset_metadata(packet, copy, request, InstanceType::EgressClone);
    }

    /// Prepares a packet for [`Pipeline::ingress_again`] after the verdict to resubmit it.
    pub fn resubmit(&mut self, packet: &mut Packet) {
        let field_list = packet.requests.resubmit;
        self.start_over(packet, field_list, InstanceType::Resubmitted);
    }

    /// Prepares a deparsed packet for [`Pipeline::ingress_again`] after the verdict to recirculate
    /// it.
    pub fn recirculate(&mut self, packet: &mut Packet) {
        packet.frame.received_bytes = packet.frame.length_bytes();
        let field_list = packet.requests.recirculate;
        self.start_over(packet, field_list, InstanceType::Recirculated);
    }

    fn adopt(&self, copy: &mut Packet) {
        if copy.pipeline != self.id {
            copy.adopt(self.id, &self.program);
        }
    }

    fn reset_metadata(
        &self,
        packet: &Packet,
        copy: &mut Packet,
        request: CloneRequest,
        instance_type: InstanceType,
    ) {
        for slots in &self.program.metadata {
            copy.slots[slots.clone()].fill(0);
        }
        for slots in &self.program.field_lists[usize::from(request.field_list)] {
            copy.slots[slots.clone()].copy_from_slice(&packet.slots[slots.clone()]);
            copy.used = copy.used.max(slots.end);
        }
        let place = self.program.standard_metadata.instance_type;
        place.write(&mut copy.slots, instance_type as u64);
    }

    fn start_over(
        &mut self,
        packet: &mut Packet,
        field_list: Option<u16>,
        instance_type: InstanceType,
    ) {
        if packet.pipeline != self.id {
            return;
        }
        let kept = field_list.map_or(&[][..], |list| &self.program.field_lists[usize::from(list)]);
        self.preserved.clear();
        for kept in kept {
            self.preserved.extend_from_slice(&packet.slots[kept.clone()]);
        }
        packet.clear_variables(&self.program);
        let mut preserved = self.preserved.as_slice();
        for kept in kept {
            let (values, rest) = preserved.split_at(kept.len());
            packet.slots[kept.clone()].copy_from_slice(values);
            packet.used = packet.used.max(kept.end);
            preserved = rest;
        }
        let place = self.program.standard_metadata.instance_type;
        place.write(&mut packet.slots, instance_type as u64);
    }
}
