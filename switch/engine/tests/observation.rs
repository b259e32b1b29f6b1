//! Traces and captures of a switch in virtual time.
//!
//! After a change of traces that is meant: UPDATE_TRACES=1 cargo test -p engine --test all observation

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::support;
use engine::{
    Captured, CloneSession, PortConfig, Replica, Switch, TraceFilter, TraceFormat, TraceOptions,
};
use pipeline::{Match, Pipeline};

const STATION: [u8; 6] = [2, 0, 0, 0, 0, 2];
const CPU_PORT: u16 = 510;
const FRAME_BYTES: usize = 500;

/// Port 2 sends a byte per microsecond, 10 us away, and its queue holds one frame. The station
/// is behind it, another is behind a port that does not exist.
fn switch() -> Switch {
    let slow = PortConfig {
        rate_bps: NonZeroU64::new(8_000_000),
        delay_ns: 10_000,
        memory_bytes: Some(FRAME_BYTES as u64),
        ..PortConfig::new(2)
    };
    let mut switch = Switch::new(vec![PortConfig::new(1), slow], Some(CPU_PORT)).unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../pipeline/tests/programs/traced.json");
    switch.replace(Pipeline::load(&std::fs::read(path).unwrap()).unwrap());
    for (station, port) in [(2, 2), (4, 4)] {
        let key = [Match::Exact(vec![2, 0, 0, 0, 0, station])];
        let mut control = switch.control().unwrap();
        control
            .table_insert("TestIngress.stations", &key, "TestIngress.forward", &[vec![port]], 0)
            .unwrap();
    }
    switch
}

fn frame(station: u8) -> Vec<u8> {
    let mut frame = STATION.to_vec();
    frame[5] = station;
    frame.resize(FRAME_BYTES, 0x55);
    frame
}

/// Three frames for the station, of which the queue takes two; one for nobody and one for the port
/// that does not exist.
fn run(switch: &mut Switch) {
    for station in [2, 2, 2, 3, 4] {
        switch.inject(1, frame(station), 1_000).unwrap();
    }
    switch.run_until(2_000_000).unwrap();
}

fn run_again(switch: &mut Switch) {
    switch.inject(1, frame(2), 3_000_000).unwrap();
    switch.run_until(4_000_000).unwrap();
}

fn trace(options: TraceOptions) -> String {
    let mut switch = switch();
    switch.observer().trace(options);
    run(&mut switch);
    switch.observer().take_lines()
}

fn compare(name: &str, actual: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/traces").join(name);
    if std::env::var_os("UPDATE_TRACES").is_some() {
        std::fs::write(&path, actual).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        actual == expected,
        "{} differs from:\n{actual}\n\
         If that is right: UPDATE_TRACES=1 cargo test -p engine --test all observation",
        path.display()
    );
}

#[test]
fn a_trace_tells_of_queues_and_drops() {
    compare("queue.txt", &trace(TraceOptions::default()));
    let format = TraceFormat::JsonLines;
    compare("queue.jsonl", &trace(TraceOptions { format, ..TraceOptions::default() }));
}

#[test]
fn a_trace_tells_of_copies_and_returns() {
    let mut switch = support::plain_switch();
    let replicas: Vec<_> = [2, 3].map(|port| Replica::new(port, port)).into();
    switch.replication().groups.insert(5, replicas.clone().into()).unwrap();
    let session = CloneSession { replicas, ..CloneSession::default() };
    switch.replication().sessions.insert(6, session).unwrap();
    switch.observer().trace(TraceOptions::default());
    let frame = support::Frame { port: 4, ..support::Frame::default() };
    support::send(
        &mut switch,
        support::Frame { ingress: support::I_MULTICAST, argument: 5, ..frame },
    );
    support::send(&mut switch, support::Frame { ingress: support::CLONE, argument: 6, ..frame });
    support::send(&mut switch, support::Frame { ingress: support::I_RESUBMIT_ONCE, ..frame });
    support::send(&mut switch, support::Frame { egress: support::E_RECIRCULATE_ONCE, ..frame });
    // What the program does is not the point here.
    let lines = switch.observer().take_lines();
    let is_from_source = |line: &&str| line.contains(" condition ") || line.contains(" statement ");
    let lines: Vec<_> = lines.lines().filter(|line| !is_from_source(line)).collect();
    compare("copies.txt", &(lines.join("\n") + "\n"));
}

