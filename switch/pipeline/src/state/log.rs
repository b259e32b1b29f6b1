//! Where the log of a program goes.

use crate::program::LogMessage;
use std::fmt::{self, Debug, Display, Formatter};

/// Takes a program's log, line by line. A line costs nothing until it is displayed.
pub type LogSink = Box<dyn FnMut(&dyn Display) + Send>;

/// Where the log goes, if anywhere.
#[derive(Default)]
pub(crate) struct Log(Option<LogSink>);

impl Log {
    pub(crate) fn to(sink: Option<LogSink>) -> Log {
        Log(sink)
    }

    #[inline]
    pub(crate) fn write(&mut self, message: &LogMessage, slots: &[u64]) {
        if let Some(sink) = &mut self.0 {
            sink(&message.line(slots));
        }
    }
}

impl Debug for Log {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.0.is_some() { "Log(..)" } else { "Log" })
    }
}
