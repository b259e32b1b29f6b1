use super::*;

fn taken(spool: &Spool) -> Batch {
    let mut batch = Batch::default();
    spool.take(&mut batch);
    batch
}

#[test]
fn records_come_out_in_order() {
    let spool = Spool::default();
    spool.append(&[b"one ", b"two "]);
    spool.append(&[b"three"]);
    assert_eq!(taken(&spool).bytes, b"one two three");
    assert_eq!(taken(&spool).bytes, b"");
}

#[test]
fn records_without_room_are_counted_until_there_is_room_again() {
    let spool = Spool::default();
    let record = vec![7; CAPACITY_BYTES / 2];
    for _ in 0..2 {
        spool.append(&[&record]);
    }
    spool.append(&[b"no room"]);
    spool.append(&[b""]);
    let batch = taken(&spool);
    assert_eq!((batch.bytes.len(), batch.lost_records), (2 * record.len(), 2));
    spool.append(&[b"room"]);
    let batch = taken(&spool);
    assert_eq!((&batch.bytes[..], batch.lost_records), (&b"room"[..], 0));
}

#[test]
fn the_writer_writes_everything_before_it_ends() {
    let spool = Arc::new(Spool::default());
    let (sender, written) = std::sync::mpsc::channel();
    let warn = Arc::new(|message: &str| panic!("{message}"));
    let writer = SpoolWriter::start("test", Arc::clone(&spool), warn, move |batch, _| {
        sender.send(batch.bytes.clone()).unwrap();
    });
    let writer = writer.unwrap();
    for number in 0..100_u8 {
        spool.append(&[&[number]]);
    }
    drop(writer);
    let all: Vec<u8> = written.iter().flatten().collect();
    assert_eq!(all, (0..100).collect::<Vec<u8>>());
}

#[test]
fn a_writer_that_panics_says_so_and_nothing_more_is_kept_for_it() {
    let spool = Arc::new(Spool::default());
    let (sender, warnings) = std::sync::mpsc::channel();
    let warn = Arc::new(move |message: &str| sender.send(message.to_owned()).unwrap());
    let write = |_: &Batch, _: &Warn| panic!("no room\n for it");
    let _writer = SpoolWriter::start("test", Arc::clone(&spool), warn, write).unwrap();
    let warning = warnings.recv_timeout(Duration::from_secs(60)).unwrap();
    assert_eq!(warning, "the test ends here: its thread panicked: no room for it");
    spool.append(&[b"late"]);
    let batch = taken(&spool);
    assert_eq!((&batch.bytes[..], batch.lost_records), (&b""[..], 1));
}
