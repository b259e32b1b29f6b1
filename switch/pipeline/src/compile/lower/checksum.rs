//! Lowers checksums (`checksums` of the JSON format).

use super::lowering::Lowering;
use crate::compile::assembler::Label;
use crate::error::{InObject, LoadError, Problem, Result};
use crate::json::{self, BinaryOperation, Expression};
use crate::program::{ChecksumSymbol, Instruction, Mark, Operand, Place, Type};

impl Lowering<'_> {
    /// Emits the verification of all checksums: `error` becomes 1 if one is wrong. The checksums
    /// of invalid headers are not verified.
    pub(crate) fn verify_checksums(
        &mut self,
        checksums: &[json::Checksum],
        error: Option<Place>,
    ) -> Result<(), LoadError> {
        for checksum in checksums.iter().filter(|checksum| checksum.verify) {
            self.mark_checksum(checksum, true)?;
            self.verify_checksum(checksum, error).in_object("checksum", &checksum.name)?;
            self.code.end_statement();
        }
        Ok(())
    }

    /// Emits the update of all checksums.
    pub(crate) fn update_checksums(
        &mut self,
        checksums: &[json::Checksum],
    ) -> Result<(), LoadError> {
        for checksum in checksums.iter().filter(|checksum| checksum.update) {
            self.mark_checksum(checksum, false)?;
            self.update_checksum(checksum).in_object("checksum", &checksum.name)?;
            self.code.end_statement();
        }
        Ok(())
    }

    fn mark_checksum(
        &mut self,
        checksum: &json::Checksum,
        is_verified: bool,
    ) -> Result<(), LoadError> {
        let target = &checksum.target;
        let place = self.layout.field(target).in_object("checksum", &checksum.name)?;
        let field = format!("{}.{}", target.0, target.1);
        self.code.mark(Mark::Checksum(ChecksumSymbol { field, place, is_verified }));
        Ok(())
    }

    fn verify_checksum(&mut self, checksum: &json::Checksum, error: Option<Place>) -> Result {
        let skip = self.code.new_label();
        if let Some(condition) = self.layout.guard(&checksum.target.0)? {
            self.code.emit(Instruction::JumpIfZero { condition, target: skip.target() })?;
        }
        let computed = self.computed_checksum(checksum, skip)?;
        let target = self.layout.field(&checksum.target)?;
        self.branch_on_comparison(BinaryOperation::Equal, computed, target, true, skip)?;
        if let Some(error) = error {
            let one = self.code.small_constant(1)?;
            self.code.copy(error.slot, one)?;
        }
        self.code.place(skip);
        Ok(())
    }

    fn update_checksum(&mut self, checksum: &json::Checksum) -> Result {
        let skip = self.code.new_label();
        let computed = self.computed_checksum(checksum, skip)?;
        let target = self.layout.field(&checksum.target)?;
        let value = self.truncate(computed, target.kind.bits())?;
        self.touch(target)?;
        self.store(target, value)?;
        self.code.place(skip);
        Ok(())
    }

    /// Emits the calculation, or a jump to `skip` if the checksum's condition is false.
    fn computed_checksum(&mut self, checksum: &json::Checksum, skip: Label) -> Result<Operand> {
        if checksum.kind != "generic" {
            return Err(Problem::unsupported(
                format!("checksum type '{}'", checksum.kind),
                &["generic"],
            ));
        }
        if let Some(condition) = &checksum.if_cond {
            self.branch(&Expression::from_json(condition)?, false, skip)?;
        }
        let calculation = self.calculations.find(&checksum.calculation)?;
        let value = self.code.temporary(Type::Unsigned(64))?;
        let to = value.slot;
        self.code.emit(Instruction::Calculate { to, calculation })?;
        Ok(value)
    }
}