#[test]
fn packets_for_a_port_that_is_not_there_are_told_of_once_with_the_ports_that_are() {
    let mut switch = switch();
    run(&mut switch);
    run_again(&mut switch);
    let missing = "packets for port 4 are dropped: there is no such port, but 1, 2, 510";
    assert_eq!(switch.take_notices(), [missing]);
}

#[test]
fn packets_of_a_priority_that_has_no_queue_are_told_of_once_for_each_port_and_priority() {
    let port = |number, queues| PortConfig { queues, ..PortConfig::new(number) };
    let mut switch = support::switch(vec![port(1, 1), port(2, 3)]);
    for (port, priority) in [(2, 2), (2, 3), (1, 3), (2, 3), (2, 7)] {
        support::send(&mut switch, support::Frame { port, priority, ..support::Frame::default() });
    }
    let told = |priority, port, queues| {
        format!(
            "packets of priority {priority} for port {port} are dropped: it has only {queues}; give \
             the port more queues, or set a lower standard_metadata.priority"
        )
    };
    let few = "queues 0 to 2";
    let expected = [told(3, 2, few), told(3, 1, "queue 0"), told(7, 2, few)];
    assert_eq!(switch.take_notices(), expected);
    assert_eq!(switch.statistics().no_such_queue.packets, 4);
}

#[test]
fn packets_of_a_program_that_chooses_no_port_are_told_of() {
    let mut switch = support::plain_switch();
    switch.observer().trace(TraceOptions::default());
    support::send(&mut switch, support::Frame::default());
    let notices = switch.take_notices();
    let [notice] = &notices[..] else { panic!("{notices:?}") };
    assert!(notice.starts_with("packets for port 0 are dropped") && notice.contains("egress_spec"));
    assert!(switch.observer().take_lines().contains("goes to port 0, which the switch"));
}

#[test]
fn who_looks_on_sees_packets_that_come_later_beside_other_traces() {
    let mut switch = switch();
    switch.observer().trace(TraceOptions::default());
    run(&mut switch);
    let watch = switch.observer().watch(TraceOptions::default()).unwrap();
    run_again(&mut switch);
    let seen = switch.observer().take_watched(watch).unwrap();
    assert!(seen.contains("#6 arrives") && !seen.contains("#5"), "{seen}");
    let all = switch.observer().take_lines();
    assert!(all.ends_with(&seen) && all.len() > seen.len());
    switch.observer().end_watch(watch);
    assert_eq!(switch.observer().take_watched(watch), None);
}

#[test]
fn those_who_look_on_are_bounded_and_so_is_what_is_kept_for_each() {
    let mut switch = switch();
    let watches: Vec<_> =
        std::iter::from_fn(|| switch.observer().watch(TraceOptions::default())).collect();
    assert_eq!(watches.len(), 7);
    for number in 0..2_000 {
        switch.inject(1, frame(3), number * 1_000).unwrap();
    }
    switch.run_until(2_000_000).unwrap();
    let lines = switch.observer().take_watched(watches[0]).unwrap();
    assert!(lines.len() < 2 << 20, "{}", lines.len());
    assert!(lines.ends_with("lines are missing here\n"));
    switch.observer().end_watch(watches[3]);
    assert!(switch.observer().watch(TraceOptions::default()).is_some());
}

#[test]
fn packets_that_come_faster_than_asked_for_are_left_out_and_counted() {
    let mut switch = switch();
    let options = TraceOptions { packets_per_second: Some(2), ..TraceOptions::default() };
    let watch = switch.observer().watch(options).unwrap();
    run(&mut switch);
    switch.inject(1, frame(3), 1_000_000_000).unwrap();
    switch.run_until(2_000_000_000).unwrap();
    let lines = switch.observer().take_watched(watch).unwrap();
    assert_eq!(lines.matches(" arrives ").count(), 3);
    assert!(lines.contains("3 packets came too fast and are left out here\n1.000000000 #3 arrives"));
}

