//! Messages in bytes that come from anybody. A byte of a message may become a hundred in memory, so its
//! parts are counted and measured before anything is made of them.

use std::ops::{Index, Range};

use prost::encoding::{decode_key, decode_varint, skip_field, DecodeContext, WireType};
use prost::Message;

use crate::status::Result;

/// What a request may have: updates or entities, and some fields of its own.
const MAX_FIELDS: usize = 1 << 17;
/// What an update, or an entity that is asked for, may have.
const MAX_PART_BYTES: usize = 1 << 20;

/// The message in some bytes. The error names the message.
pub(crate) fn decoded<M: Message + Default>(name: &str, bytes: &[u8]) -> Result<M> {
    M::decode(bytes).map_err(|error| invalid!("not a valid {name}: {error}"))
}

/// A message that is about no program. Refuses one that is long: packets have less.
pub fn message<M: Message + Default>(name: &str, bytes: &[u8]) -> Result<M> {
    part(name, bytes)
}

/// The parts of a request, which stay bytes until their turn comes.
#[derive(Debug)]
pub(crate) struct Parts {
    bytes: Vec<u8>,
    places: Vec<Range<usize>>,
}

impl Parts {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }
}

impl Index<usize> for Parts {
    type Output = [u8];

    fn index(&self, position: usize) -> &[u8] {
        &self.bytes[self.places[position].clone()]
    }
}

impl From<Vec<Vec<u8>>> for Parts {
    fn from(parts: Vec<Vec<u8>>) -> Parts {
        let mut end = 0;
        let place = |part: &Vec<u8>| {
            end += part.len();
            end - part.len()..end
        };
        Parts { places: parts.iter().map(place).collect(), bytes: parts.concat() }
    }
}

/// A request's message without its parts, which a field with this tag repeats, and the parts. Refuses
/// one of too many fields before anything is made of them.
pub(crate) fn in_parts<M: Message + Default>(
    name: &str,
    bytes: &[u8],
    tag: u32,
) -> Result<(M, Parts)> {
    let (mut places, mut others) = (Vec::new(), Vec::new());
    for_each_field(name, bytes, |found, field, value| match found {
        (found, WireType::LengthDelimited) if found == tag => places.push(value),
        _ => others.extend(&bytes[field]),
    })?;
    Ok((decoded(name, &others)?, Parts { bytes: bytes.to_vec(), places }))
}

/// A request's message. Refuses one of too many fields before anything is made of them.
pub(crate) fn counted<M: Message + Default>(name: &str, bytes: &[u8]) -> Result<M> {
    for_each_field(name, bytes, |_, _, _| ())?;
    decoded(name, bytes)
}

/// Calls `take` with the tag and the type of each field, and with where it is as a whole, and where what
/// has a length has its content.
fn for_each_field(
    name: &str,
    bytes: &[u8],
    mut take: impl FnMut((u32, WireType), Range<usize>, Range<usize>),
) -> Result {
    let (mut rest, mut fields) = (bytes, 0);
    while !rest.is_empty() {
        let begin = bytes.len() - rest.len();
        fields += 1;
        if fields > MAX_FIELDS {
            return Err(refusal!(
                ResourceExhausted,
                "a {name} has at most {MAX_FIELDS} updates or other fields: send several"
            ));
        }
        let skipped = decode_key(&mut rest).and_then(|(tag, wire_type)| {
            let mut value = rest;
            skip_field(wire_type, tag, &mut rest, DecodeContext::default())?;
            let end = bytes.len() - rest.len();
            let length = match wire_type {
                WireType::LengthDelimited => decode_varint(&mut value)? as usize,
                _ => 0,
            };
            take((tag, wire_type), begin..end, end - length..end);
            Ok(())
        });
        skipped.map_err(|error| invalid!("not a valid {name}: {error}"))?;
    }
    Ok(())
}

/// A part of a request: an update, or an entity that is wanted.
pub(crate) fn part<M: Message + Default>(name: &str, bytes: &[u8]) -> Result<M> {
    check_length(name, bytes, MAX_PART_BYTES)?;
    decoded(name, bytes)
}

/// Refuses a message that is longer than `most`.
pub(crate) fn check_length(name: &str, bytes: &[u8], most: usize) -> Result {
    if bytes.len() > most {
        let given = bytes.len();
        return Err(refusal!(ResourceExhausted, "a {name} has at most {most} bytes, not {given}"));
    }
    Ok(())
}
