//! The service beside P4Runtime for what that has no words for: a running switch's ports, queues and
//! traces. What can be asked is in `p4abs_switch/port_service.py`.

mod fields;
mod trace;

use std::num::NonZeroU64;
use std::path::PathBuf;

use engine::QueueLimit;
use p4runtime::{Error, Sender};

pub(crate) use fields::{Struct, Value};
pub(crate) use trace::Trace;

use crate::device::Device;
use crate::port_table::{port_number, queues, remove_port};
use fields::{GREATEST_COUNT, GREATEST_ID};

const GREATEST_PORT: u128 = u32::MAX as u128;

/// `ports`, each with `port`, `interface` (or none), `queues`, `is_up` and `forwarded_packets`.
pub(crate) fn show(device: &Device, request: &Struct) -> Result<Struct, Error> {
    device.check_device(request.whole("device_id", GREATEST_ID)? as u64)?;
    let ports = device.ports.engine.port_states().into_iter().map(|state| {
        let interface = state.config.interface.map(|name| ("interface", Value::text(name)));
        let port = ("port", Value::text(state.config.port.to_string()));
        let queues = ("queues", Value::text(state.config.queues.to_string()));
        let is_up = ("is_up", Value::flag(state.is_up));
        let forwarded = ("forwarded_packets", Value::text(state.forwarded_packets.to_string()));
        Value::fields([port, queues, is_up, forwarded].into_iter().chain(interface))
    });
    Ok(Struct::of([("ports", Value::list(ports))]))
}

/// The most `packets` that wait in queues.
pub(crate) fn set_queue_depth(device: &Device, request: &Struct) -> Result<Struct, Error> {
    check_primary(device, request)?;
    let packets = request.whole("packets", GREATEST_COUNT)? as u64;
    limit(device, request, QueueLimit::Depth { packets })
}

/// The most `packets_per_second` that leave queues; 0: as many as can.
pub(crate) fn set_queue_rate(device: &Device, request: &Struct) -> Result<Struct, Error> {
    check_primary(device, request)?;
    let rate_pps = request.whole("packets_per_second", GREATEST_COUNT)? as u64;
    limit(device, request, QueueLimit::Rate { packets_per_second: NonZeroU64::new(rate_pps) })
}

/// A `port` at an `interface`.
pub(crate) fn add(device: &Device, request: &Struct) -> Result<Struct, Error> {
    check_primary(device, request)?;
    let number = request.whole("port", GREATEST_PORT)?;
    let captures =
        device.ports.add(number, request.text("interface"), request.is_set("captured"))?;
    Ok(captures.map_or_else(Struct::default, |(came_in, went_out)| {
        let path = |path: PathBuf| Value::text(path.display().to_string());
        Struct::of([("captured_in", path(came_in)), ("captured_out", path(went_out))])
    }))
}

/// A `port`.
pub(crate) fn remove(device: &Device, request: &Struct) -> Result<Struct, Error> {
    check_primary(device, request)?;
    let port = port_number(request.whole("port", GREATEST_PORT)?)?;
    remove_port(&device.ports.engine, &device.ports.live, port)?;
    Ok(Struct::default())
}

fn limit(device: &Device, request: &Struct, limit: QueueLimit) -> Result<Struct, Error> {
    let number = |name| request.whole_if_any(name, GREATEST_PORT);
    let queues = queues(number("port")?, number("queue")?)?;
    device.ports.engine.limit_queues(queues, limit)?;
    Ok(Struct::default())
}

/// A controller may change what is not of the program: the primary without a role.
fn check_primary(device: &Device, request: &Struct) -> Result<(), Error> {
    let device_id = request.whole("device_id", GREATEST_ID)? as u64;
    let election_id = request.whole_if_any("election_id", u128::MAX)?;
    device.check_writer(&Sender { device_id, role: String::new(), election_id })
}
