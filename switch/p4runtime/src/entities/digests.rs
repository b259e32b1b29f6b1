//! Which digests are sent, and how (P4Runtime 1.5, section 9.8).

use super::change::Change;
use super::cursor::{Cursor, Ready};
use crate::messages::runtime::{DigestConfig, DigestEntry, Entity};
use crate::plane::Plane;
use crate::status::Result;

/// Enables a digest, changes how it is sent, or disables it.
pub(super) fn write(plane: &mut Plane<'_>, change: Change, entry: &DigestEntry) -> Result {
    let digest = plane.program.digests.find(entry.digest_id)?;
    let (id, name) = (digest.id, &digest.name);
    match (change, plane.digests.contains_key(&id)) {
        (Change::Insert, true) => {
            return Err(refusal!(AlreadyExists, "digest {name} is enabled already"));
        }
        (Change::Modify | Change::Delete, false) => {
            return Err(refusal!(NotFound, "digest {name} is not enabled"));
        }
        _ => {}
    }
    if change == Change::Delete {
        plane.digests.remove(&id);
        return Ok(());
    }
    let config = entry.config.unwrap_or_default();
    let DigestConfig { max_timeout_ns, max_list_size, ack_timeout_ns } = config;
    if max_timeout_ns < 0 || max_list_size < 0 || ack_timeout_ns < 0 {
        return Err(invalid!("digest {name}: timeouts and max_list_size cannot be negative"));
    }
    plane.digests.insert(id, config);
    Ok(())
}

/// The digest of an id if it is enabled; id 0 is every enabled digest.
pub(super) fn read(plane: &mut Plane<'_>, wanted: &DigestEntry) -> Result<Box<dyn Cursor>> {
    if wanted.digest_id != 0 {
        plane.program.digests.find(wanted.digest_id)?;
    }
    let is_wanted = |id: &u32| wanted.digest_id == 0 || wanted.digest_id == *id;
    let found = plane.digests.iter().filter(|(id, _)| is_wanted(id));
    let entity = |(&digest_id, &config): (&u32, &DigestConfig)| {
        Entity::Digest(DigestEntry { digest_id, config: Some(config) })
    };
    Ok(Ready::boxed(found.map(entity).collect()))
}
