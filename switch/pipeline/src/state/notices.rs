//! What the user should know, said once.

use std::collections::HashSet;

/// Messages, of which each subject has one.
#[derive(Debug, Default)]
pub struct Notices {
    /// Subjects: their kinds, and which one it is.
    told: HashSet<(&'static str, u64)>,
    news: Vec<String>,
}

impl Notices {
    /// Tells something of a subject, unless it has been told before: then the message, which may be asked
    /// for with each packet, is not made.
    #[cold]
    pub fn tell(&mut self, kind: &'static str, which: u64, message: impl FnOnce() -> String) {
        if self.told.insert((kind, which)) {
            self.news.push(message());
        }
    }

    /// Takes what has not been taken yet.
    #[inline]
    pub fn take(&mut self) -> Vec<String> {
        std::mem::take(&mut self.news)
    }

    /// There is something to take.
    pub fn has_news(&self) -> bool {
        !self.news.is_empty()
    }
}

#[cfg(test)]
#[path = "tests/notices.rs"]
mod tests;