#[test]
fn a_filter_shows_whole_packets_that_are_dropped_or_have_a_field_s_value() {
    let filtered = |fields: &[(&str, &str)], dropped_only| {
        let fields = fields.iter().map(|(name, value)| (name.to_string(), value.to_string()));
        let filter = TraceFilter { fields: fields.collect(), dropped_only };
        let lines = trace(TraceOptions { filter, ..TraceOptions::default() });
        let arrivals = lines.lines().filter(|line| line.contains(" arrives "));
        arrivals.map(|line| line.split(' ').nth(1).unwrap().to_owned()).collect::<Vec<_>>()
    };
    let dropped = filtered(&[], true);
    assert_eq!(dropped, ["#3", "#4", "#5"]);
    let (station, other) = (("ethernet.destination", "20000000003"), ("ethernet.destination", "3"));
    assert_eq!(filtered(&[station], false), ["#4"]);
    assert!(filtered(&[other], false).is_empty());
}

#[test]
fn a_trace_can_be_of_the_first_packets_or_of_some_ports() {
    let one = trace(TraceOptions { packets: Some(1), ..TraceOptions::default() });
    assert!(one.contains("#1 ") && !one.contains("#2 "), "{one}");
    let ports = Some(vec![2, 3]);
    assert_eq!(trace(TraceOptions { ports, ..TraceOptions::default() }), "");
}

#[test]
fn a_trace_does_not_change_what_happens() {
    let mut plain = switch();
    run(&mut plain);
    let mut traced = switch();
    traced.observer().trace(TraceOptions::default());
    run(&mut traced);
    for port in [1, 2, CPU_PORT] {
        assert_eq!(plain.port_statistics(port), traced.port_statistics(port));
    }
    let counter = |switch: &mut Switch| {
        switch.control().unwrap().counter_cells("TestIngress.seen").unwrap()[1]
    };
    assert_eq!(counter(&mut plain), counter(&mut traced));
}

#[test]
fn a_trace_is_written_by_a_thread_of_its_own_and_complete_at_its_end() {
    let directory = Scratch::new("trace");
    let path = directory.0.join("trace.txt");
    let mut switch = switch();
    let output = Box::new(std::fs::File::create(&path).unwrap());
    let warn = Arc::new(|message: &str| panic!("{message}"));
    switch.observer().trace_to(TraceOptions::default(), output, warn).unwrap();
    run(&mut switch);
    drop(switch.observer().end());
    assert_eq!(std::fs::read_to_string(path).unwrap(), trace(TraceOptions::default()));
}

#[test]
fn captures_hold_every_frame_with_its_time() {
    let directory = Scratch::new("pcap");
    let mut switch = switch();
    switch
        .observer()
        .capture(&directory.0, Captured::All, Arc::new(|message: &str| panic!("{message}")))
        .unwrap();
    run(&mut switch);
    drop(switch.observer().end());
    let read = |name: &str| read_pcap(&directory.0.join(name));
    let received: Vec<_> = [2, 2, 2, 3, 4].map(|station| (1_000, frame(station))).into();
    assert_eq!(read("port1_in.pcap"), received);
    // 500 us on the link each, 10 us on the wire.
    let sent = vec![(511_000, frame(2)), (1_011_000, frame(2))];
    assert_eq!(read("port2_out.pcap"), sent);
    for empty in ["port1_out.pcap", "port2_in.pcap", "port510_in.pcap", "port510_out.pcap"] {
        assert_eq!(read(empty), vec![]);
    }
}

#[test]
fn captures_are_called_after_interfaces_where_ports_have_them() {
    let directory = Scratch::new("names");
    let at_interface = PortConfig { interface: Some("s1-eth1".to_owned()), ..PortConfig::new(1) };
    let mut switch = Switch::new(vec![at_interface, PortConfig::new(2)], None).unwrap();
    switch
        .observer()
        .capture(&directory.0, Captured::All, Arc::new(|message: &str| panic!("{message}")))
        .unwrap();
    switch.inject(1, frame(2), 1_000).unwrap();
    switch.run_until(2_000).unwrap();
    drop(switch.observer().end());
    assert_eq!(read_pcap(&directory.0.join("s1-eth1_in.pcap")), vec![(1_000, frame(2))]);
    let entries = std::fs::read_dir(&directory.0).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> = entries.collect();
    names.sort();
    let expected = ["port2_in.pcap", "port2_out.pcap", "s1-eth1_in.pcap", "s1-eth1_out.pcap"];
    assert_eq!(names, expected);
}

