//! What a program may ask for besides sending a packet (`replication.p4`): verdicts, copies and
//! what they keep. The copies' ways through the switch are tested with the engine.

use pipeline::{EgressVerdict, Packet, Pipeline, QueueInfo, Verdict};

const CLONE: u8 = 1;
const RESUBMIT_ONCE: u8 = 2;
const MULTICAST: u8 = 4;
const MULTICAST_THEN_DROP: u8 = 5;
const DROP_THEN_MULTICAST: u8 = 6;
const CLONE_TWICE: u8 = 8;
const TRUNCATE: u8 = 9;
const RECIRCULATE_ONCE: u8 = 10;
const DROP: u8 = 12;

const INGRESS_PORT: u16 = 3;

fn pipeline() -> Pipeline {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/replication.json");
    Pipeline::load(&std::fs::read(path).unwrap()).unwrap()
}

/// A frame with a payload of 4 bytes.
fn frame(ingress: u8, egress: u8, argument: u16) -> Vec<u8> {
    let [high, low] = argument.to_be_bytes();
    let request = [ingress, egress, high, low, 7, 2];
    [&request[..], &[0; 12], b"load"].concat()
}

/// What egress wrote into a frame.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    changed_by_ingress: u8,
    kept: u8,
    lost: u8,
    instance_type: u8,
    ingress_port: u8,
    egress_rid: u16,
    packet_length: u16,
}

fn seen(frame: &[u8]) -> Seen {
    let &[changed_by_ingress, kept, lost, instance_type, ingress_port, _, rid_high, rid_low, high, low, ..] =
        &frame[6..]
    else {
        panic!("a short frame")
    };
    Seen {
        changed_by_ingress,
        kept,
        lost,
        instance_type,
        ingress_port,
        egress_rid: u16::from_be_bytes([rid_high, rid_low]),
        packet_length: u16::from_be_bytes([high, low]),
    }
}

fn ingress(pipeline: &mut Pipeline, frame: &[u8]) -> (Packet, Verdict) {
    let mut packet = pipeline.new_packet();
    packet.set_frame(frame);
    let verdict = pipeline.ingress(&mut packet, INGRESS_PORT, 1_000);
    (packet, verdict)
}

fn egress(pipeline: &mut Pipeline, packet: &mut Packet) -> EgressVerdict {
    pipeline.egress(packet, 7, 2_000, QueueInfo::default())
}

#[test]
fn the_last_of_multicast_and_drop_wins_and_a_group_wins_over_a_port() {
    for (what, verdict) in [
        (0, Verdict::Forward(7)),
        (MULTICAST, Verdict::Multicast(5)),
        (MULTICAST_THEN_DROP, Verdict::Drop),
        (DROP_THEN_MULTICAST, Verdict::Multicast(5)),
        (RESUBMIT_ONCE, Verdict::Resubmit),
    ] {
        assert_eq!(ingress(&mut pipeline(), &frame(what, 0, 5)).1, verdict, "{what}");
    }
}

#[test]
fn an_ingress_clone_has_the_received_headers_and_the_kept_metadata_only() {
    let mut pipeline = pipeline();
    let received = frame(CLONE, 0, 5);
    let (mut packet, verdict) = ingress(&mut pipeline, &received);
    let request = packet.take_clone_request().unwrap();
    let mut copy = pipeline.new_packet();
    pipeline.clone_ingress(&packet, &mut copy, request);
    assert_eq!((verdict, request.session), (Verdict::Forward(7), 5));
    assert_eq!(egress(&mut pipeline, &mut copy), EgressVerdict::Emit);
    let clone = Seen {
        changed_by_ingress: 0,
        kept: 2,
        lost: 0,
        instance_type: 1,
        ingress_port: 0,
        egress_rid: 0,
        packet_length: 22,
    };
    assert_eq!(seen(copy.frame()), clone);
    assert_eq!(egress(&mut pipeline, &mut packet), EgressVerdict::Emit);
    let original = Seen {
        changed_by_ingress: 1,
        lost: 1,
        instance_type: 0,
        ingress_port: INGRESS_PORT as u8,
        ..clone
    };
    assert_eq!(seen(packet.frame()), original);
    assert_eq!(packet.frame()[18..], *b"load");
    assert_eq!(copy.frame()[18..], *b"load");
}

#[test]
fn the_last_clone_of_a_control_counts_and_its_session_is_cut_off_to_15_bits() {
    for (argument, session) in [(5, 5), (0, 0), (0x8003, 3)] {
        let (mut packet, _) = ingress(&mut pipeline(), &frame(CLONE_TWICE, 0, argument));
        assert_eq!(packet.take_clone_request().map(|request| request.session), Some(session));
        assert_eq!(packet.take_clone_request(), None);
    }
}

