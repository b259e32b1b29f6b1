use std::io::Error;

use super::*;

#[test]
fn an_interface_that_vanishes_while_it_is_opened_is_not_found() {
    for errno in [libc::ENODEV, libc::ENXIO] {
        let error = refused(7, "eth77", &Error::from_raw_os_error(errno));
        assert!(matches!(error, InterfaceError::NotFound { port: 7, .. }), "{error}");
    }
    let error = refused(7, "eth77", &Error::from_raw_os_error(libc::ENOMEM));
    assert!(matches!(error, InterfaceError::Refused { .. }), "{error}");
}
