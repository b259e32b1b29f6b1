//! Ports that are added to a running switch and removed from it.

use super::*;
use crate::{PortError, SwitchError};

fn network() -> (Network, Told) {
    enter_namespace();
    let (warn, told) = Told::new();
    (Network::start(PortConfig::new(2), warn), told)
}

fn at(port: u16, interface: &str) -> PortConfig {
    PortConfig { interface: Some(interface.to_owned()), ..PortConfig::new(port) }
}

/// Frames go from station one to station two and back, where the program has port 2.
fn assert_forwards(network: &mut Network) {
    let (there, back) = (frame(2, 0x88b5, 100), frame(1, 0x88b5, 1_000));
    send(&mut network.one, std::slice::from_ref(&there));
    assert_eq!(receive(&mut network.two, 1), [there]);
    send(&mut network.two, std::slice::from_ref(&back));
    assert_eq!(receive(&mut network.one, 1), [back]);
}

#[test]
fn a_port_moves_to_another_interface_while_the_switch_runs() {
    let (mut network, told) = network();
    for name in ["another", "port2"] {
        network.live.remove_port(2).unwrap();
        assert_eq!(network.shared.port_statistics(2).ok(), None);
        if name == "another" {
            connect("three", "another", 1_500);
            network.two = Station::open(2, "three");
        } else {
            network.two = Station::open(2, "two");
        }
        network.live.add_port(at(2, name)).unwrap();
        assert_forwards(&mut network);
        wait_until("all is counted", || {
            let port = network.shared.port_statistics(2).unwrap();
            port.sent.packets > 0 && port.received.packets > 0
        });
    }
    assert_eq!(told.rest(), [""; 0], "nothing has become of interfaces");
}

#[test]
fn an_added_port_follows_its_interface() {
    let (network, told) = network();
    connect("three", "port3", 1_500);
    network.live.add_port(at(3, "port3")).unwrap();
    for (state, is_up) in [("down", false), ("up", true)] {
        ip(&format!("link set port3 {state}"));
        assert!(told.next().starts_with(&format!("port 3: interface port3 is {state}")));
        assert_eq!(network.shared.lock().switch.is_port_up(3), is_up);
    }
    ip("link set port3 down");
    assert!(told.next().starts_with("port 3: interface port3 is down"));
    network.live.remove_port(3).unwrap();
    ip("link set port3 up");
    ip("link set port2 down");
    assert!(told.next().starts_with("port 2: "), "of an interface without port nothing is told");
}

#[test]
fn what_cannot_serve_is_refused_and_the_switch_goes_on() {
    let (mut network, _told) = network();
    ip("tuntap add dev tun0 mode tun");
    let refused = |config| network.live.add_port(config).unwrap_err();
    let not_found = refused(at(3, "eth77"));
    assert!(
        not_found.to_string().starts_with("port 3: no interface eth77; valid: "),
        "{not_found}"
    );
    let no_ethernet = InterfaceError::NoEthernet { name: "tun0".to_owned() };
    assert_eq!(refused(at(3, "tun0")), PortError::Interface(no_ethernet));
    assert_eq!(refused(at(2, "lo")), PortError::Switch(SwitchError::PortInUse { port: 2 }));
    assert_eq!(refused(at(3, "port1")).to_string(), "interface port1 is in use by port 1");
    let unknown = network.live.remove_port(3).unwrap_err();
    assert_eq!(unknown.to_string(), "no port 3; valid: 1, 2");
    assert_forwards(&mut network);
}

#[test]
fn a_switch_that_has_failed_adds_and_removes_nothing() {
    let (network, _told) = network();
    network.shared.fail(&mut network.shared.lock(), "it was to".to_owned());
    let failed = SwitchError::Failed { reason: "it was to".to_owned() };
    assert_eq!(network.live.add_port(at(3, "lo")), Err(PortError::Switch(failed.clone())));
    assert_eq!(network.live.remove_port(2), Err(PortError::Switch(failed)));
}