#[test]
fn an_egress_clone_has_the_headers_as_egress_left_them() {
    let mut pipeline = pipeline();
    let (mut packet, _) = ingress(&mut pipeline, &frame(0, CLONE, 5));
    pipeline.set_instance(&mut packet, 9);
    pipeline.run_egress(&mut packet, 7, 2_000, QueueInfo::default());
    let request = packet.take_clone_request().unwrap();
    let mut copy = pipeline.new_packet();
    pipeline.clone_egress(&packet, &mut copy, request);
    pipeline.deparse(&mut packet);
    assert_eq!((seen(packet.frame()).lost, seen(packet.frame()).egress_rid), (1, 9));
    assert_eq!(egress(&mut pipeline, &mut copy), EgressVerdict::Emit);
    let clone = Seen {
        changed_by_ingress: 1,
        kept: 1,
        lost: 0,
        instance_type: 2,
        ingress_port: 0,
        egress_rid: 0,
        packet_length: 22,
    };
    assert_eq!(seen(copy.frame()), clone);
}

#[test]
fn a_resubmitted_packet_starts_over_as_it_was_received() {
    let mut pipeline = pipeline();
    let (mut packet, verdict) = ingress(&mut pipeline, &frame(RESUBMIT_ONCE, 0, 0));
    assert_eq!(verdict, Verdict::Resubmit);
    pipeline.resubmit(&mut packet);
    assert_eq!(pipeline.ingress_again(&mut packet, 3_000), Verdict::Forward(7));
    egress(&mut pipeline, &mut packet);
    let resubmitted = Seen {
        changed_by_ingress: 1,
        kept: 2,
        lost: 1,
        instance_type: 0,
        ingress_port: 0,
        egress_rid: 0,
        packet_length: 22,
    };
    assert_eq!(seen(packet.frame()), resubmitted);
}

#[test]
fn a_recirculated_packet_starts_over_as_it_would_have_left_and_a_dropped_one_does_not() {
    let mut pipeline = pipeline();
    let (mut packet, _) = ingress(&mut pipeline, &frame(0, RECIRCULATE_ONCE, 0));
    assert_eq!(egress(&mut pipeline, &mut packet), EgressVerdict::Recirculate);
    pipeline.recirculate(&mut packet);
    assert_eq!(pipeline.ingress_again(&mut packet, 3_000), Verdict::Forward(7));
    assert_eq!(egress(&mut pipeline, &mut packet), EgressVerdict::Emit);
    let recirculated = Seen {
        changed_by_ingress: 2,
        kept: 2,
        lost: 1,
        instance_type: 0,
        ingress_port: 0,
        egress_rid: 0,
        packet_length: 22,
    };
    assert_eq!(seen(packet.frame()), recirculated);
    let (mut packet, _) = ingress(&mut pipeline, &frame(0, DROP, 0));
    assert_eq!(egress(&mut pipeline, &mut packet), EgressVerdict::Drop);
}

#[test]
fn a_replica_keeps_everything_and_knows_its_instance() {
    let mut pipeline = pipeline();
    let (packet, _) = ingress(&mut pipeline, &frame(MULTICAST, 0, 5));
    let mut copy = pipeline.new_packet();
    pipeline.replicate(&packet, &mut copy);
    pipeline.set_instance(&mut copy, 11);
    egress(&mut pipeline, &mut copy);
    let replica = Seen {
        changed_by_ingress: 1,
        kept: 1,
        lost: 1,
        instance_type: 5,
        ingress_port: INGRESS_PORT as u8,
        egress_rid: 11,
        packet_length: 22,
    };
    assert_eq!(seen(copy.frame()), replica);
}

#[test]
fn the_shortest_truncation_counts_and_replicas_are_whole() {
    let mut pipeline = pipeline();
    for (in_ingress, in_egress, length, left) in
        [(TRUNCATE, 0, 20, 20), (0, TRUNCATE, 3, 3), (TRUNCATE, 0, 100, 22), (0, TRUNCATE, 0, 0)]
    {
        let (mut packet, _) = ingress(&mut pipeline, &frame(in_ingress, in_egress, length));
        let mut copy = pipeline.new_packet();
        pipeline.replicate(&packet, &mut copy);
        egress(&mut pipeline, &mut packet);
        assert_eq!(packet.frame().len(), left);
        egress(&mut pipeline, &mut copy);
        assert_eq!(copy.frame().len(), if in_egress == TRUNCATE { left } else { 22 });
    }
}

#[test]
fn a_packet_asks_for_the_queue_of_its_priority() {
    let mut pipeline = pipeline();
    let (mut packet, _) = ingress(&mut pipeline, &frame(0, 0, 0));
    assert_eq!(pipeline.priority(&packet), 2);
    pipeline.set_priority(&mut packet, 7);
    assert_eq!(pipeline.priority(&packet), 7);
}

#[test]
fn packets_of_other_pipelines_are_dropped_or_adopted() {
    let (mut pipeline, mut other) = (self::pipeline(), self::pipeline());
    let (mut packet, _) = ingress(&mut other, &frame(CLONE, 0, 5));
    let request = packet.take_clone_request().unwrap();
    pipeline.resubmit(&mut packet);
    assert_eq!(pipeline.ingress_again(&mut packet, 3_000), Verdict::Drop);
    let mut foreign = pipeline.new_packet();
    other.clone_ingress(&packet, &mut foreign, request);
    assert_eq!(egress(&mut other, &mut foreign), EgressVerdict::Emit);
}
