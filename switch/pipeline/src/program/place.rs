//! Where values live: slots of 64 bits in the packet.

use crate::numbers::bits;

/// Index of a slot.
pub(crate) type Slot = u16;

/// What a value can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Type {
    /// 0 or 1.
    Bool,
    /// An unsigned number of so many bits.
    Unsigned(u32),
    /// A two's complement number of so many bits.
    Signed(u32),
}

impl Type {
    pub(crate) fn bits(self) -> u32 {
        match self {
            Type::Bool => 1,
            Type::Unsigned(bits) | Type::Signed(bits) => bits,
        }
    }

    pub(crate) fn limbs(self) -> usize {
        bits::limbs_for(self.bits())
    }

    pub(crate) fn is_signed(self) -> bool {
        matches!(self, Type::Signed(_))
    }
}

/// A value in consecutive slots, least significant limb first. Unsigned values are extended to
/// whole slots by zeros, signed ones by their sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Operand {
    pub(crate) slot: Slot,
    pub(crate) kind: Type,
}

/// A field or variable: an operand that can be written.
pub(crate) type Place = Operand;

impl Operand {
    pub(crate) fn limbs(self) -> usize {
        self.kind.limbs()
    }

    /// The slots it occupies.
    pub(crate) fn slots(self) -> std::ops::Range<usize> {
        let start = usize::from(self.slot);
        start..start + self.limbs()
    }
}

/// The content of a slot.
#[inline(always)]
pub(crate) fn get(slots: &[u64], slot: Slot) -> u64 {
    slots[usize::from(slot)]
}

/// Fills a slot.
#[inline(always)]
pub(crate) fn set(slots: &mut [u64], slot: Slot, value: u64) {
    slots[usize::from(slot)] = value;
}

/// A place of one limb that the switch itself writes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Word {
    pub(crate) place: Place,
    /// The bits of its width.
    mask: u64,
}

impl Word {
    pub(crate) fn new(place: Place) -> Word {
        Word { place, mask: bits::low_mask(place.kind.bits().min(64)) }
    }

    #[inline]
    pub(crate) fn read(self, slots: &[u64]) -> u64 {
        get(slots, self.place.slot)
    }

    /// Writes a value, cut off to the width.
    #[inline]
    pub(crate) fn write(self, slots: &mut [u64], value: u64) {
        set(slots, self.place.slot, self.cut(value));
    }

    /// The part of a value that fits the width.
    #[inline]
    pub(crate) fn cut(self, value: u64) -> u64 {
        value & self.mask
    }
}

/// The value of a field that the program may not have; 0 if so.
#[inline]
pub(crate) fn read_optional(slots: &[u64], word: Option<Word>) -> u64 {
    word.map_or(0, |word| word.read(slots))
}

/// Writes a value to a field that the program may not have.
#[inline]
pub(crate) fn write_optional(slots: &mut [u64], word: Option<Word>, value: u64) {
    if let Some(word) = word {
        word.write(slots, value);
    }
}