#[test]
fn two_ports_never_share_a_capture() {
    let directory = Scratch::new("one-name");
    let at =
        |name: &str, port| PortConfig { interface: Some(name.into()), ..PortConfig::new(port) };
    let mut switch = Switch::new(vec![at("port2", 1), PortConfig::new(2)], None).unwrap();
    let warn = Arc::new(|message: &str| panic!("{message}"));
    switch.observer().capture(&directory.0, Captured::All, warn).unwrap();
    switch.add_port(at("port2-2", 3)).unwrap();
    for port in [1, 2, 3] {
        switch.inject(port, frame(2), u64::from(port)).unwrap();
    }
    switch.run_until(3).unwrap();
    drop(switch.observer().end());
    for (at_ns, name) in [(1, "port2"), (2, "port2-2"), (3, "port2-2-3")] {
        let path = directory.0.join(format!("{name}_in.pcap"));
        assert_eq!(read_pcap(&path), [(at_ns, frame(2))], "{name}");
    }
}

#[test]
fn of_ports_without_interface_there_are_only_captures_that_are_asked_for() {
    let directory = Scratch::new("interfaces");
    let at =
        |name: &str, port| PortConfig { interface: Some(name.to_owned()), ..PortConfig::new(port) };
    let mut switch = Switch::new(vec![PortConfig::new(1), at("s1-eth2", 2)], Some(255)).unwrap();
    let warn = Arc::new(|message: &str| panic!("{message}"));
    switch.observer().capture(&directory.0, Captured::WithInterface, warn).unwrap();
    switch.add_port(PortConfig::new(3)).unwrap();
    switch.add_port(at("s1-eth4", 4)).unwrap();
    for port in [1, 2, 3, 4] {
        switch.inject(port, frame(2), 0).unwrap();
    }
    switch.run_until(0).unwrap();
    drop(switch.observer().end());
    let entries = std::fs::read_dir(&directory.0).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> = entries.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    let [two, four] = ["s1-eth2_in.pcap", "s1-eth4_in.pcap"];
    assert_eq!(names, [two, "s1-eth2_out.pcap", four, "s1-eth4_out.pcap"]);
    for name in [two, four] {
        assert_eq!(read_pcap(&directory.0.join(name)), [(0, frame(2))]);
    }
}

#[test]
fn a_capture_follows_ports_that_come_and_go() {
    let directory = Scratch::new("later");
    let at = |port| PortConfig { interface: Some("later".to_owned()), ..PortConfig::new(port) };
    let mut switch = Switch::new(vec![PortConfig::new(1)], None).unwrap();
    switch
        .observer()
        .capture(&directory.0, Captured::All, Arc::new(|message: &str| panic!("{message}")))
        .unwrap();
    let receive = |switch: &mut Switch, port, at_ns| {
        switch.inject(port, frame(2), at_ns).unwrap();
        switch.run_until(at_ns).unwrap();
    };
    switch.add_port(at(2)).unwrap();
    receive(&mut switch, 2, 1_000);
    switch.remove_port(2).unwrap();
    switch.add_port(at(7)).unwrap();
    receive(&mut switch, 7, 2_000);
    receive(&mut switch, 1, 3_000);
    drop(switch.observer().end());
    let read = |name: &str| read_pcap(&directory.0.join(name));
    assert_eq!(read("later_in.pcap"), [(1_000, frame(2)), (2_000, frame(2))]);
    assert_eq!(read("later_out.pcap"), []);
    assert_eq!(read("port1_in.pcap"), [(3_000, frame(2))]);
}

