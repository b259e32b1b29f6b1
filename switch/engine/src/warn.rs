//! Words to the user.

/// Takes one line about something the user should know; called by the thread that has noticed it.
pub type Warn = Box<dyn Fn(&str) + Send>;
