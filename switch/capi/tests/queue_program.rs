//! The project's program, driven as C drives it.

use std::ffi::{c_char, CStr, CString};
use std::mem::MaybeUninit;
use std::path::Path;
use std::ptr::null;

use p4abs_pipeline::{
    p4abs_pipeline_discard, p4abs_pipeline_egress, p4abs_pipeline_error, p4abs_pipeline_free,
    p4abs_pipeline_ingress, p4abs_pipeline_load, p4abs_pipeline_register_read,
    p4abs_pipeline_register_write, p4abs_pipeline_table_add, Bytes, Instance, Match, PacketHandle,
    QueueStay, Verdict, EXACT,
};

const FRAME_BYTES: usize = 1_000;
const PORT: u16 = 2;
const STATION: [u8; 6] = [2, 0, 0, 0, 0, PORT as u8];
const ETHERNET_FORWARD: &CStr = c"AbsIngress.forwarding.ethernet_forward";
const FORWARD: &CStr = c"AbsIngress.forwarding.forward";
const ROUTE: &CStr = c"AbsIngress.forwarding.ipv4_route";
const ROUTE_IPV4: &CStr = c"AbsIngress.forwarding.route_ipv4";

fn program() -> Vec<u8> {
    let product = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../p4src/build/queue.json");
    std::fs::read(product).expect("compiled products are checked in")
}

fn bytes(value: &[u8]) -> Bytes {
    Bytes { bytes: value.as_ptr(), count: value.len() }
}

/// Loads a program; an error keeps what fits `error_bytes`.
fn load(json: &[u8], error_bytes: usize) -> Result<Box<Instance>, CString> {
    let mut error = vec![b'?'; error_bytes];
    let buffer = error.as_mut_ptr().cast::<c_char>();
    let loaded = unsafe { p4abs_pipeline_load(json.as_ptr(), json.len(), buffer, error_bytes) };
    loaded.ok_or_else(|| CStr::from_bytes_until_nul(&error).expect("terminated").to_owned())
}

/// The program with a station behind [`PORT`].
struct Queue(Option<Box<Instance>>);

impl Queue {
    fn new() -> Queue {
        let mut queue = Queue(Some(load(&program(), 0).expect("the program loads")));
        let key = [Match { value: bytes(&STATION), prefix_bits: EXACT }];
        let port = PORT.to_be_bytes();
        assert!(queue.add(ETHERNET_FORWARD, &key, FORWARD, &[bytes(&port)]), "{}", queue.error());
        queue
    }

    fn instance(&mut self) -> Option<&mut Instance> {
        self.0.as_deref_mut()
    }

    fn error(&self) -> String {
        let message = unsafe { CStr::from_ptr(p4abs_pipeline_error(self.0.as_deref())) };
        message.to_str().unwrap().to_string()
    }

    fn add(&mut self, table: &CStr, key: &[Match], action: &CStr, arguments: &[Bytes]) -> bool {
        let (table, action) = (table.as_ptr(), action.as_ptr());
        let (keys, values) = (key.len(), arguments.len());
        let (key, arguments) = (key.as_ptr(), arguments.as_ptr());
        let instance = self.instance();
        unsafe { p4abs_pipeline_table_add(instance, table, key, keys, action, arguments, values) }
    }

    fn read(&mut self, register: &CStr, index: u32) -> Option<u64> {
        let mut value = MaybeUninit::new(0);
        let (name, output) = (register.as_ptr(), Some(&mut value));
        let done = unsafe { p4abs_pipeline_register_read(self.instance(), name, index, output) };
        done.then(|| unsafe { value.assume_init() })
    }

    fn register(&mut self, name: &CStr) -> u64 {
        self.read(name, PORT.into()).unwrap()
    }

    fn write(&mut self, register: &CStr, index: u32, value: u64) -> bool {
        let name = register.as_ptr();
        unsafe { p4abs_pipeline_register_write(self.instance(), name, index, value) }
    }

    /// None: dropped.
    fn ingress(&mut self, frame: &[u8], now_us: u64) -> Option<(PacketHandle, u16)> {
        let (mut packet, mut port) = (MaybeUninit::new(0), MaybeUninit::new(0));
        let outputs = (Some(&mut packet), Some(&mut port));
        let (first, length) = (frame.as_ptr(), frame.len());
        let verdict = unsafe {
            p4abs_pipeline_ingress(self.instance(), 1, first, length, now_us, outputs.0, outputs.1)
        };
        match verdict {
            Verdict::Forward => Some(unsafe { (packet.assume_init(), port.assume_init()) }),
            Verdict::Drop => None,
            Verdict::Error => panic!("{}", self.error()),
        }
    }

    fn admit(&mut self, now_us: u64) -> Option<PacketHandle> {
        let (packet, port) = self.ingress(&frame(FRAME_BYTES), now_us)?;
        assert_eq!(port, PORT);
        Some(packet)
    }

