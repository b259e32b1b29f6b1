use super::*;

/// As interfaces have them: the shortest, of a wire, with large frames, of the loopback interface.
const LONGEST_BYTES: [usize; 4] = [86, 1_518, 9_234, 65_553];

#[test]
fn slots_are_aligned_and_apart_and_fill_the_memory_that_is_given() {
    for longest_bytes in LONGEST_BYTES {
        for ring_bytes in [1 << 16, 1 << 20, 3 << 20, 1 << 24] {
            let layout = Layout::new(longest_bytes, ring_bytes);
            let mut place = Place::default();
            let mut end = 0;
            for _ in 0..layout.request().tp_frame_nr {
                let start = layout.offset(place);
                assert!(start >= end && start % CACHE_LINE_BYTES == 0);
                end = start + layout.slot_bytes;
                place = layout.after(place);
            }
            assert_eq!(place, Place::default(), "the first follows the last");
            assert!(end <= layout.bytes());
            assert_eq!(layout.bytes(), ring_bytes);
        }
    }
}

#[test]
fn a_ring_holds_hundreds_of_frames_whatever_the_mtu() {
    let frames = LONGEST_BYTES.map(|longest| Layout::new(longest, 1 << 20).request().tp_frame_nr);
    assert_eq!(frames, [5_456, 624, 512, 512]);
}
