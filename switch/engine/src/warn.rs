//! Words to the user.

use std::sync::Arc;

/// Takes one line about something the user should know; called by the thread that has noticed it.
pub type Warn = Arc<dyn Fn(&str) + Send + Sync>;
