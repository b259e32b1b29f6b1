//! Writes headers to where they were read, as most packets want it.

use crate::program::{Emission, Header, Program};
use codegen::{Binary, Builder, Comparison, Label};

/// Of more headers, most are elements of stacks that few packets have.
const HEADERS_MAX: usize = 16;

/// Whether the deparser's headers are few, but some. Elements of stacks do not count.
pub(super) fn can_be_built(program: &Program) -> bool {
    (1..=HEADERS_MAX).contains(&headers(program).count())
}

/// The headers that machine code writes: all, or where these are many, those that are no elements of
/// stacks.
fn headers(program: &Program) -> impl DoubleEndedIterator<Item = &Emission> {
    let all = program.deparser.iter().flatten();
    let are_few = all.clone().count() <= HEADERS_MAX;
    all.filter(move |emission| are_few || !program.elements.contains(&emission.valid.into()))
}

/// Gives back the parsed bytes, header by header from the last one on, as long as each was read
/// just there, and writes what has changed. Leaves at 1 then, in front of the first header. Leaves
/// at 0 if some header does not belong where it would stand, or is one that is not written here.
pub(super) fn build(program: &Program, code: &mut Builder<'_>, entry: Label) {
    code.place(entry);
    let elsewhere = code.label();
    if headers(program).count() < program.deparser.iter().map(Vec::len).sum() {
        code.jump_if_touched(program.elements.start, elsewhere);
    }
    for emission in headers(program).rev() {
        let header = &program.headers[usize::from(emission.header)];
        build_header(header, emission, elsewhere, code);
    }
    code.leave(1);
    code.place(elsewhere);
    code.leave(0);
}

fn build_header(header: &Header, emission: &Emission, elsewhere: Label, code: &mut Builder<'_>) {
    let (valid, nothing) = (code.load(emission.valid.into()), code.constant(0));
    let Some(origin) = header.origin else {
        return code.jump_if(Comparison::NotEqual, valid, nothing, elsewhere);
    };
    let next = code.label();
    code.jump_if(Comparison::Equal, valid, nothing, next);
    let bytes = code.give_back(header.bytes, elsewhere);
    let (position, one) = (code.position(), code.constant(1));
    let place = code.binary(Binary::Add, position, one);
    let origin = code.load(origin.into());
    code.jump_if(Comparison::NotEqual, origin, place, elsewhere);
    header.emit_changes.build(bytes, code);
    code.place(next);
}
