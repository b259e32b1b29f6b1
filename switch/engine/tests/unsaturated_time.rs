//! What the ABS program tells of a link's idle time, without knowing the link's rate.

use crate::support::bottleneck::*;
use engine::{PortConfig, Switch};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const US: u64 = 1_000;
const BUILDS: [&str; 3] = ["queue.json", "shared_queue.json", "virtual_queue.json"];
const STALL_TIMEOUT_NS: u64 = S; // p4src/adaptive/departures/queue.p4

/// Idle time on a link of one byte per microsecond.
fn idle_us(reply: &Reply) -> i64 {
    reply.unsaturated_us as i64 - reply.unsaturated_bytes as i64
}

/// A bottleneck of one byte per microsecond, behind a real queue or as a virtual one.
fn bottleneck_of(build: &str) -> Switch {
    let mut switch = switch_with(build, bottleneck(None));
    switch.control().unwrap().register_write("drain_rate", 2, 1u32 << 20).unwrap();
    switch
}

fn at(switch: &mut Switch, at_ns: u64) -> Reply {
    run(switch, at_ns);
    snapshot(switch)
}

#[test]
fn a_link_is_idle_from_the_end_of_a_transmission_to_the_next_arrival() {
    for build in BUILDS {
        let mut switch = bottleneck_of(build);
        let before = at(&mut switch, 10 * MS);
        inject(&mut switch, 1, FRAME_BYTES, 10 * MS);
        inject(&mut switch, 1, FRAME_BYTES, 15 * MS);
        let after = at(&mut switch, 20 * MS);
        assert_eq!(idle_us(&after) - idle_us(&before), 8_000, "{build}");
        // The idle time under way is in the snapshot.
        assert_eq!(idle_us(&at(&mut switch, 21 * MS)) - idle_us(&after), 1_000, "{build}");
    }
}

#[test]
fn a_frame_that_waits_for_the_one_before_it_finds_no_idle_link() {
    for build in BUILDS {
        let mut switch = bottleneck_of(build);
        for number in 0..100 {
            inject(&mut switch, 1, FRAME_BYTES, number * (SERIALIZATION_NS - 100 * US));
        }
        let after = at(&mut switch, 100 * MS);
        assert_eq!(idle_us(&after), 0, "{build}");
        let saturated_us = after.timestamp_us - after.unsaturated_us;
        assert_eq!(after.departed_bytes - after.unsaturated_bytes, saturated_us, "{build}");
    }
}

#[test]
fn frames_lost_in_a_full_memory_are_a_stall_and_then_no_time_without_traffic() {
    let mut switch = switch(bottleneck(Some(1_000)));
    inject(&mut switch, 3, FRAME_BYTES, 0);
    let stalled = at(&mut switch, STALL_TIMEOUT_NS - 100 * MS);
    assert_eq!((stalled.admitted_bytes, stalled.departed_bytes), (3_000, 2_000));
    assert_eq!(idle_us(&stalled), 0);
    let standing = at(&mut switch, STALL_TIMEOUT_NS + 500 * MS);
    assert_eq!((standing.admitted_bytes, standing.departed_bytes), (3_000, 2_000));
    assert_eq!(idle_us(&standing), 0);
    // No frame was in transmission when the queue was found to stand.
    assert_eq!(idle_us(&at(&mut switch, STALL_TIMEOUT_NS + 600 * MS)), 100_000);
    inject(&mut switch, 1, FRAME_BYTES, 2 * S);
    let repaired = at(&mut switch, 2 * S + MS);
    assert_eq!((repaired.admitted_bytes, repaired.departed_bytes), (4_000, 4_000));
    assert_eq!(idle_us(&repaired), 500_000);
}

#[test]
fn a_packet_that_waits_longer_than_any_frame_takes_waits_for_a_stalled_link() {
    let slow = PortConfig { rate_bps: std::num::NonZeroU64::new(8_000), ..PortConfig::new(2) };
    // One byte per millisecond: frames of 100 bytes wait 100 ms, of 200 bytes too long.
    for (length_bytes, counted_us) in [(100, 100_000), (200, 0)] {
        let mut switch = switch(slow.clone());
        inject(&mut switch, 2, length_bytes, 0);
        let after = at(&mut switch, length_bytes as u64 * MS);
        assert_eq!(
            (after.unsaturated_us, after.departed_bytes),
            (counted_us, 2 * length_bytes as u64)
        );
    }
}

#[test]
fn unsaturated_counters_wrap_like_the_others() {
    for build in BUILDS {
        let mut switch = bottleneck_of(build);
        let start = at(&mut switch, MS);
        for register in ["unsaturated_us", "unsaturated_bytes"] {
            let mut control = switch.control().unwrap();
            control.register_write(register, 2, u64::MAX - 4).unwrap();
        }
        inject(&mut switch, 1, FRAME_BYTES, 2 * MS);
        let after = at(&mut switch, 10 * MS);
        assert_eq!(start.unsaturated_us, 1_000, "{build}");
        assert_eq!(after.unsaturated_us, 9_000 - 5, "{build}");
        assert_eq!(after.unsaturated_bytes, FRAME_BYTES as u64 - 5, "{build}");
    }
}

/// What a link of one byte per microsecond does with arrivals, worked out by hand.
#[derive(Default)]
struct Link {
    now_us: u64,
    work_us: u64,
    idle_us: i64,
}

impl Link {
    fn advance(&mut self, to_us: u64) {
        let elapsed_us = to_us - self.now_us;
        self.idle_us += elapsed_us.saturating_sub(self.work_us) as i64;
        self.work_us = self.work_us.saturating_sub(elapsed_us);
        self.now_us = to_us;
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1_010),
        ..ProptestConfig::default()
    })]

    /// Whenever it is asked for, and as often as it is asked for; nothing goes backwards.
    #[test]
    fn idle_time_is_that_of_the_link(
        build in 0..BUILDS.len(),
        events in vec((0..1_500u64, 14..1_500usize, any::<bool>()), 1..100),
    ) {
        let mut switch = bottleneck_of(BUILDS[build]);
        let mut link = Link::default();
        let mut last = snapshot(&mut switch);
        let mut at_us = 0;
        for &(gap_us, length_bytes, is_frame) in &events {
            at_us += gap_us;
            link.advance(at_us);
            if is_frame {
                inject(&mut switch, 1, length_bytes, at_us * US);
                run(&mut switch, at_us * US);
                link.work_us += length_bytes as u64;
                continue;
            }
            let now = at(&mut switch, at_us * US);
            // A frame in transmission, and the wait for it, count before they are over.
            let error_us = idle_us(&now) - link.idle_us;
            prop_assert!((-1_500..=0).contains(&error_us), "{error_us} us at {at_us} us");
            prop_assert!(now.unsaturated_us >= last.unsaturated_us);
            prop_assert!(now.unsaturated_bytes >= last.unsaturated_bytes);
            last = now;
        }
        at_us += link.work_us;
        link.advance(at_us);
        let end = at(&mut switch, at_us * US);
        prop_assert_eq!(end.admitted_bytes, end.departed_bytes);
        prop_assert_eq!(idle_us(&end), link.idle_us);
        // All other time has been spent sending.
        prop_assert_eq!(
            end.departed_bytes - end.unsaturated_bytes,
            end.timestamp_us - end.unsaturated_us
        );
    }
}
