//! Source text without comments.

use super::without_comments;

#[test]
fn comments_are_left_out() {
    for (text, kept) in [
        ("1; // the multicast group of all ports ...", "1"),
        ("meta.a = 1 // one", "meta.a = 1"),
        ("f(a /* first */, b)", "f(a , b)"),
        ("hdr.a.setValid(); /* begins a comm ...", "hdr.a.setValid()"),
        ("a / b", "a / b"),
        ("", ""),
    ] {
        assert_eq!(without_comments(text), kept);
    }
}

#[test]
fn strings_have_no_comments() {
    for text in [r#"log("http://a")"#, r#"log("\"//", a)"#, r#"log("not ended // ..."#] {
        assert_eq!(without_comments(text), text);
    }
}
