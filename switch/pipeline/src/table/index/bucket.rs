//! Few prefixes side by side, the longest first.

use crate::numbers::bits::LIMB_BITS;
use std::ops::Range;

/// The prefixes that fit a bucket of each size.
const CAPACITIES: [usize; 4] = [1, 2, 4, 8];
const SIZE_BITS: u32 = 2;

/// Bits of a bucket's number.
pub(super) const BUCKET_BITS: u32 = 30;

/// A bucket: where it starts, counted in prefixes, and its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bucket {
    start: u32,
    size: u32,
}

impl Bucket {
    pub(super) fn number(self) -> u32 {
        self.start << SIZE_BITS | self.size
    }

    #[inline]
    pub(super) fn from_number(number: u32) -> Bucket {
        Bucket { start: number >> SIZE_BITS, size: number & ((1 << SIZE_BITS) - 1) }
    }

    fn capacity(self) -> usize {
        CAPACITIES[self.size as usize]
    }
}

/// A prefix with the number of its entry. Bits behind the prefix are 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct Prefix<'b> {
    pub(super) value: &'b [u64],
    pub(super) length: u32,
    pub(super) entry: u32,
}

impl Prefix<'_> {
    #[inline]
    pub(super) fn matches(&self, key: &[u64]) -> bool {
        shared_bits(key, self.value) >= self.length
    }
}

/// All buckets.
#[derive(Debug)]
pub(super) struct Buckets {
    /// The prefixes: the words of each and one more, of its length and its entry plus one. Behind
    /// the last prefix of a bucket are zeros.
    words: Vec<u64>,
    /// Words of a prefix.
    stride: usize,
    /// Buckets of each size that are not in use.
    free: [Vec<Bucket>; CAPACITIES.len()],
}

impl Buckets {
    /// Buckets of prefixes of so many words.
    pub(super) fn new(words: usize) -> Buckets {
        Buckets { words: Vec::new(), stride: words + 1, free: Default::default() }
    }

    /// A bucket with one prefix.
    pub(super) fn add(&mut self, prefix: Prefix<'_>) -> Bucket {
        let bucket = self.allocate(0);
        self.put(bucket, 0, prefix);
        bucket
    }

    /// Takes a bucket out of use.
    pub(super) fn free(&mut self, bucket: Bucket) {
        let words = self.range(bucket);
        self.words[words].fill(0);
        self.free[bucket.size as usize].push(bucket);
    }

    /// The prefixes of a bucket.
    #[inline]
    pub(super) fn prefixes(&self, bucket: Bucket) -> impl Iterator<Item = Prefix<'_>> {
        let words = &self.words[self.range(bucket)];
        (0..bucket.capacity()).map_while(move |place| {
            let words = &words[place * self.stride..(place + 1) * self.stride];
            let (&last, value) = words.split_last()?;
            let entry = (last as u32).checked_sub(1)?;
            Some(Prefix { value, length: (last >> u32::BITS) as u32, entry })
        })
    }

    /// The bucket with another prefix, or None if it is one too many.
    pub(super) fn insert(&mut self, bucket: Bucket, prefix: Prefix<'_>) -> Option<Bucket> {
        let mut bucket = bucket;
        if self.prefixes(bucket).count() == bucket.capacity() {
            bucket = self.grow(bucket)?;
        }
        let place = self.prefixes(bucket).take_while(|known| known.length > prefix.length).count();
        self.put(bucket, place, prefix);
        Some(bucket)
    }

    /// Removes the prefix of an entry; None: the bucket was of this one alone.
    pub(super) fn remove(&mut self, bucket: Bucket, entry: u32) -> Option<Bucket> {
        let place = self.prefixes(bucket).take_while(|known| known.entry != entry).count();
        let (words, stride) = (self.range(bucket), self.stride);
        let start = words.start + place * stride;
        self.words.copy_within(start + stride..words.end, start);
        self.words[words.end - stride..words.end].fill(0);
        if self.prefixes(bucket).next().is_none() {
            self.free(bucket);
            return None;
        }
        Some(bucket)
    }

    /// Moves prefixes to a larger bucket.
    fn grow(&mut self, bucket: Bucket) -> Option<Bucket> {
        let size = bucket.size + 1;
        if size as usize == CAPACITIES.len() {
            return None;
        }
        let larger = self.allocate(size);
        let (from, to) = (self.range(bucket), self.range(larger).start);
        self.words.copy_within(from, to);
        self.free(bucket);
        Some(larger)
    }

    /// An empty bucket.
    fn allocate(&mut self, size: u32) -> Bucket {
        if let Some(bucket) = self.free[size as usize].pop() {
            return bucket;
        }
        let start = (self.words.len() / self.stride) as u32;
        let bucket = Bucket { start, size };
        assert!(start < 1 << (BUCKET_BITS - SIZE_BITS), "fewer prefixes than buckets have numbers");
        self.words.resize(self.words.len() + bucket.capacity() * self.stride, 0);
        bucket
    }

    /// Puts a prefix before those from a place on.
    fn put(&mut self, bucket: Bucket, place: usize, prefix: Prefix<'_>) {
        let (words, stride) = (self.range(bucket), self.stride);
        let start = words.start + place * stride;
        self.words.copy_within(start..words.end - stride, start + stride);
        let words = &mut self.words[start..start + stride];
        words[..stride - 1].copy_from_slice(prefix.value);
        words[stride - 1] = u64::from(prefix.length) << u32::BITS | u64::from(prefix.entry + 1);
    }

    #[inline]
    fn range(&self, bucket: Bucket) -> Range<usize> {
        let start = bucket.start as usize * self.stride;
        start..start + bucket.capacity() * self.stride
    }
}

/// How many bits two keys have in common before they differ.
#[inline]
pub(super) fn shared_bits(one: &[u64], other: &[u64]) -> u32 {
    let shared = |one: u64, other: u64| (one ^ other).leading_zeros();
    match (one, other) {
        ([one], [other]) => shared(*one, *other),
        ([low, high], [other_low, other_high]) => match shared(*high, *other_high) {
            LIMB_BITS => LIMB_BITS + shared(*low, *other_low),
            bits => bits,
        },
        _ => {
            let mut pairs = one.iter().zip(other).rev().enumerate();
            let different = pairs.find(|(_, (one, other))| one != other);
            different.map_or(one.len() as u32 * LIMB_BITS, |(word, (one, other))| {
                word as u32 * LIMB_BITS + shared(*one, *other)
            })
        }
    }
}
