//! What the user should know, said once.

use std::collections::HashSet;

/// Messages, each of which is told once.
#[derive(Debug, Default)]
pub struct Notices {
    told: HashSet<String>,
    news: Vec<String>,
}

impl Notices {
    /// Tells something, unless it has been told before.
    #[cold]
    pub fn tell(&mut self, message: String) {
        if self.told.insert(message.clone()) {
            self.news.push(message);
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
        for message in ["full", "endless", "full"] {
            notices.tell(message.to_owned());
        }
        assert!(notices.has_news());
        assert_eq!(notices.take(), ["full", "endless"]);
        notices.tell("full".to_owned());
        assert!(!notices.has_news());
    }
}
