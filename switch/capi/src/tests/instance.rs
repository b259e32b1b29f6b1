use super::*;

const PROGRAM: &[u8] = include_bytes!("../../../../p4src/build/queue.json");

#[test]
fn a_panic_is_an_error_and_the_instance_refuses_all_later_requests() {
    let mut instance = Instance::load(PROGRAM).unwrap();
    let defect: Option<()> = instance.attempt(|_| panic!("broken {}", "table"));
    assert!(defect.is_none());
    let message = "defect in the pipeline, it cannot be used any more: broken table";
    assert_eq!(instance.message().to_str(), Ok(message));
    assert!(instance.attempt(|_| Ok(())).is_none());
    assert_eq!(instance.message().to_str(), Ok(message));
}

#[test]
fn a_message_with_a_nul_is_kept_whole() {
    let message = Error::WideRegister { name: "a\0b".to_string(), value: 1_u32.into() }.message();
    assert!(message.to_str().unwrap().contains("a\u{fffd}b: the value 1"));
}
