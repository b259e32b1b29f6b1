//! Turns what is built into machine code.

use crate::builder::{Builder, Label};
use crate::code::Code;
use crate::functions::{Entry, Function, Functions, Sizes};
use cranelift_codegen::ir::{types, AbiParam, Signature};
use cranelift_codegen::settings::{self, Configurable, SetError};
use cranelift_codegen::{CodegenError, Context};
use cranelift_frontend::FunctionBuilderContext;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{default_libcall_names, FuncId, Module, ModuleError};
use thiserror::Error;

/// Why there is no machine code.
#[derive(Debug, Error)]
pub enum Unavailable {
    /// No code can be made for this processor.
    #[error("no machine code for this processor: {0}")]
    Processor(String),
    /// The code cannot be made, or no memory can be had that may be executed.
    #[error("no machine code: {0}")]
    Code(#[from] Box<ModuleError>),
}

impl From<SetError> for Unavailable {
    fn from(error: SetError) -> Unavailable {
        Unavailable::Processor(error.to_string())
    }
}

impl From<CodegenError> for Unavailable {
    fn from(error: CodegenError) -> Unavailable {
        Unavailable::Processor(error.to_string())
    }
}

impl From<ModuleError> for Unavailable {
    fn from(error: ModuleError) -> Unavailable {
        Unavailable::Code(Box::new(error))
    }
}

/// Makes functions for packets of a number of slots, beside a number of arrays.
pub struct Compiler {
    code: Code,
    context: Context,
    builder_context: FunctionBuilderContext,
    functions: Vec<FuncId>,
    sizes: Sizes,
}

impl Compiler {
    /// A compiler for this processor.
    pub fn new(slots: usize, arrays: usize) -> Result<Compiler, Unavailable> {
        if usize::BITS != u64::BITS {
            return Err(Unavailable::Processor("its addresses do not have 64 bits".into()));
        }
        let mut flags = settings::builder();
        for (name, value) in [("opt_level", "speed"), ("is_pic", "false")] {
            flags.set(name, value)?;
        }
        let processor = cranelift_native::builder()
            .map_err(|reason| Unavailable::Processor(reason.to_owned()))?;
        let isa = processor.finish(settings::Flags::new(flags))?;
        let code = Code::new(JITBuilder::with_isa(isa, default_libcall_names()));
        Ok(Compiler {
            context: code.make_context(),
            code,
            builder_context: FunctionBuilderContext::new(),
            functions: Vec::new(),
            sizes: Sizes { slots, arrays },
        })
    }

    /// Makes a function with so many entries of what `build` tells the builder: it places the
    /// labels of all entries.
    pub fn function(
        &mut self,
        entries: usize,
        build: impl FnOnce(&mut Builder<'_>, &[Label]),
    ) -> Result<Function, Unavailable> {
        self.context.func.signature = signature(&self.code);
        let mut builder =
            Builder::new(&mut self.context.func, &mut self.builder_context, self.sizes);
        let labels = builder.entries(entries);
        build(&mut builder, &labels);
        builder.finish();
        let id = self.code.declare_anonymous_function(&self.context.func.signature)?;
        self.code.define_function(id, &mut self.context)?;
        self.code.clear_context(&mut self.context);
        self.functions.push(id);
        Ok(self.functions.len() as Function - 1)
    }

    /// All functions, ready to run.
    pub fn finish(mut self) -> Result<Functions, Unavailable> {
        self.code.finalize_definitions()?;
        let entry = |&function: &FuncId| {
            let code = self.code.get_finalized_function(function);
            // SAFETY: it is the code of a function of this signature.
            unsafe { std::mem::transmute::<*const u8, Entry>(code) }
        };
        let entries = self.functions.iter().map(entry).collect();
        Ok(Functions::new(entries, self.sizes, self.code))
    }
}

/// The signature of [`Entry`].
fn signature(module: &JITModule) -> Signature {
    let mut signature = module.make_signature();
    signature.params = vec![AbiParam::new(types::I64); 7];
    signature.returns = vec![AbiParam::new(types::I64)];
    signature
}
