//! Where machine code is: made, and freed with its owner.

use cranelift_jit::{JITBuilder, JITModule};
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};

/// A module that frees its code when it goes, also if it was never completed.
pub(crate) struct Code(ManuallyDrop<JITModule>);

impl Code {
    pub(crate) fn new(builder: JITBuilder) -> Code {
        Code(ManuallyDrop::new(JITModule::new(builder)))
    }
}

impl Deref for Code {
    type Target = JITModule;

    fn deref(&self) -> &JITModule {
        &self.0
    }
}

impl DerefMut for Code {
    fn deref_mut(&mut self) -> &mut JITModule {
        &mut self.0
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        // SAFETY: functions are called by `Functions` alone, which owns their code and goes with it.
        // The module is not used afterwards.
        unsafe { ManuallyDrop::take(&mut self.0).free_memory() }
    }
}

// SAFETY: what is not `Send` in it is the allocator, which is the one of the system: pages of the
// process, which no thread owns.
unsafe impl Send for Code {}
// SAFETY: once functions run, nothing but the end of its life uses the module, and that has it for
// itself. The code is never written again.
unsafe impl Sync for Code {}
