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
mod tests {
    use super::*;

    #[test]
    fn what_has_been_told_is_not_told_again() {
        let mut notices = Notices::default();
        for (kind, which) in [("full", 1), ("endless", 1), ("full", 2), ("full", 1)] {
            notices.tell(kind, which, || format!("{kind} {which}"));
        }
        assert!(notices.has_news());
        assert_eq!(notices.take(), ["full 1", "endless 1", "full 2"]);
        notices.tell("full", 1, || unreachable!("it has been told"));
        assert!(!notices.has_news());
    }
}
