use super::*;
use crate::numbers::random::Random;
use std::collections::HashSet;

#[test]
fn entries_run_what_they_were_told_last_and_what_is_alike_is_there_once() {
    let mut random = Random::new(1);
    let mut calls = Calls::new();
    let mut told: Vec<Option<Call>> = vec![None; 40];
    for _ in 0..5000 {
        let entry = random.below(told.len() as u64);
        let action = random.below(5) as usize;
        let arguments = (0..action).map(|_| random.below(2)).collect();
        let call = (action < 4).then_some(Call { action, arguments });
        let before = std::mem::replace(&mut told[entry as usize], call);
        calls.replace(entry as u32, before.as_ref(), told[entry as usize].as_ref());
        for (entry, call) in told.iter().enumerate() {
            let found = calls.get(entry as u32);
            assert_eq!(found.map(|(action, _)| action), call.as_ref().map(|call| call.action));
            if let (Some((_, arguments)), Some(call)) = (found, call) {
                assert_eq!(arguments[..call.arguments.len()], *call.arguments);
            }
        }
        let different: HashSet<_> = told.iter().flatten().map(key).collect();
        assert_eq!(calls.known.len(), different.len());
        // One of no arguments, two of one, four of two and eight of three are possible at once.
        assert!(calls.words.len() / calls.stride <= 1 + 15);
    }
}
