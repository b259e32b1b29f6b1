//! Objects of one kind, by their names or numbers.

use crate::error::{Problem, Result};
use std::borrow::Borrow;
use std::collections::HashMap;
use std::fmt::Display;
use std::hash::Hash;

/// Objects in the order of their declaration. The JSON refers to them by keys, which are names or
/// numbers; instructions refer to them by their places.
#[derive(Debug)]
pub(crate) struct Indexed<K, T> {
    /// What the objects are, for messages.
    kind: &'static str,
    objects: Vec<T>,
    places: HashMap<K, u16>,
}

impl<K: Display + Eq + Hash, T> Indexed<K, T> {
    pub(crate) fn new(kind: &'static str) -> Indexed<K, T> {
        Indexed { kind, objects: Vec::new(), places: HashMap::new() }
    }

    /// Adds an object; returns its place.
    pub(crate) fn add(&mut self, key: K, object: T) -> Result<u16> {
        if self.places.contains_key(&key) {
            return Err(Problem::invalid(format!("{} '{key}' is declared twice", self.kind)));
        }
        let place = self.add_unnamed(object)?;
        self.places.insert(key, place);
        Ok(place)
    }

    /// Adds an object that no key leads to; returns its place.
    pub(crate) fn add_unnamed(&mut self, object: T) -> Result<u16> {
        let place = next_place(self.kind, self.objects.len())?;
        self.objects.push(object);
        Ok(place)
    }

    /// The place of the object with this key.
    pub(crate) fn find<Q>(&self, key: &Q) -> Result<u16>
    where
        K: Borrow<Q>,
        Q: Display + Eq + Hash + ?Sized,
    {
        let place = self.places.get(key).copied();
        place.ok_or_else(|| Problem::unknown(self.kind, &key.to_string()))
    }

    /// The object at a place that [`Indexed::find`] returned.
    pub(crate) fn at(&self, place: u16) -> &T {
        &self.objects[usize::from(place)]
    }

    /// The object at a place that [`Indexed::find`] returned, to be changed.
    pub(crate) fn at_mut(&mut self, place: u16) -> &mut T {
        &mut self.objects[usize::from(place)]
    }

    /// All objects in the order of their places.
    pub(crate) fn objects(&self) -> &[T] {
        &self.objects
    }

    /// All objects in the order of their places, and the places by key.
    pub(crate) fn into_objects_and_places(self) -> (Vec<T>, HashMap<K, u16>) {
        (self.objects, self.places)
    }

    /// All objects in the order of their places.
    pub(crate) fn into_objects(self) -> Vec<T> {
        self.objects
    }
}

/// The place after `count` objects of a kind.
pub(crate) fn next_place(kind: &str, count: usize) -> Result<u16> {
    u16::try_from(count)
        .map_err(|_| Problem::unsupported(format!("one more {kind}"), &["up to 65536"]))
}

#[cfg(test)]
#[path = "tests/indexed.rs"]
mod tests;
