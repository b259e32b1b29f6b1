//! Frames as they would be on a wire.

use super::checksum::complete;
use super::header::Offload;
use super::segments::split;
use super::unrepairable::Unrepairable;

impl Offload {
    /// Passes what `frame` stands for to `take`, frame by frame, in order; `scratch` holds them.
    pub fn repair(
        &self,
        frame: &[u8],
        scratch: &mut Vec<u8>,
        mut take: impl FnMut(&[u8]),
    ) -> Result<(), Unrepairable> {
        if let Some(segmentation) = self.segmentation {
            return split(frame, segmentation, scratch, take);
        }
        scratch.clear();
        scratch.extend_from_slice(frame);
        complete(scratch, self.checksum)?;
        take(scratch);
        Ok(())
    }
}
