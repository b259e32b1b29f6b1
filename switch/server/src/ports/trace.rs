//! Traces of a running switch, each for a client that looks on.

use std::collections::BTreeSet;
use std::sync::Arc;

use engine::{TraceFilter, TraceFormat, TraceOptions, Watch, PORT_LIMIT};
use p4runtime::{invalid, refusal, Error};

use super::fields::{Struct, Value, GREATEST_COUNT, GREATEST_ID};
use crate::device::Device;

/// Lines about what packets go through, for as long as it is there. What is not taken in time is lost,
/// and counted in a line: packets wait for nobody.
#[derive(Debug)]
pub(crate) struct Trace {
    pub(crate) device: Arc<Device>,
    watch: Watch,
}

impl Trace {
    pub(crate) fn begin(device: &Arc<Device>, request: &Struct) -> Result<Trace, Error> {
        device.check_device(request.whole("device_id", GREATEST_ID)? as u64)?;
        let options = TraceOptions {
            format: if request.is_set("json") { TraceFormat::JsonLines } else { TraceFormat::Text },
            ports: ports(request)?,
            packets: None,
            bytes: Some(request.whole("bytes", GREATEST_COUNT)? as u64),
            packets_per_second: Some(request.whole("packets_per_second", GREATEST_COUNT)? as u64),
            filter: TraceFilter {
                fields: fields(device, request)?,
                dropped_only: request.is_set("dropped_only"),
            },
        };
        let watch = device.ports.engine.observe(|observer| observer.watch(options));
        let device = Arc::clone(device);
        let watch = watch.ok_or_else(|| {
            refusal!(FailedPrecondition, "too many traces already; end another one")
        })?;
        Ok(Trace { device, watch })
    }

    /// The lines that have come since the last call; none: no more will come.
    pub(crate) fn take(&self) -> Option<String> {
        self.device.ports.engine.observe(|observer| observer.take_watched(self.watch))
    }

    /// Lines as they are sent.
    pub(crate) fn message(lines: String) -> Struct {
        Struct::of([("lines", Value::text(lines))])
    }
}

impl Drop for Trace {
    fn drop(&mut self) {
        self.device.ports.engine.observe(|observer| observer.end_watch(self.watch));
    }
}

/// The ports asked for; none: all.
fn ports(request: &Struct) -> Result<Option<Vec<u16>>, Error> {
    let number = |each: &Struct| Ok(each.whole("port", u128::from(PORT_LIMIT - 1))? as u16);
    let ports = request.structs("ports").iter().map(number).collect::<Result<Vec<_>, Error>>()?;
    Ok((!ports.is_empty()).then_some(ports))
}

/// Names and hexadecimal digits. A name that no field has would be waited for in vain.
fn fields(device: &Device, request: &Struct) -> Result<Vec<(String, String)>, Error> {
    let wanted = request.structs("fields");
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let names = device.ports.engine.control(|control| control.field_names())?;
    let field = |each: &Struct| {
        let (name, value) = (each.text("field"), each.text("value"));
        let is_hex = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if value.is_empty() || !value.bytes().all(is_hex) {
            return Err(invalid!(
                "field {name}: '{value}' is no hexadecimal number in small letters"
            ));
        }
        if !names.iter().any(|known| known == name) {
            return Err(invalid!("no field {name}; {}", valid_beside(name, &names)));
        }
        Ok((name.to_owned(), value.to_owned()))
    };
    wanted.iter().map(field).collect()
}

/// The fields of the header that a name begins with, or all headers: a program has hundreds of
/// fields, the compiler's among them.
fn valid_beside(name: &str, names: &[String]) -> String {
    let header_of = |name: &str| name.rsplit_once('.').map_or("", |(header, _)| header).to_owned();
    let header = header_of(name);
    let beside: Vec<&str> =
        names.iter().filter(|each| header_of(each) == header).map(String::as_str).collect();
    if !beside.is_empty() {
        return format!("valid: {}", beside.join(", "));
    }
    // A stack of headers has one name.
    let kind_of = |name: &String| header_of(name).split('[').next().unwrap_or_default().to_owned();
    let headers: BTreeSet<String> = names.iter().map(kind_of).collect();
    format!("valid headers: {}", Vec::from_iter(headers).join(", "))
}
