//! Packet-out and packet-in: controller headers as metadata (P4Runtime 1.5, section 16.1).

use crate::decoding::decoded;
use crate::messages::requests::{Packet, PacketMetadata};
use crate::numbers;
use crate::program::{Field, Program, Translation};
use crate::status::Result;
use crate::text::listed;
use crate::values::fields;

const LARGEST_HEADER_BYTES: u64 = u16::MAX as u64;

/// The frame for the CPU port, of a `p4.v1.PacketOut`: the controller header, packed most significant
/// bit first, and the payload. The metadata must have each field of the header once.
pub(crate) fn frame(program: &Program, packet_out: &[u8]) -> Result<Vec<u8>> {
    let packet: Packet = decoded("PacketOut", packet_out)?;
    let header = &program.packet_out;
    let header_bytes = header_bytes("packet_out", header)?;
    let given = by_field(header, &packet.metadata)?;
    let mut frame = vec![0; header_bytes];
    let mut end = 0;
    for (part, value) in header.iter().zip(given) {
        let what = format_args!("packet_out.{}", part.name).to_string();
        end += part.width_bits as usize;
        put(&mut frame, end, &fields::decode(value, part, &what)?);
    }
    frame.extend_from_slice(&packet.payload);
    Ok(frame)
}

/// The port that a frame for the CPU port is to leave by, where the program's header says so as PINS's
/// does: by `egress_port`, unless `submit_to_ingress` is set.
pub(crate) fn egress_port(program: &Program, frame: &[u8]) -> Option<u16> {
    let field = |name: &str| {
        let header = &program.packet_out;
        let position = header.iter().position(|part| part.name == name)?;
        let start: u32 = header[..position].iter().map(|part| part.width_bits).sum();
        let number = bits(frame, start as usize, header[position].width_bits);
        let fold = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
        (number.len() <= 8).then(|| number.iter().fold(0, fold))
    };
    let is_sent = field("submit_to_ingress")? == 0;
    let port = field("egress_port").filter(|_| is_sent)?;
    Some(u16::try_from(port).unwrap_or(u16::MAX))
}

/// The `p4.v1.PacketIn` of a frame from the CPU port. Refuses a frame that is shorter than the header.
pub(crate) fn packet_in(program: &Program, frame: &[u8]) -> Result<Packet> {
    let header = &program.packet_in;
    let header_bytes = header_bytes("packet_in", header)?;
    let Some((given, payload)) = frame.split_at_checked(header_bytes) else {
        let given = frame.len();
        return Err(refusal!(
            OutOfRange,
            "a frame to the CPU port has {given} bytes, fewer than its header packet_in has \
             ({header_bytes})"
        ));
    };
    let mut start = 0;
    let item = |part: &Field| {
        let number = bits(given, start, part.width_bits);
        start += part.width_bits as usize;
        PacketMetadata { metadata_id: part.id, value: fields::encode(&number, part) }
    };
    let metadata = header.iter().map(item).collect();
    Ok(Packet { payload: payload.to_vec(), metadata })
}

/// The size of a controller header. Some programs declare one that is no whole number of bytes: it can
/// stand in no packet. Nor can one that is larger than any frame, nor one that the compiler has left out.
fn header_bytes(name: &str, header: &[Field]) -> Result<usize> {
    for part in header {
        if let Some(Translation::Unknown(type_of_field)) = &part.translation {
            let what = format!("{name}.{}", part.name);
            return Err(fields::without_width(&what, type_of_field));
        }
    }
    let width_bits: u64 = header.iter().map(|part| u64::from(part.width_bits)).sum();
    match (width_bits / 8, width_bits % 8) {
        (bytes @ 0..=LARGEST_HEADER_BYTES, 0) => Ok(bytes as usize),
        (_, 0) => Err(refusal!(
            Unimplemented,
            "{name} has {width_bits} bits; a header has at most {LARGEST_HEADER_BYTES} bytes"
        )),
        _ => Err(refusal!(
            Unimplemented,
            "{name} has {width_bits} bits, which is not a whole number of bytes: no packet has it"
        )),
    }
}

/// The values of the fields, in their order.
fn by_field<'p>(header: &[Field], metadata: &'p [PacketMetadata]) -> Result<Vec<&'p [u8]>> {
    let value = |part: &Field| {
        let item = metadata.iter().find(|item| item.metadata_id == part.id);
        item.map(|item| item.value.as_slice())
    };
    match header.iter().map(value).collect::<Option<Vec<_>>>() {
        Some(values) if metadata.len() == header.len() => Ok(values),
        _ => {
            let names = header.iter().map(|part| format!("{} ({})", part.id, part.name));
            let ids = metadata.iter().map(|item| item.metadata_id.to_string());
            Err(invalid!(
                "packet_out takes each of these metadata fields once: {}; given: {}",
                listed(names),
                listed(ids)
            ))
        }
    }
}

/// Puts a number that fits so that it ends at a bit.
fn put(header: &mut [u8], end: usize, value: &[u8]) {
    let unused = end.next_multiple_of(8) - end;
    let ends = (0..end.div_ceil(8)).rev();
    for (position, byte) in ends.zip(value.iter().rev()) {
        let [high, low] = (u16::from(*byte) << unused).to_be_bytes();
        header[position] |= low;
        if high != 0 {
            header[position - 1] |= high;
        }
    }
}

/// The number that begins at a bit.
fn bits(header: &[u8], start: usize, width_bits: u32) -> Vec<u8> {
    let end = start + width_bits as usize;
    let unused = end.next_multiple_of(8) - end;
    let mut before = 0;
    let shifted = header[start / 8..end.div_ceil(8)].iter().map(|&byte| {
        let pair = u16::from_be_bytes([before, byte]);
        before = byte;
        (pair >> unused) as u8
    });
    numbers::low_bits(&shifted.collect::<Vec<_>>(), width_bits)
}
