//! Messages in bytes that come from anybody. A byte of a message may become a hundred in memory, so its
//! parts are counted and measured before anything is made of them.

use prost::encoding::{decode_key, skip_field, DecodeContext};
use prost::Message;

use crate::status::{invalid, Code, Error, Result};

/// What a request may have: updates or entities, and some fields of its own.
const MOST_FIELDS: usize = 1 << 17;
/// What an update, or an entity that is asked for, may have.
const MOST_PART_BYTES: usize = 1 << 20;

/// The message in some bytes. The error names the message.
pub(crate) fn decoded<M: Message + Default>(name: &str, bytes: &[u8]) -> Result<M> {
    M::decode(bytes).map_err(|error| invalid(format!("not a valid {name}: {error}")))
}

/// A message that is about no program. Refuses one that is long: packets have less.
pub fn message<M: Message + Default>(name: &str, bytes: &[u8]) -> Result<M> {
    part(name, bytes)
}

/// A request's message. Refuses one of too many fields before anything is made of them.
pub(crate) fn counted<M: Message + Default>(name: &str, bytes: &[u8]) -> Result<M> {
    let (mut rest, mut fields) = (bytes, 0);
    while !rest.is_empty() {
        fields += 1;
        if fields > MOST_FIELDS {
            let message =
                format!("a {name} has at most {MOST_FIELDS} updates or other fields: send several");
            return Err(Error::new(Code::ResourceExhausted, message));
        }
        let field = decode_key(&mut rest);
        let skipped = field.and_then(|(tag, wire_type)| {
            skip_field(wire_type, tag, &mut rest, DecodeContext::default())
        });
        skipped.map_err(|error| invalid(format!("not a valid {name}: {error}")))?;
    }
    decoded(name, bytes)
}

/// A part of a request: an update, or an entity that is wanted.
pub(crate) fn part<M: Message + Default>(name: &str, bytes: &[u8]) -> Result<M> {
    check_length(name, bytes, MOST_PART_BYTES)?;
    decoded(name, bytes)
}

/// Refuses a message that is longer than `most`.
pub(crate) fn check_length(name: &str, bytes: &[u8], most: usize) -> Result {
    if bytes.len() > most {
        let given = bytes.len();
        let message = format!("a {name} has at most {most} bytes, not {given}");
        return Err(Error::new(Code::ResourceExhausted, message));
    }
    Ok(())
}
