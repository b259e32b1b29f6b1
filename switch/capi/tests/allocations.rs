//! Packets cost no allocation once the queue has been as long as it gets.

use std::alloc::{GlobalAlloc, Layout, System};
use std::mem::MaybeUninit;
use std::path::Path;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicUsize, Ordering};

use p4abs_pipeline::{
    p4abs_pipeline_egress, p4abs_pipeline_ingress, p4abs_pipeline_load, p4abs_pipeline_table_add,
    Bytes, Instance, Match, QueueStay, Verdict, EXACT,
};

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

struct Counting;

// SAFETY: the system's allocator does the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        System.alloc(layout)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        System.dealloc(memory, layout);
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn station(number: u8) -> [u8; 6] {
    [2, 0, 0, 0, 0, number]
}

/// The project's program with a station behind port 2.
fn load() -> Box<Instance> {
    let product = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../p4src/build/queue.json");
    let json = std::fs::read(product).expect("compiled products are checked in");
    let loaded = unsafe { p4abs_pipeline_load(json.as_ptr(), json.len(), null_mut(), 0) };
    let mut instance = loaded.expect("the program loads");
    let (mac, port) = (station(2), [2]);
    let key = Match { value: Bytes { bytes: mac.as_ptr(), count: 6 }, prefix_bits: EXACT };
    let argument = Bytes { bytes: port.as_ptr(), count: 1 };
    let table = c"AbsIngress.forwarding.ethernet_forward".as_ptr();
    let action = c"AbsIngress.forwarding.forward".as_ptr();
    assert!(unsafe {
        p4abs_pipeline_table_add(Some(&mut instance), table, &key, 1, action, &argument, 1)
    });
    instance
}

/// Fills a queue of 64 frames of growing length and drains it.
fn fill_and_drain(instance: &mut Instance, frame: &[u8]) {
    let mut packets = [0; 64];
    for (position, packet) in packets.iter_mut().enumerate() {
        let (mut handle, mut port) = (MaybeUninit::new(0), MaybeUninit::new(0));
        let outputs = (Some(&mut handle), Some(&mut port));
        let length = frame.len() - 64 + position;
        let verdict = unsafe {
            p4abs_pipeline_ingress(
                Some(&mut *instance),
                1,
                frame.as_ptr(),
                length,
                0,
                outputs.0,
                outputs.1,
            )
        };
        assert_eq!(verdict, Verdict::Forward);
        *packet = unsafe { handle.assume_init() };
    }
    let stay = QueueStay::default();
    for packet in packets {
        let instance = Some(&mut *instance);
        let verdict = p4abs_pipeline_egress(instance, packet, 2, 0, Some(&stay), None, None);
        assert_eq!(verdict, Verdict::Forward);
    }
}

#[test]
fn packets_are_reused() {
    let mut instance = load();
    let mut frame = vec![0; 1_514];
    frame[..6].copy_from_slice(&station(2));
    // Reuse is last in, first out: two rounds bring every packet to its longest frame.
    fill_and_drain(&mut instance, &frame);
    fill_and_drain(&mut instance, &frame);
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    for _ in 0..100 {
        fill_and_drain(&mut instance, &frame);
    }
    assert_eq!(ALLOCATIONS.load(Ordering::Relaxed) - before, 0);
}
