//! The functions of the header, which documents them.
//!
//! `Option<&T>`, `Option<&mut T>` and `Option<Box<T>>` are C's pointers that may be null. C's
//! caller promises that such a pointer, if not null, is aligned, valid during the call and used by
//! nobody else; for `Option<Box<Instance>>`, that it came from [`p4abs_pipeline_load`].
#![allow(unsafe_code)]

use std::ffi::c_char;
use std::mem::MaybeUninit;

use pipeline::QueueInfo;

use crate::error::Error;
use crate::instance::{contained, Instance};
use crate::memory::{array, copy_message, required, text, Bytes, Match};
use crate::packets::PacketHandle;

type Output<'a, T> = Option<&'a mut MaybeUninit<T>>;

/// C's `p4abs_verdict`.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The packet ends here.
    Drop = 0,
    /// The packet goes on.
    Forward = 1,
    /// The call failed.
    Error = 2,
}

/// C's `p4abs_queue_info`.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct QueueStay {
    /// When the packet entered the queue.
    pub enqueued_at_us: u64,
    /// Packets in the queue when it entered, without it.
    pub enqueue_depth_packets: u32,
    /// Packets in the queue when it left, without it.
    pub dequeue_depth_packets: u32,
}

impl From<&QueueStay> for QueueInfo {
    fn from(stay: &QueueStay) -> QueueInfo {
        let &QueueStay { enqueued_at_us, enqueue_depth_packets, dequeue_depth_packets } = stay;
        QueueInfo { enqueued_at_us, enqueue_depth_packets, dequeue_depth_packets, queue: 0 }
    }
}

/// Compiles a program.
///
/// # Safety
/// `json` and `error` are null or point to as many bytes as the lengths say.
#[no_mangle]
pub unsafe extern "C" fn p4abs_pipeline_load(
    json: *const u8,
    json_bytes: usize,
    error: *mut c_char,
    error_bytes: usize,
) -> Option<Box<Instance>> {
    // SAFETY: promised.
    let loaded = contained(|| Instance::load(unsafe { array("json", json, json_bytes) }?));
    match loaded {
        Ok(instance) => Some(Box::new(instance)),
        Err(refusal) => {
            // SAFETY: promised.
            unsafe { copy_message(&refusal.message(), error, error_bytes) };
            None
        }
    }
}

/// Frees a pipeline and its packets.
#[no_mangle]
pub extern "C" fn p4abs_pipeline_free(pipeline: Option<Box<Instance>>) {
    // Nobody is left to be told.
    let _ = contained(|| {
        drop(pipeline);
        Ok(())
    });
}

/// Why the latest call that failed did.
#[no_mangle]
pub extern "C" fn p4abs_pipeline_error(pipeline: Option<&Instance>) -> *const c_char {
    pipeline.map_or(c"pipeline is null", Instance::message).as_ptr()
}

/// Runs a frame through ingress.
///
/// # Safety
/// `frame` is null or points to `frame_bytes` bytes.
#[no_mangle]
pub unsafe extern "C" fn p4abs_pipeline_ingress(
    pipeline: Option<&mut Instance>,
    ingress_port: u16,
    frame: *const u8,
    frame_bytes: usize,
    now_us: u64,
    packet: Output<'_, PacketHandle>,
    egress_port: Output<'_, u16>,
) -> Verdict {
    verdict(pipeline, |instance| {
        let (packet, egress_port) =
            (required("packet", packet)?, required("egress_port", egress_port)?);
        // SAFETY: promised.
        let frame = unsafe { array("frame", frame, frame_bytes) }?;
        let forwarded = instance.ingress(ingress_port, frame, now_us)?;
        Ok(forwarded.map(|(handle, port)| {
            packet.write(handle);
            egress_port.write(port);
        }))
    })
}

