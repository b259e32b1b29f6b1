//! All that controllers read and write of a program, at one instant.

use pipeline::{Control, Pipeline};

use super::error::{Result, SwitchError};
use crate::config::PortConfig;
use crate::replication::ReplicationEngine;

/// A program's objects, multicast groups and clone sessions, and the ports that these may name.
#[derive(Debug)]
pub struct ControlPlane<'a> {
    /// Tables, registers and what else the program declares.
    pub control: Control<'a>,
    /// Multicast groups and clone sessions.
    pub replication: &'a mut ReplicationEngine,
    /// The switch's ports without the CPU port.
    pub ports: &'a [PortConfig],
    /// The port by which packets go to and come from controllers.
    pub cpu_port: Option<u16>,
}

impl<'a> ControlPlane<'a> {
    /// That of a program which is not in a switch yet.
    pub fn of(
        pipeline: &'a mut Pipeline,
        replication: &'a mut ReplicationEngine,
        ports: &'a [PortConfig],
        cpu_port: Option<u16>,
    ) -> ControlPlane<'a> {
        ControlPlane { control: pipeline.control(), replication, ports, cpu_port }
    }

    /// Refuses a port that the switch does not have.
    pub fn check_port(&self, port: u16) -> Result {
        let mut numbers = self.ports.iter().map(|config| config.port);
        match self.cpu_port == Some(port) || numbers.any(|number| number == port) {
            true => Ok(()),
            false => {
                let valid = self.ports.iter().map(|config| config.port).collect();
                Err(SwitchError::UnknownPort { port, valid })
            }
        }
    }
}
