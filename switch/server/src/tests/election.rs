//! Who hears of a change, and in which order (P4Runtime 1.5, section 5.3).

use std::sync::Arc;

use crate::arbitration::election::{Election, Notices};
use crate::arbitration::roles::Scope;
use crate::outbox::Outbox;

/// Who is told, by their places.
fn told(notices: &Notices, controllers: &[Arc<Outbox>]) -> Vec<usize> {
    let place = |told: &Arc<Outbox>| controllers.iter().position(|each| Arc::ptr_eq(each, told));
    notices.iter().filter_map(|(controller, _)| place(controller)).collect()
}

#[test]
fn the_others_hear_of_a_new_primary_before_it_does() {
    let controllers: Vec<_> = (0..3).map(|_| Arc::new(Outbox::default())).collect();
    let mut election = Election::new(7, "".into());
    let mut bid = |place: usize, id| {
        let notices = election.bid(&controllers[place], Some(id), Scope::default()).unwrap();
        told(&notices, &controllers)
    };
    assert_eq!(bid(0, 0), [0]);
    assert_eq!(bid(1, 1), [0, 1]);
    assert_eq!(bid(2, 2), [0, 1, 2]);
    assert_eq!(bid(1, 9), [0, 2, 1]);
    assert_eq!(bid(0, 3), [0], "a backup's bid concerns nobody else");
    assert_eq!(bid(1, 4), [0, 2, 1], "it steps down");
    assert_eq!(told(&election.leave(&controllers[0]), &controllers), [0; 0]);
}
