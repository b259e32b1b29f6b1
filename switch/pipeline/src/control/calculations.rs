//! What can be set of hashes: the parameters of custom CRCs, and keys.

use super::{invalid, unknown, Control, Result};
use crate::numbers::crc::CrcParameters;
use crate::numbers::hash::{Algorithm, Memory};
use crate::numbers::toeplitz::ToeplitzKey;
use std::sync::MutexGuard;

const KIND: &str = "calculation";

impl Control<'_> {
    /// Sets the parameters of a calculation whose algorithm is `crc16_custom`.
    pub fn set_crc16(&mut self, name: &str, parameters: CrcParameters) -> Result {
        self.settings(name, Algorithm::CustomCrc16, "crc16_custom")?.set_crc(16, parameters);
        Ok(())
    }

    /// Sets the parameters of a calculation whose algorithm is `crc32_custom`.
    pub fn set_crc32(&mut self, name: &str, parameters: CrcParameters) -> Result {
        self.settings(name, Algorithm::CustomCrc32, "crc32_custom")?.set_crc(32, parameters);
        Ok(())
    }

    /// Sets the key of a calculation whose algorithm is `toeplitz`: whole words of four bytes.
    pub fn set_toeplitz_key(&mut self, name: &str, key: &[u8]) -> Result {
        let mut settings = self.settings(name, Algorithm::Toeplitz, "toeplitz")?;
        let reason = || format!("a key of {} bytes; valid: 4, 8, 12 and so on", key.len());
        settings
            .set_toeplitz_key(ToeplitzKey::new(key).ok_or_else(|| invalid(KIND, name, reason()))?);
        Ok(())
    }

    fn settings(
        &self,
        name: &str,
        algorithm: Algorithm,
        called: &str,
    ) -> Result<MutexGuard<'_, Memory>> {
        let places = &self.program.calculation_places;
        let place = *places.get(name).ok_or_else(|| {
            let mut names: Vec<_> = places.keys().collect();
            names.sort();
            unknown(KIND, name, names.into_iter())
        })?;
        let calculation = &self.program.calculations[usize::from(place)];
        let reason = || format!("its algorithm is another one; valid: {called}");
        calculation.settings(algorithm).ok_or_else(|| invalid(KIND, name, reason()))
    }
}