/// Runs a packet through egress.
#[no_mangle]
pub extern "C" fn p4abs_pipeline_egress(
    pipeline: Option<&mut Instance>,
    packet: PacketHandle,
    egress_port: u16,
    now_us: u64,
    queue: Option<&QueueStay>,
    frame: Output<'_, *const u8>,
    frame_bytes: Output<'_, usize>,
) -> Verdict {
    verdict(pipeline, |instance| {
        let queue = queue.ok_or(Error::Null("queue"))?;
        let emitted = instance.egress(packet, egress_port, now_us, queue.into())?;
        Ok(emitted.map(|emitted| {
            frame.map(|output| output.write(emitted.as_ptr()));
            frame_bytes.map(|output| output.write(emitted.len()));
        }))
    })
}

/// Takes back a packet that leaves the queue without egress.
#[no_mangle]
pub extern "C" fn p4abs_pipeline_discard(
    pipeline: Option<&mut Instance>,
    packet: PacketHandle,
) -> bool {
    succeeds(pipeline, |instance| instance.discard(packet))
}

/// Reads a register's cell.
///
/// # Safety
/// `name` is null or points to a string terminated by NUL.
#[no_mangle]
pub unsafe extern "C" fn p4abs_pipeline_register_read(
    pipeline: Option<&mut Instance>,
    name: *const c_char,
    index: u32,
    value: Output<'_, u64>,
) -> bool {
    succeeds(pipeline, |instance| {
        // SAFETY: promised.
        let (name, output) = (unsafe { text("name", name) }?, required("value", value)?);
        let value = instance.control().register_read(name, index as usize)?;
        let fits = u64::try_from(&value);
        output.write(fits.map_err(|_| Error::WideRegister { name: name.to_string(), value })?);
        Ok(())
    })
}

/// Writes a register's cell.
///
/// # Safety
/// `name` is null or points to a string terminated by NUL.
#[no_mangle]
pub unsafe extern "C" fn p4abs_pipeline_register_write(
    pipeline: Option<&mut Instance>,
    name: *const c_char,
    index: u32,
    value: u64,
) -> bool {
    succeeds(pipeline, |instance| {
        // SAFETY: promised.
        let name = unsafe { text("name", name) }?;
        Ok(instance.control().register_write(name, index as usize, value)?)
    })
}

/// Adds a table entry.
///
/// # Safety
/// `table` and `action` are null or point to strings terminated by NUL; `key` and `arguments`, and
/// the bytes that they refer to, are null or point to as many elements as the counts say.
#[no_mangle]
pub unsafe extern "C" fn p4abs_pipeline_table_add(
    pipeline: Option<&mut Instance>,
    table: *const c_char,
    key: *const Match,
    key_count: usize,
    action: *const c_char,
    arguments: *const Bytes,
    argument_count: usize,
) -> bool {
    succeeds(pipeline, |instance| {
        // SAFETY: promised.
        let (table, action) = unsafe { (text("table", table)?, text("action", action)?) };
        // SAFETY: promised.
        let key = unsafe { array("key", key, key_count) }?.iter();
        // SAFETY: promised.
        let arguments = unsafe { array("arguments", arguments, argument_count) }?.iter();
        // SAFETY: promised.
        let key = key.map(|field| unsafe { field.to_match() }).collect::<Result<Vec<_>, _>>()?;
        // SAFETY: promised.
        let arguments = arguments.map(|argument| unsafe { argument.to_vec("arguments") });
        let arguments = arguments.collect::<Result<Vec<_>, _>>()?;
        Ok(instance.control().table_insert(table, &key, action, &arguments, 0)?)
    })
}

/// None: dropped.
fn verdict(
    pipeline: Option<&mut Instance>,
    request: impl FnOnce(&mut Instance) -> Result<Option<()>, Error>,
) -> Verdict {
    match pipeline.and_then(|instance| instance.attempt(request)) {
        Some(Some(())) => Verdict::Forward,
        Some(None) => Verdict::Drop,
        None => Verdict::Error,
    }
}

fn succeeds(
    pipeline: Option<&mut Instance>,
    request: impl FnOnce(&mut Instance) -> Result<(), Error>,
) -> bool {
    pipeline.and_then(|instance| instance.attempt(request)).is_some()
}
