//! A forwarding-pipeline config: a program as BMv2 JSON, with its P4Info (P4Runtime 1.5, section 7).

use std::sync::Arc;

use pipeline::Pipeline;
use prost::Message;

use crate::decoding::{check_length, counted, decoded};
use crate::messages::info::P4Info;
use crate::messages::requests::{ForwardingPipelineConfig, GetForwardingPipelineConfigResponse};
use crate::program::{index, Compiled, Program};
use crate::status::Result;

const ALL: i32 = 0;
const COOKIE_ONLY: i32 = 1;
const P4INFO_AND_COOKIE: i32 = 2;
const DEVICE_CONFIG_AND_COOKIE: i32 = 3;

/// A byte of it may become a hundred in memory.
const MAX_P4INFO_BYTES: usize = 1 << 21;

/// What is done with a config.
#[derive(Debug, Clone, Copy, PartialEq, Eq, prost::Enumeration)]
#[repr(i32)]
pub(crate) enum Action {
    Verify = 1,
    VerifyAndSave = 2,
    VerifyAndCommit = 3,
    Commit = 4,
    ReconcileAndCommit = 5,
}

impl Action {
    pub(crate) fn of(number: i32) -> Result<Action> {
        Action::try_from(number).map_err(|_| {
            invalid!(
                "unknown action {number}; valid: VERIFY, VERIFY_AND_SAVE, VERIFY_AND_COMMIT, COMMIT, \
                 RECONCILE_AND_COMMIT"
            )
        })
    }
}

/// A config as it was given.
#[derive(Debug, Clone)]
pub(crate) struct Config(Arc<ForwardingPipelineConfig>);

impl Config {
    pub(crate) fn decoded(bytes: &[u8]) -> Result<Config> {
        Ok(Config(Arc::new(counted("p4.v1.ForwardingPipelineConfig", bytes)?)))
    }

    /// That of a P4Info and BMv2 JSON.
    pub(crate) fn of(p4info: &[u8], json: &[u8]) -> Config {
        let p4info = vec![p4info.to_vec()];
        let message =
            ForwardingPipelineConfig { p4info, p4_device_config: json.to_vec(), cookie: None };
        Config(Arc::new(message))
    }

    /// Whether the P4Info says nothing.
    pub(crate) fn is_nameless(&self) -> bool {
        self.0.p4info.iter().all(Vec::is_empty)
    }

    /// The program, as BMv2 would have it.
    pub(crate) fn json(&self) -> Vec<u8> {
        unwrapped(&self.0.p4_device_config)
    }

    /// The program, compiled, and its objects. Initial entries that are not constant may be changed
    /// (section 9.1.5).
    pub(crate) fn verified(&self) -> Result<(Pipeline, Arc<Program>)> {
        let json = self.json();
        if json.is_empty() {
            return Err(invalid!(
                "the config has no p4_device_config; give the JSON that p4c wrote"
            ));
        }
        let mut pipeline = Pipeline::load(&json)?;
        let program = self.index(&Compiled::of(&pipeline.control()))?;
        let mut control = pipeline.control();
        for table in program.tables.compiled() {
            if table.has_initial_entries && !table.is_const {
                control.table_open(&table.name, usize::try_from(table.size).unwrap_or(0))?;
            }
        }
        Ok((pipeline, program))
    }

    /// The objects of the P4Info, as far as the compiled program has them.
    pub(crate) fn index(&self, compiled: &Compiled) -> Result<Arc<Program>> {
        indexed(&self.0.p4info.concat(), compiled)
    }
}

/// The objects of a `p4.config.v1.P4Info`, as far as the compiled program has them.
pub(crate) fn indexed(p4info: &[u8], compiled: &Compiled) -> Result<Arc<Program>> {
    check_length("P4Info", p4info, MAX_P4INFO_BYTES)?;
    let p4info: P4Info = decoded("p4.config.v1.P4Info", p4info)?;
    Ok(Arc::new(index(&p4info, compiled)?))
}

/// A config in the parts that are asked for.
pub(crate) fn response(config: Option<&Config>, response_type: i32) -> Result<Vec<u8>> {
    if !(ALL..=DEVICE_CONFIG_AND_COOKIE).contains(&response_type) {
        return Err(invalid!(
            "unknown response_type {response_type}; valid: ALL, COOKIE_ONLY, P4INFO_AND_COOKIE, \
             DEVICE_CONFIG_AND_COOKIE"
        ));
    }
    let config = config.map(|Config(message)| {
        let mut part = ForwardingPipelineConfig { cookie: message.cookie, ..Default::default() };
        if !matches!(response_type, COOKIE_ONLY | DEVICE_CONFIG_AND_COOKIE) {
            part.p4info.clone_from(&message.p4info);
        }
        if !matches!(response_type, COOKIE_ONLY | P4INFO_AND_COOKIE) {
            part.p4_device_config.clone_from(&message.p4_device_config);
        }
        part
    });
    Ok(GetForwardingPipelineConfigResponse { config }.encode_to_vec())
}

/// `p4.tmp.P4DeviceConfig`, which PI's first servers wanted around the JSON. It is deprecated, but BMv2
/// still takes it, and p4lang's tutorials and what was copied from them still send it.
#[derive(Clone, PartialEq, Eq, Message)]
struct P4DeviceConfig {
    #[prost(bytes = "vec", tag = "3")]
    device_data: Vec<u8>,
}

/// The JSON; what is no wrapper is taken for the JSON itself, as BMv2 does.
fn unwrapped(device_config: &[u8]) -> Vec<u8> {
    let first = device_config.iter().find(|byte| !byte.is_ascii_whitespace());
    match P4DeviceConfig::decode(device_config).map(|wrapper| wrapper.device_data) {
        Ok(wrapped) if first != Some(&b'{') && !wrapped.is_empty() => wrapped,
        _ => device_config.to_vec(),
    }
}
