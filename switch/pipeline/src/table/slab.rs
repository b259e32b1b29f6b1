//! Values by number.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A collection that gives every value the lowest free number, as BMv2 gives out its handles.
#[derive(Debug)]
pub(crate) struct Slab<T> {
    values: Vec<Option<T>>,
    free: BinaryHeap<Reverse<u32>>,
}

impl<T> Slab<T> {
    pub(crate) fn new() -> Slab<T> {
        Slab { values: Vec::new(), free: BinaryHeap::new() }
    }

    #[inline]
    pub(crate) fn get(&self, number: u32) -> Option<&T> {
        self.values.get(number as usize)?.as_ref()
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, number: u32) -> Option<&mut T> {
        self.values.get_mut(number as usize)?.as_mut()
    }

    /// Adds a value and returns its number.
    pub(crate) fn insert(&mut self, value: T) -> u32 {
        match self.free.pop() {
            Some(Reverse(number)) => {
                self.values[number as usize] = Some(value);
                number
            }
            None => {
                self.values.push(Some(value));
                self.values.len() as u32 - 1
            }
        }
    }

    pub(crate) fn remove(&mut self, number: u32) -> Option<T> {
        let value = self.values.get_mut(number as usize)?.take();
        if value.is_some() {
            self.free.push(Reverse(number));
        }
        value
    }

    /// All values by ascending numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.values.iter().flatten()
    }

    /// The values from a number on, by ascending numbers.
    pub(crate) fn iter_from(&self, number: u32) -> impl Iterator<Item = (u32, &T)> {
        let values = self.values.get(number as usize..).unwrap_or_default();
        (number..).zip(values).filter_map(|(number, value)| Some((number, value.as_ref()?)))
    }

    /// All values by ascending numbers, to be changed.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (u32, &mut T)> {
        (0..).zip(&mut self.values).filter_map(|(number, value)| Some((number, value.as_mut()?)))
    }

    pub(crate) fn len(&self) -> usize {
        self.values.len() - self.free.len()
    }
}
