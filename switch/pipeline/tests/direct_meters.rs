//! Direct meters (`direct_meters.p4`).

use crate::support::{frame, modify, Switch};
use pipeline::{ActionCall, ColorCounts, CounterValue, Match, MeterConfig, TableAction};

const IN_PACKETS: &str = "TestIngress.in_packets";
const IN_BYTES: &str = "TestIngress.in_bytes";
const BY_PACKETS: &str = "TestIngress.by_packets";
const BY_BYTES: &str = "TestIngress.by_bytes";
const GREEN: u8 = 0;
const YELLOW: u8 = 1;
const RED: u8 = 2;
const MISSED: u8 = 0xdd;

/// Two green packets, a yellow one, then red ones.
const BURST: MeterConfig = MeterConfig { cir: 0, cburst: 2, pir: 0, pburst: 3, eburst: 0 };

fn by_packets() -> TableAction {
    TableAction::Call(ActionCall { name: BY_PACKETS.to_string(), arguments: Vec::new() })
}

fn exact(flow: u16) -> Vec<Match> {
    vec![Match::Exact(flow.to_be_bytes().to_vec())]
}

fn masked(flow: u16, mask: u16) -> Vec<Match> {
    let bytes = |value: u16| value.to_be_bytes().to_vec();
    vec![Match::Ternary { value: bytes(flow), mask: bytes(mask) }]
}

fn color(switch: &mut Switch, choice: u8, flow: u16, bytes: usize, now_us: u64) -> u8 {
    let mut sent = frame(&[&[choice], &flow.to_be_bytes(), &[0xee]]);
    sent.resize(bytes, 0);
    let port = switch.ingress(&sent, 1, now_us).expect("the packet is forwarded");
    switch.egress(port, now_us, Default::default()).unwrap()[3]
}

#[test]
fn every_entry_has_a_meter_of_its_own() {
    let mut switch = Switch::load("direct_meters");
    for flow in [1, 2] {
        switch.control().table_insert(IN_PACKETS, &exact(flow), BY_PACKETS, &[], 0).unwrap();
    }
    switch.control().table_meter_write(IN_PACKETS, &exact(1), 0, Some(BURST)).unwrap();
    let colors: Vec<u8> = (0..4).map(|_| color(&mut switch, 0, 1, 100, 0)).collect();
    assert_eq!(colors, [GREEN, GREEN, YELLOW, RED]);
    assert_eq!(color(&mut switch, 0, 2, 100, 0), GREEN);
    assert_eq!(color(&mut switch, 0, 3, 100, 0), MISSED);
    let count = |packets| CounterValue { packets, bytes: 100 * packets };
    let of = |green, yellow, red| ColorCounts {
        green: count(green),
        yellow: count(yellow),
        red: count(red),
    };
    for (flow, counts) in [(1, of(2, 1, 1)), (2, of(1, 0, 0))] {
        let mut control = switch.control();
        let found = |control: &mut pipeline::Control<'_>| {
            control.table_entry(IN_PACKETS, &exact(flow), 0).unwrap().meter_counts
        };
        assert_eq!(found(&mut control), counts);
        modify(&mut control, IN_PACKETS, &exact(flow), by_packets());
        control.table_meter_write(IN_PACKETS, &exact(flow), 0, None).unwrap();
        assert_eq!(found(&mut control), counts);
        let reset = ColorCounts::default();
        control.table_meter_set_counts(IN_PACKETS, &exact(flow), 0, reset).unwrap();
        assert_eq!(found(&mut control), reset);
    }
}

#[test]
fn bytes_are_those_received_and_the_time_is_the_packets() {
    let mut switch = Switch::load("direct_meters");
    let (key, offset) = (masked(0x100, 0xff00), vec![vec![0x10]]);
    switch.control().table_insert(IN_BYTES, &key, BY_BYTES, &offset, 5).unwrap();
    let config =
        MeterConfig { cir: 1_000_000, cburst: 100, pir: 2_000_000, pburst: 150, eburst: 0 };
    switch.control().table_meter_write(IN_BYTES, &key, 5, Some(config)).unwrap();
    let mut metered = |bytes, now_us| color(&mut switch, 1, 0x1ff, bytes, now_us) - 0x10;
    assert_eq!(metered(101, 0), YELLOW);
    assert_eq!(metered(50, 0), RED);
    assert_eq!(metered(49, 0), GREEN);
    assert_eq!(metered(50, 25), GREEN);
    assert_eq!(metered(60, 54), RED);
    assert_eq!(metered(60, 55), YELLOW);
    let counter = CounterValue { packets: 6, bytes: 370 };
    assert_eq!(switch.control().table_entries(IN_BYTES).unwrap()[0].counter, counter);
}

#[test]
fn a_meter_lives_as_long_as_its_entry() {
    let mut switch = Switch::load("direct_meters");
    let mut control = switch.control();
    control.table_insert(IN_PACKETS, &exact(1), BY_PACKETS, &[], 0).unwrap();
    assert_eq!(control.table_entry(IN_PACKETS, &exact(1), 0).unwrap().meter, None);
    control.table_meter_write(IN_PACKETS, &exact(1), 0, Some(BURST)).unwrap();
    modify(&mut control, IN_PACKETS, &exact(1), by_packets());
    assert_eq!(control.table_entry(IN_PACKETS, &exact(1), 0).unwrap().meter, Some(BURST));
    control.table_delete(IN_PACKETS, &exact(1), 0).unwrap();
    assert!(control.table_entry(IN_PACKETS, &exact(1), 0).is_err());
    control.table_insert(IN_PACKETS, &exact(1), BY_PACKETS, &[], 0).unwrap();
    assert_eq!(control.table_entry(IN_PACKETS, &exact(1), 0).unwrap().meter, None);
}

#[test]
fn senseless_configurations_and_missing_entries_are_refused() {
    let mut switch = Switch::load("direct_meters");
    let mut control = switch.control();
    let config = MeterConfig { cir: 2, cburst: 1, pir: 1, pburst: 1, eburst: 0 };
    control.table_insert(IN_PACKETS, &exact(1), BY_PACKETS, &[], 0).unwrap();
    let refused = control.table_meter_write(IN_PACKETS, &exact(1), 0, Some(config)).unwrap_err();
    let expected = "table TestIngress.in_packets: cir 2 is above pir 1; valid: at most pir";
    assert_eq!(refused.to_string(), expected);
    assert!(control.table_meter_write(IN_PACKETS, &exact(2), 0, Some(BURST)).is_err());
    let counts = ColorCounts::default();
    assert!(control.table_meter_set_counts(IN_PACKETS, &exact(2), 0, counts).is_err());
    assert!(control.table_meter_write("in_packets", &exact(1), 0, None).is_err());
}