#[test]
fn a_capture_of_a_later_port_that_cannot_be_written_is_told_and_others_go_on() {
    let directory = Scratch::new("later-refused");
    let (sender, told) = std::sync::mpsc::channel();
    let warn = move |message: &str| sender.send(message.to_owned()).unwrap();
    let mut switch = Switch::new(vec![PortConfig::new(1)], None).unwrap();
    switch.observer().capture(&directory.0, Captured::All, Arc::new(warn)).unwrap();
    std::fs::create_dir(directory.0.join("port2_in.pcap")).unwrap();
    switch.add_port(PortConfig::new(2)).unwrap();
    for port in [2, 1] {
        switch.inject(port, frame(2), 0).unwrap();
    }
    switch.run_until(0).unwrap();
    drop(switch.observer().end());
    let told: Vec<_> = told.try_iter().collect();
    assert!(
        matches!(&told[..], [one] if one.contains("port2_in.pcap: Is a directory")),
        "{told:?}"
    );
    assert_eq!(read_pcap(&directory.0.join("port1_in.pcap")), [(0, frame(2))]);
}

#[test]
fn a_capture_that_cannot_be_written_is_refused() {
    let directory = Scratch::new("refused");
    let file = directory.0.join("file");
    std::fs::write(&file, "").unwrap();
    let captured = switch().observer().capture(&file, Captured::All, Arc::new(|_: &str| {}));
    assert_eq!(captured.unwrap_err().kind(), std::io::ErrorKind::AlreadyExists);
}

/// Reads a capture: times in nanoseconds, and frames.
fn read_pcap(path: &Path) -> Vec<(u64, Vec<u8>)> {
    let bytes = std::fs::read(path).unwrap();
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let (nanosecond_magic, version_2_4, ethernet) = (0xa1b2_3c4d, 0x0004_0002, 1);
    assert_eq!([word(0), word(4), word(20)], [nanosecond_magic, version_2_4, ethernet]);
    let mut frames = Vec::new();
    let mut at = 24;
    while at < bytes.len() {
        let [seconds, nanoseconds, captured, length] = [0, 4, 8, 12].map(|part| word(at + part));
        assert_eq!(captured, length);
        let end = at + 16 + captured as usize;
        let time_ns = u64::from(seconds) * 1_000_000_000 + u64::from(nanoseconds);
        frames.push((time_ns, bytes[at + 16..end].to_vec()));
        at = end;
    }
    frames
}

/// A directory that is removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("p4abs-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_trace_ends_where_it_has_as_many_bytes_as_it_may() {
    for format in [TraceFormat::Text, TraceFormat::JsonLines] {
        let all = trace(TraceOptions { format, ..TraceOptions::default() });
        let end = match format {
            TraceFormat::Text => "the trace ends here",
            TraceFormat::JsonLines => "{\"event\":\"end\"}",
        };
        for bytes in [0, 100, 999, 1_000] {
            let bounded = trace(TraceOptions { format, bytes: Some(bytes), ..Default::default() });
            let (lines, last) = bounded.trim_end().rsplit_once('\n').unwrap_or(("", &bounded));
            assert_eq!(last.trim_end(), end);
            assert!(lines.len() <= bytes as usize && all.starts_with(lines));
            let next = all[lines.len()..].trim_start().lines().next().unwrap();
            assert!(lines.len() + next.len() + 2 > bytes as usize, "{bytes}: there was room");
        }
        let bytes = Some(all.len() as u64);
        assert_eq!(trace(TraceOptions { format, bytes, ..Default::default() }), all);
    }
}

#[test]
fn a_trace_that_has_ended_says_so_once_and_takes_no_more_of_a_packet() {
    let (sender, told) = std::sync::mpsc::channel();
    let warn = Arc::new(move |message: &str| sender.send(message.to_owned()).unwrap());
    let mut switch = switch();
    let options = TraceOptions { bytes: Some(100), ..TraceOptions::default() };
    switch.observer().trace_to(options, Box::new(std::io::sink()), warn).unwrap();
    run(&mut switch);
    run_again(&mut switch);
    drop(switch.observer().end());
    assert_eq!(
        told.iter().collect::<Vec<_>>(),
        ["the trace ends here: it has reached its maximum size"]
    );
}
