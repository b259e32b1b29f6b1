//! Two-rate three-colour meters (`meters.p4`) in virtual time.

use crate::support::random::Random;
use crate::support::{frame, Switch};
use pipeline::{ColorCounts, Control, CounterValue, MeterConfig};

const BYTES: &str = "TestIngress.by_bytes";
const PACKETS: &str = "TestIngress.by_packets";
const GREEN: u8 = 0;
const YELLOW: u8 = 1;
const RED: u8 = 2;

/// The meter that a packet asks for.
const BY_BYTES: u8 = 0;
const BY_PACKETS: u8 = 1;
const BY_PACKETS_TO_ONE_BIT: u8 = 2;

/// Meters a frame of so many bytes (at least 6); it brings the color 0xee.
fn color(switch: &mut Switch, choice: u8, index: u32, bytes: usize, now_us: u64) -> u8 {
    let mut sent = frame(&[&[choice], &index.to_be_bytes(), &[0xee]]);
    sent.resize(bytes, 0);
    let port = switch.ingress(&sent, 1, now_us).expect("the packet is forwarded");
    switch.egress(port, now_us, Default::default()).unwrap()[5]
}

/// RFC 2698's buckets in whole numbers: tokens are millionths of a unit.
struct Reference {
    config: MeterConfig,
    peak: Bucket,
    committed: Bucket,
}

struct Bucket {
    tokens: u128,
    whole_tokens_at: u64,
}

impl Bucket {
    /// Tokens arrive whole, as if counted from time 0.
    fn take(&mut self, rate: u64, size: u64, cost: u64, now_us: u64) -> bool {
        let whole = |us: u64| u128::from(us) * u128::from(rate) / 1_000_000;
        self.tokens = (self.tokens + whole(now_us) - whole(self.whole_tokens_at)).min(size.into());
        self.whole_tokens_at = now_us;
        let enough = self.tokens >= cost.into();
        self.tokens -= if enough { u128::from(cost) } else { 0 };
        enough
    }
}

impl Reference {
    fn new(config: MeterConfig) -> Reference {
        let full = |size: u64| Bucket { tokens: size.into(), whole_tokens_at: 0 };
        Reference { config, peak: full(config.pburst), committed: full(config.cburst) }
    }

    fn color(&mut self, cost: u64, now_us: u64) -> u8 {
        let MeterConfig { cir, cburst, pir, pburst, .. } = self.config;
        match self.peak.take(pir, pburst, cost, now_us) {
            false => RED,
            true if !self.committed.take(cir, cburst, cost, now_us) => YELLOW,
            true => GREEN,
        }
    }
}

/// What a cell is configured as, and what it has found.
fn cell(control: &mut Control<'_>, index: usize) -> (Option<MeterConfig>, ColorCounts) {
    control.meter_cells(PACKETS, index).unwrap().next().unwrap()
}

#[test]
fn every_packet_is_green_until_the_meter_is_configured() {
    let mut switch = Switch::load("meters");
    for now_us in 0..50 {
        assert_eq!(color(&mut switch, BY_BYTES, 2, 1500, now_us), GREEN);
    }
    let config = MeterConfig { cir: 0, cburst: 0, pir: 0, pburst: 0, eburst: 0 };
    switch.control().meter_fill(BYTES, 2..3, Some(config)).unwrap();
    assert_eq!(color(&mut switch, BY_BYTES, 2, 1500, 50), RED);
    assert_eq!(color(&mut switch, BY_BYTES, 1, 1500, 50), GREEN);
    switch.control().meter_fill(BYTES, 2..3, None).unwrap();
    assert_eq!(color(&mut switch, BY_BYTES, 2, 1500, 50), GREEN);
}

#[test]
fn an_index_out_of_bounds_leaves_the_color_as_it_was() {
    let mut switch = Switch::load("meters");
    assert_eq!(color(&mut switch, BY_BYTES, 4, 100, 0), 0xee);
    assert_eq!(color(&mut switch, BY_PACKETS_TO_ONE_BIT, 3, 100, 0), 0);
}

#[test]
fn bursts_are_green_then_yellow_then_red() {
    let mut switch = Switch::load("meters");
    let config = MeterConfig { cir: 0, cburst: 2, pir: 0, pburst: 3, eburst: 0 };
    switch.control().meter_fill(PACKETS, 0..1, Some(config)).unwrap();
    let colors: Vec<u8> = (0..5).map(|_| color(&mut switch, BY_PACKETS, 0, 100, 7)).collect();
    assert_eq!(colors, [GREEN, GREEN, YELLOW, RED, RED]);
}

#[test]
fn with_an_excess_burst_yellow_packets_use_what_the_committed_burst_has_no_room_for() {
    let mut switch = Switch::load("meters");
    // A token each millisecond.
    let config = MeterConfig { cir: 1000, cburst: 2, pir: 1000, pburst: 2, eburst: 3 };
    switch.control().meter_fill(PACKETS, 0..1, Some(config)).unwrap();
    assert_eq!(cell(&mut switch.control(), 0).0, Some(config));
    let mut colors = |packets: usize, now_ms: u64| -> Vec<u8> {
        let metered = |_| color(&mut switch, BY_PACKETS, 0, 100, 1000 * now_ms);
        (0..packets).map(metered).collect()
    };
    assert_eq!(colors(6, 0), [GREEN, GREEN, YELLOW, YELLOW, YELLOW, RED]);
    assert_eq!(colors(2, 1), [GREEN, RED]);
    assert_eq!(colors(4, 4), [GREEN, GREEN, YELLOW, RED]);
    assert_eq!(colors(6, 1000), [GREEN, GREEN, YELLOW, YELLOW, YELLOW, RED]);
}

