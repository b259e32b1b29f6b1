//! Packets that never leave the switch keep it from nothing else.

use super::*;
use crate::TraceOptions;

const FRAMES: usize = 1_000;
const CALLS: usize = 100;

#[test]
fn frames_pass_and_calls_are_answered_while_a_packet_recirculates_for_ever_and_is_traced() {
    enter_namespace();
    let (warn, told) = Told::new();
    let mut network = Network::start(PortConfig::new(2), Arc::clone(&warn));
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/programs/recirculates_for_ever.json");
    network.shared.replace(Pipeline::load(&std::fs::read(path).unwrap()).unwrap()).unwrap();
    let output = Box::new(std::io::sink());
    network
        .shared
        .observe(|observer| observer.trace_to(TraceOptions::default(), output, warn))
        .unwrap();
    send(&mut network.one, &[frame(1, 0x1234, 60)]);
    assert!(told.next().starts_with("packets come back into the switch"));
    let frames: Vec<_> = (0..FRAMES).map(|number| frame(1, 0x88b5, 60 + number)).collect();
    send(&mut network.one, &frames);
    assert_eq!(receive(&mut network.one, FRAMES), frames);
    for _ in 0..CALLS {
        assert_eq!(network.shared.replication(|engine| engine.groups.from(0).count()), Ok(0));
        assert_eq!(network.shared.statistics().loopback_dropped.packets, 0);
    }
    drop(network.live);
}