    /// The frame as it leaves.
    fn egress(&mut self, packet: PacketHandle, now_us: u64) -> Result<Vec<u8>, Verdict> {
        let (mut frame, mut length) = (MaybeUninit::new(null()), MaybeUninit::new(0));
        let outputs = (Some(&mut frame), Some(&mut length));
        let stay = Some(&QueueStay::default());
        let instance = self.instance();
        match p4abs_pipeline_egress(instance, packet, PORT, now_us, stay, outputs.0, outputs.1) {
            Verdict::Forward => Ok(unsafe {
                std::slice::from_raw_parts(frame.assume_init(), length.assume_init()).to_vec()
            }),
            verdict => Err(verdict),
        }
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        p4abs_pipeline_free(self.0.take());
    }
}

/// A frame for the station, of a protocol that the program does not parse.
fn frame(length_bytes: usize) -> Vec<u8> {
    let mut frame = [&STATION[..], &[2, 0, 0, 0, 0, 9, 0x88, 0xb5]].concat();
    frame.resize(length_bytes, 0);
    frame
}

fn ipv4_frame() -> Vec<u8> {
    let mut header = vec![0x45, 0, 0, 20, 0, 0, 0, 0, 64, 6, 0, 0, 10, 0, 0, 1, 10, 0, 1, 7];
    let sum: u32 = header.chunks(2).map(|pair| u32::from(pair[0]) << 8 | u32::from(pair[1])).sum();
    let checksum = !((sum & 0xffff) + (sum >> 16)) as u16;
    header[10..12].copy_from_slice(&checksum.to_be_bytes());
    [&[2, 0, 0, 0, 0, 77, 2, 0, 0, 0, 0, 9, 8, 0][..], &header].concat()
}

#[test]
fn packets_are_admitted_up_to_the_limit_and_dropped_above_it() {
    let mut queue = Queue::new();
    assert!(queue.write(c"queue_limit_bytes", PORT.into(), 3_000));
    let verdicts: Vec<bool> = (0..5).map(|_| queue.admit(7).is_some()).collect();
    assert_eq!(verdicts, [true, true, true, false, false]);
    assert_eq!(queue.register(c"admitted_bytes"), 3_000);
    assert_eq!(queue.register(c"dropped_bytes"), 2_000);
}

#[test]
fn a_departure_moves_the_registers_and_makes_room() {
    let mut queue = Queue::new();
    assert!(queue.write(c"queue_limit_bytes", PORT.into(), 1_000));
    let packet = queue.admit(7).unwrap();
    assert_eq!(queue.admit(8), None);
    assert_eq!(queue.egress(packet, 9).unwrap(), frame(FRAME_BYTES));
    assert_eq!(queue.register(c"departed_bytes"), 1_000);
    assert_eq!(queue.register(c"departed_at_us"), 9);
    assert!(queue.admit(10).is_some());
}

#[test]
fn a_routed_frame_leaves_with_new_addresses_and_one_hop_less() {
    let mut queue = Queue::new();
    let key = [Match { value: bytes(&[10, 0, 1, 0]), prefix_bits: 24 }];
    let (port, source) = (PORT.to_be_bytes(), [4; 6]);
    let arguments = [bytes(&port), bytes(&source), bytes(&STATION)];
    assert!(queue.add(ROUTE, &key, ROUTE_IPV4, &arguments), "{}", queue.error());
    let received = ipv4_frame();
    let (packet, port) = queue.ingress(&received, 0).unwrap();
    assert_eq!(port, PORT);
    let sent = queue.egress(packet, 0).unwrap();
    assert_eq!(sent[..12], [STATION, source].concat());
    assert_eq!((received[22], sent[22]), (64, 63));
    assert_eq!(sent.len(), received.len());
}

#[test]
fn a_packet_leaves_once_whichever_way() {
    let mut queue = Queue::new();
    let sent = queue.admit(0).unwrap();
    let discarded = queue.admit(0).unwrap();
    assert!(queue.egress(sent, 1).is_ok());
    assert!(p4abs_pipeline_discard(queue.instance(), discarded));
    // Their memory is in use again, for other packets.
    let again = [queue.admit(2).unwrap(), queue.admit(2).unwrap()];
    for stale in [sent, discarded, 0, u64::MAX, again[0] + 0x100] {
        assert!(!p4abs_pipeline_discard(queue.instance(), stale), "{stale:#x}");
        assert_eq!(queue.egress(stale, 3), Err(Verdict::Error), "{stale:#x}");
        assert!(queue.error().contains(&format!("packet {stale:#x} is not in a queue")));
    }
    assert!(again.iter().all(|&packet| queue.egress(packet, 3).is_ok()));
}

#[test]
fn an_unknown_register_is_answered_with_the_valid_names() {
    let mut queue = Queue::new();
    assert_eq!(queue.read(c"queue_limit", 0), None);
    let error = queue.error();
    assert!(error.starts_with("no register 'queue_limit'; valid: "), "{error}");
    assert!(error.contains("queue_limit_bytes") && error.contains("departed_at_us"), "{error}");
}

