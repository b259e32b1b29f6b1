use super::*;

#[test]
fn a_port_has_memory_for_a_quarter_of_a_second_and_never_less_than_a_chip_gives_it() {
    let memory = |rate_bps| PortConfig::default_memory_bytes(NonZeroU64::new(rate_bps));
    assert_eq!(memory(0), 16_000_000);
    assert_eq!(memory(10_000_000), 16_000_000);
    assert_eq!(memory(1_000_000_000), 31_250_000);
    assert_eq!(memory(MAX_RATE_BPS), 31_250_000_000);
}

#[test]
fn rings_are_made_for_the_link_s_rate_and_all_together_are_small() {
    let ring = |rate_bps, ports| {
        let rate_bps = NonZeroU64::new(rate_bps);
        PortConfig { rate_bps, ..PortConfig::new(1) }.ring_bytes_among(ports)
    };
    assert_eq!(ring(10_000_000, 1), MIN_CHOSEN_RING_BYTES as usize);
    assert_eq!(ring(50_000_000, 1), 2_500_000);
    for rate_bps in [0, 100_000_000, MAX_RATE_BPS] {
        assert_eq!(ring(rate_bps, 1), MAX_CHOSEN_RING_BYTES as usize);
        assert_eq!(ring(rate_bps, 16), RINGS_BYTES as usize / 16);
        assert_eq!(ring(rate_bps, 510), MIN_CHOSEN_RING_BYTES as usize);
    }
}

#[test]
fn a_ring_has_the_size_that_it_is_given() {
    let given = PortConfig { ring_bytes: Some(5 << 20), ..PortConfig::new(1) };
    assert_eq!(given.ring_bytes_among(100), 5 << 20);
}

#[test]
fn each_queue_has_a_weight_or_none() {
    let check = |queues, weights: &[u8]| {
        check(&[PortConfig { queues, weights: weights.to_vec(), ..PortConfig::new(2) }], None)
    };
    for (queues, weights) in [(1, &[9][..]), (3, &[1, 1, 6]), (8, &[255; 8]), (8, &[])] {
        assert_eq!(check(queues, weights), Ok(()));
    }
    let told = |queues, weights| check(queues, weights).map_err(|error| error.to_string());
    let mismatch = "port 2: 2 weights for 3 queues; give each queue one";
    assert_eq!(told(3, &[1, 6]), Err(mismatch.to_owned()));
    let zero = "port 2: weight 0 is out of range; valid are 1 to 255";
    assert_eq!(told(2, &[0, 6]), Err(zero.to_owned()));
}

#[test]
fn names_that_linux_gives_no_interface_are_refused() {
    let check = |name: &str| {
        let interface = Some(name.to_owned());
        check(&[PortConfig { interface, ..PortConfig::new(1) }], None)
    };
    for name in ["s1-eth1", "lo", "...", "fifteen_letters", "tap.5", "\u{e9}"] {
        assert_eq!(check(name), Ok(()));
    }
    for name in ["", ".", "..", "a/b", "a:1", "a b", "a\tb", "a\u{b}b", "sixteen__letters"] {
        let interface = name.to_owned();
        assert_eq!(check(name), Err(ConfigError::NoInterfaceName { port: 1, interface }));
    }
}

#[test]
fn ports_are_listed_as_ranges_where_three_or_more_follow_each_other() {
    let listed = |ports: &[u16]| port_ranges(ports.iter().copied());
    assert_eq!(listed(&[]), "");
    assert_eq!(listed(&[1, 2, 510]), "1, 2, 510");
    assert_eq!(listed(&[0, 1, 2, 4, 7, 8]), "0 to 2, 4, 7, 8");
    assert_eq!(port_ranges(0..511), "0 to 510");
}