#[test]
fn with_one_rate_and_no_excess_burst_nothing_is_yellow() {
    let mut switch = Switch::load("meters");
    let config = MeterConfig { cir: 0, cburst: 2, pir: 0, pburst: 2, eburst: 0 };
    switch.control().meter_fill(PACKETS, 0..1, Some(config)).unwrap();
    let colors: Vec<u8> = (0..3).map(|_| color(&mut switch, BY_PACKETS, 0, 100, 0)).collect();
    assert_eq!(colors, [GREEN, GREEN, RED]);
}

#[test]
fn packets_and_bytes_are_counted_by_color_until_the_counts_are_set() {
    let mut switch = Switch::load("meters");
    let count = |packets, bytes| CounterValue { packets, bytes };
    color(&mut switch, BY_PACKETS, 0, 100, 7);
    let config = MeterConfig { cir: 0, cburst: 2, pir: 0, pburst: 3, eburst: 0 };
    switch.control().meter_fill(PACKETS, 0..1, Some(config)).unwrap();
    for bytes in [10, 20, 30, 40, 50] {
        color(&mut switch, BY_PACKETS, 0, bytes, 7);
    }
    let counts = ColorCounts { green: count(3, 130), yellow: count(1, 30), red: count(2, 90) };
    assert_eq!(cell(&mut switch.control(), 0).1, counts);
    assert_eq!(cell(&mut switch.control(), 1).1, ColorCounts::default());
    switch.control().meter_fill(PACKETS, 0..1, None).unwrap();
    assert_eq!(cell(&mut switch.control(), 0).1, counts);
    for counts in [ColorCounts::default(), counts] {
        switch.control().meter_fill_counts(PACKETS, 0..1, counts).unwrap();
        assert_eq!(cell(&mut switch.control(), 0).1, counts);
    }
    assert!(switch.control().meter_fill_counts(PACKETS, 3..4, counts).is_err());
}

#[test]
fn a_color_is_cut_off_to_its_field() {
    let mut switch = Switch::load("meters");
    let config = MeterConfig { cir: 0, cburst: 0, pir: 0, pburst: 1, eburst: 0 };
    switch.control().meter_fill(PACKETS, 0..1, Some(config)).unwrap();
    let colors = (0..2).map(|_| color(&mut switch, BY_PACKETS_TO_ONE_BIT, 0, 100, 0));
    assert_eq!(colors.collect::<Vec<_>>(), [YELLOW, RED & 1]);
}

#[test]
fn colors_are_those_of_the_reference() {
    let mut switch = Switch::load("meters");
    let mut random = Random::new(5);
    for round in 0..200 {
        // Tokens per microsecond are multiples of 1/64: exact in floating point as well.
        let pir = 15_625 * random.below(4000) as u64;
        let cir = 15_625 * random.below(pir as usize / 15_625 + 1) as u64;
        let (cburst, pburst) = (random.below(20_000) as u64, random.below(20_000) as u64);
        let config = MeterConfig { cir, cburst, pir, pburst, eburst: 0 };
        let (name, choice) = *random.choose(&[(BYTES, BY_BYTES), (PACKETS, BY_PACKETS)]);
        switch.control().meter_fill(name, 1..2, Some(config)).unwrap();
        let mut reference = Reference::new(config);
        let mut now_us = random.below(1_000_000) as u64;
        for packet in 0..200 {
            now_us += random.below(400) as u64;
            let bytes = 6 + random.below(1495);
            let cost = if choice == BY_BYTES { bytes as u64 } else { 1 };
            let expected = reference.color(cost, now_us);
            let found = color(&mut switch, choice, 1, bytes, now_us);
            assert_eq!(found, expected, "round {round}, packet {packet}: {config:?}");
        }
    }
}

#[test]
fn configurations_can_be_read_and_senseless_ones_are_refused() {
    let mut switch = Switch::load("meters");
    let mut control = switch.control();
    let config = MeterConfig { cir: 1, cburst: 2, pir: 3, pburst: u64::MAX, eburst: 0 };
    assert_eq!(cell(&mut control, 2).0, None);
    control.meter_fill(PACKETS, 2..3, Some(config)).unwrap();
    assert_eq!(cell(&mut control, 2).0, Some(config));
    let refused = control.meter_fill(PACKETS, 2..3, Some(MeterConfig { cir: 4, ..config }));
    assert_eq!(
        refused.unwrap_err().to_string(),
        "meter TestIngress.by_packets: cir 4 is above pir 3; valid: at most pir"
    );
    let excess = control.meter_fill(PACKETS, 2..3, Some(MeterConfig { eburst: 5, ..config }));
    assert_eq!(
        excess.unwrap_err().to_string(),
        "meter TestIngress.by_packets: with eburst 5, pir and pburst must equal cir and cburst"
    );
    assert_eq!(cell(&mut control, 2).0, Some(config));
    assert!(control.meter_fill(PACKETS, 3..4, None).is_err());
    assert!(control.meter_fill("by_packets", 0..1, None).is_err());
}