#[test]
fn a_cell_beyond_the_end_is_an_error() {
    let mut queue = Queue::new();
    assert!(!queue.write(c"queue_limit_bytes", 512, 1));
    assert!(queue.error().ends_with("index 512 is out of bounds; valid: 0 to 511"));
    assert_eq!(queue.read(c"queue_limit_bytes", u32::MAX), None);
    assert!(queue.error().contains("out of bounds"), "{}", queue.error());
}

#[test]
fn a_table_entry_that_does_not_fit_is_refused_with_the_reason() {
    let mut queue = Queue::new();
    let station = Match { value: bytes(&STATION), prefix_bits: EXACT };
    let other = Match { value: bytes(&[2, 0, 0, 0, 0, 77]), prefix_bits: EXACT };
    let prefix = Match { value: bytes(&STATION), prefix_bits: 8 };
    let port = [bytes(&[2])];
    for (table, key, action, arguments, reason) in [
        (c"acl", &[station][..], FORWARD, &port[..], "no table 'acl'; valid: "),
        (ETHERNET_FORWARD, &[other], c"deny", &port, "no action 'deny'; valid: "),
        (ETHERNET_FORWARD, &[station], FORWARD, &port, "the entry exists already"),
        (ETHERNET_FORWARD, &[], FORWARD, &port, "a key of 0 fields"),
        (ETHERNET_FORWARD, &[prefix], FORWARD, &port, "valid: exact"),
        (ETHERNET_FORWARD, &[other], FORWARD, &[], "argument"),
    ] {
        assert!(!queue.add(table, key, action, arguments));
        assert!(queue.error().contains(reason), "{} has no {reason:?}", queue.error());
    }
}

#[test]
fn a_program_that_does_not_load_is_answered_with_the_reason_cut_to_the_buffer() {
    assert_eq!(load(b"{", 100).unwrap_err().to_bytes()[..28], *b"not a BMv2 JSON program: EOF");
    assert_eq!(load(b"{", 6).unwrap_err().as_c_str(), c"not a");
    let without_buffer =
        unsafe { p4abs_pipeline_load(c"{".as_ptr().cast(), 1, null::<c_char>().cast_mut(), 9) };
    assert!(without_buffer.is_none());
}

#[test]
fn null_is_an_error() {
    let mut queue = Queue::new();
    let error = |queue: &Queue, missing: &str| {
        assert_eq!(queue.error(), format!("{missing} is null"));
    };
    let (mut packet, mut port) = (MaybeUninit::new(0), MaybeUninit::new(0));
    let instance = queue.instance();
    let (output, length) = (Some(&mut packet), FRAME_BYTES);
    let verdict =
        unsafe { p4abs_pipeline_ingress(instance, 1, null(), length, 0, output, Some(&mut port)) };
    assert_eq!(verdict, Verdict::Error);
    error(&queue, "frame");

    let frame = frame(FRAME_BYTES);
    let (instance, output) = (queue.instance(), Some(&mut port));
    let verdict =
        unsafe { p4abs_pipeline_ingress(instance, 1, frame.as_ptr(), length, 0, None, output) };
    assert_eq!(verdict, Verdict::Error);
    error(&queue, "packet");
    assert_eq!(queue.register(c"admitted_bytes"), 0);

    let packet = queue.admit(0).unwrap();
    let verdict = p4abs_pipeline_egress(queue.instance(), packet, PORT, 0, None, None, None);
    assert_eq!(verdict, Verdict::Error);
    error(&queue, "queue");
    assert!(queue.egress(packet, 0).is_ok());

    assert!(!unsafe { p4abs_pipeline_register_write(queue.instance(), null(), 0, 0) });
    error(&queue, "name");
    assert!(!queue.add(
        ETHERNET_FORWARD,
        &[Match { value: Bytes { bytes: null(), count: 6 }, prefix_bits: EXACT }],
        FORWARD,
        &[]
    ));
    error(&queue, "key");

    p4abs_pipeline_free(None);
    assert!(!p4abs_pipeline_discard(None, packet));
    let message = unsafe { CStr::from_ptr(p4abs_pipeline_error(None)) };
    assert_eq!(message, c"pipeline is null");
}

#[test]
fn a_name_that_is_not_utf8_is_an_error() {
    let mut queue = Queue::new();
    assert_eq!(queue.read(c"\xff", 0), None);
    assert_eq!(queue.error(), "name is not UTF-8");
}

#[test]
fn an_impossible_length_is_an_error() {
    let loaded =
        unsafe { p4abs_pipeline_load([0].as_ptr(), usize::MAX, null::<c_char>().cast_mut(), 0) };
    assert!(loaded.is_none());
}

#[test]
fn an_empty_frame_is_dropped_by_the_parser() {
    assert_eq!(Queue::new().ingress(&[], 0), None);
}
