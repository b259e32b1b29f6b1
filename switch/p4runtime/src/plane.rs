//! What requests work on: a program's objects by id, and the engine that has their state.

use std::collections::BTreeMap;
use std::sync::Arc;

use engine::{ControlPlane, PortConfig, ReplicationEngine, SharedSwitch};
use pipeline::Pipeline;

use crate::messages::runtime::DigestConfig;
use crate::program::Program;
use crate::status::Result;

/// How enabled digests are sent, by their ids (P4Runtime 1.5, section 9.8).
pub type DigestConfigs = BTreeMap<u32, DigestConfig>;

/// A program that a controller has pushed, with what the engine has no use for.
#[derive(Debug, Clone)]
pub(crate) struct Loaded {
    pub(crate) program: Arc<Program>,
    pub(crate) digests: DigestConfigs,
}

impl Loaded {
    pub(crate) fn new(program: Arc<Program>) -> Loaded {
        Loaded { program, digests: DigestConfigs::new() }
    }
}

/// One instant of a loaded program: no packet is processed while it is there.
#[derive(Debug)]
pub(crate) struct Plane<'a> {
    pub(crate) program: &'a Program,
    pub(crate) digests: &'a mut DigestConfigs,
    pub(crate) engine: ControlPlane<'a>,
}

/// Where the state of a loaded program is.
#[derive(Debug)]
pub(crate) enum Site<'a> {
    /// In the switch, where packets meet it.
    Running(&'a SharedSwitch),
    /// In a pipeline that waits for its commit.
    Saved(&'a mut Prepared),
}

/// A pipeline with the state that it is to start with, and the ports of its switch.
#[derive(Debug)]
pub(crate) struct Prepared {
    pub(crate) pipeline: Pipeline,
    pub(crate) replication: ReplicationEngine,
    pub(crate) ports: Vec<PortConfig>,
    pub(crate) cpu_port: Option<u16>,
}

impl Site<'_> {
    /// Does `work` at one instant. Packets wait for it.
    pub(crate) fn at_once<R>(
        &mut self,
        loaded: &mut Loaded,
        work: impl FnOnce(&mut Plane<'_>) -> R,
    ) -> Result<R> {
        let Loaded { program, digests } = loaded;
        match self {
            Site::Running(shared) => {
                Ok(shared.control_plane(|engine| work(&mut Plane { program, digests, engine }))?)
            }
            Site::Saved(prepared) => Ok(prepared.at_once(program, digests, work)),
        }
    }
}

impl Prepared {
    /// A pipeline for a switch, with the state that it was loaded with.
    pub(crate) fn new(pipeline: Pipeline, shared: &SharedSwitch) -> Prepared {
        let (replication, cpu_port) = (ReplicationEngine::default(), shared.cpu_port());
        let mut prepared = Prepared { pipeline, replication, ports: Vec::new(), cpu_port };
        prepared.catch_up(shared);
        prepared
    }

    /// Takes over time and ports of the switch, which go on while it waits.
    pub(crate) fn catch_up(&mut self, shared: &SharedSwitch) {
        self.pipeline.set_time(shared.now_us());
        self.ports = shared.port_states().into_iter().map(|state| state.config).collect();
    }

    /// Does `work` on the pipeline.
    pub(crate) fn at_once<R>(
        &mut self,
        program: &Program,
        digests: &mut DigestConfigs,
        work: impl FnOnce(&mut Plane<'_>) -> R,
    ) -> R {
        let Prepared { pipeline, replication, ports, cpu_port } = self;
        let engine = ControlPlane::of(pipeline, replication, ports, *cpu_port);
        work(&mut Plane { program, digests, engine })
    }
}
