//! A switch as its controllers see it: the program that runs, and one that waits for its commit
//! (P4Runtime 1.5, sections 7, 14 and 15).

use std::sync::Arc;

use engine::SharedSwitch;
use parking_lot::{Mutex, MutexGuard};
use pipeline::{Control, Digest, Pipeline, TableEntry};
use prost::Message;

use crate::access::Access;
use crate::config::{self, Action, Config};
use crate::entities;
use crate::messages::Packet;
use crate::plane::{DigestConfigs, Loaded, Prepared, Site};
use crate::program::Program;
use crate::request::{PipelineRequest, ReadRequest, WriteRequest};
use crate::requests::batch::Writing;
use crate::requests::read::Reading;
use crate::requests::reconcile;
use crate::status::{Code, Error, Result};
use crate::{packets, program};

/// Parts of a request, in each of which packets wait, after which others may look at the programs
/// and the caller can leave off.
const PARTS: usize = 8;

/// Programs and their state, by P4Runtime's messages.
#[derive(Debug)]
pub struct P4Runtime {
    shared: Arc<SharedSwitch>,
    /// Held by who changes the program, from compiling it to letting it run.
    changing: Mutex<()>,
    /// Never held for long.
    programs: Mutex<Programs>,
}

#[derive(Debug, Default)]
struct Programs {
    running: Option<Running>,
    saved: Option<Saved>,
    /// The running program, as BMv2 would have it; none: empty.
    json: Arc<[u8]>,
    /// How often there was another one, or the same again.
    loads: u64,
}

#[derive(Debug, Clone)]
struct Running {
    config: Config,
    loaded: Loaded,
}

/// A config that waits for COMMIT, and takes writes meanwhile.
#[derive(Debug)]
struct Saved {
    config: Config,
    loaded: Loaded,
    prepared: Prepared,
}

impl Programs {
    /// What writes and reads refer to: the saved config if there is one, else the running one.
    /// Refuses a request that another program was loaded under, past P4Runtime.
    fn current<'s>(
        &'s mut self,
        shared: &'s SharedSwitch,
        loads: u64,
    ) -> Result<(Site<'s>, &'s mut Loaded)> {
        if self.loads != loads {
            return Err(refusal!(Aborted, "another program was loaded meanwhile"));
        }
        match (&mut self.saved, &mut self.running) {
            (Some(saved), _) => {
                saved.prepared.catch_up(shared);
                Ok((Site::Saved(&mut saved.prepared), &mut saved.loaded))
            }
            (None, Some(running)) => Ok((Site::Running(shared), &mut running.loaded)),
            (None, None) => {
                Err(refusal!(FailedPrecondition, "no forwarding pipeline config has been set yet"))
            }
        }
    }

    fn running(&self) -> Result<&Running> {
        self.running.as_ref().ok_or_else(|| {
            refusal!(FailedPrecondition, "no forwarding pipeline config has been committed yet")
        })
    }

    fn started(&mut self, json: Arc<[u8]>, running: Option<Running>) {
        self.running = running;
        self.saved = None;
        self.json = json;
        self.loads += 1;
    }
}

impl P4Runtime {
    /// A switch without a config.
    pub fn new(shared: Arc<SharedSwitch>) -> P4Runtime {
        P4Runtime { shared, changing: Mutex::default(), programs: Mutex::default() }
    }

    /// Begins to apply a batch (section 12): all of it, unless it is long.
    pub fn write(&self, request: WriteRequest, access: Access) -> Result<Writing> {
        let loads = self.begin()?;
        let mut writing = Writing::new(request.updates, request.atomicity, access, loads)?;
        self.write_on(&mut writing)?;
        Ok(writing)
    }

    /// Applies more of a Write. Nothing else must be written or read before it is complete.
    pub fn write_on(&self, writing: &mut Writing) -> Result {
        for _ in 0..PARTS {
            if writing.is_complete() {
                break;
            }
            let mut programs = self.programs.lock();
            let (mut site, loaded) = programs.current(&self.shared, writing.loads)?;
            writing.go_on(&mut site, loaded)?;
            MutexGuard::unlock_fair(programs);
        }
        Ok(())
    }

    /// Begins to read (section 13): all of it, unless it is long. `access`: of the role that is told no
    /// more than it may see.
    pub fn read(&self, request: ReadRequest, access: Option<Access>) -> Result<Reading> {
        let loads = self.begin()?;
        let mut reading = Reading::new(request.entities, access, loads);
        self.fetch(&mut reading)?;
        Ok(reading)
    }

    /// Fetches more of a Read, and tells what has been fetched: messages, as bytes, if there are any
    /// yet. They are of one state, but for what packets change, if nothing is written until the Read
    /// is complete.
    pub fn read_on(&self, reading: &mut Reading) -> Result<Vec<Vec<u8>>> {
        self.fetch(reading)?;
        Ok(if reading.has_message() { reading.take_messages() } else { Vec::new() })
    }

    /// How often there was another program, for a request that begins. Refuses one before the first.
    fn begin(&self) -> Result<u64> {
        let mut programs = self.programs.lock();
        let loads = programs.loads;
        programs.current(&self.shared, loads).map(|_| loads)
    }

    fn fetch(&self, reading: &mut Reading) -> Result {
        for _ in 0..PARTS {
            if reading.has_message() {
                break;
            }
            let mut programs = self.programs.lock();
            let (mut site, loaded) = programs.current(&self.shared, reading.loads)?;
            reading.go_on(&mut site, loaded)?;
            MutexGuard::unlock_fair(programs);
        }
        Ok(())
    }

    /// Verifies, saves or commits a config (section 14). If it is refused, nothing has changed.
    pub fn set_config(&self, PipelineRequest { action, config, .. }: PipelineRequest) -> Result {
        let _changing = self.changing.lock();
        let given = || match &config {
            Some(config) => Config::decoded(config),
            None => Err(invalid!("no config is given")),
        };
        match Action::of(action)? {
            Action::Verify => given()?.verified().map(drop),
            Action::VerifyAndSave => {
                let saved = self.saved(given()?)?;
                self.programs.lock().saved = Some(saved);
                Ok(())
            }
            Action::VerifyAndCommit => self.verify_and_commit(given()?),
            Action::Commit if config.is_some() => {
                Err(invalid!("COMMIT takes no config; it commits the saved one"))
            }
            Action::Commit => {
                let missing = "no config has been saved with VERIFY_AND_SAVE";
                let saved = self.programs.lock().saved.take();
                self.adopt(saved.ok_or_else(|| Error::new(Code::NotFound, missing))?, |_, _| {})
            }
            Action::ReconcileAndCommit => self.reconcile(given()?),
        }
    }

    /// Replaces program and state by those of a `p4.v1.ForwardingPipelineConfig`.
    pub fn commit(&self, config: &[u8]) -> Result {
        let _changing = self.changing.lock();
        self.verify_and_commit(Config::decoded(config)?)
    }

    /// Replaces program and state by those of BMv2 JSON that came without a P4Info. `p4info` is what
    /// can be told of it; where that is of no use, P4Runtime has no config, and the reason is told.
    pub fn run_without_p4info(&self, json: &[u8], p4info: Option<&[u8]>) -> Result<Option<Error>> {
        let _changing = self.changing.lock();
        self.run_json(json, p4info)
    }

    fn run_json(&self, json: &[u8], p4info: Option<&[u8]>) -> Result<Option<Error>> {
        let mut pipeline = Pipeline::load(json)?;
        let compiled = program::Compiled::of(&pipeline.control());
        self.shared.replace(pipeline)?;
        let indexed = p4info.map(|p4info| {
            let config = Config::of(p4info, json);
            Ok(Running { loaded: Loaded::new(config.index(&compiled)?), config })
        });
        let (running, reason) = match indexed {
            Some(Ok(running)) => (Some(running), None),
            Some(Err(reason)) => (None, Some(reason)),
            None => (None, None),
        };
        self.programs.lock().started(json.into(), running);
        Ok(reason)
    }

    /// Runs the running program, if any, with the state that it starts with.
    pub fn start_again(&self) -> Result {
        let _changing = self.changing.lock();
        let (config, json) = {
            let programs = self.programs.lock();
            let config = programs.running.as_ref().map(|running| running.config.clone());
            (config, Arc::clone(&programs.json))
        };
        match config {
            Some(config) => self.verify_and_commit(config),
            None if json.is_empty() => Ok(()),
            None => self.run_json(&json, None).map(drop),
        }
    }

    /// The latest config, saved or running, in the parts that a `ResponseType` asks for: a
    /// `p4.v1.GetForwardingPipelineConfigResponse`. Its config is unset before the first.
    pub fn config(&self, response_type: i32) -> Result<Vec<u8>> {
        let programs = self.programs.lock();
        let saved = programs.saved.as_ref().map(|saved| &saved.config);
        let running = programs.running.as_ref().map(|running| &running.config);
        config::response(saved.or(running), response_type)
    }

    /// The running program, as BMv2 would have it; none: empty.
    pub fn json(&self) -> Arc<[u8]> {
        Arc::clone(&self.programs.lock().json)
    }

    /// How often there was another program, or the same again.
    pub fn loads(&self) -> u64 {
        self.programs.lock().loads
    }

    /// Whether a program runs that controllers know.
    pub fn is_running(&self) -> bool {
        self.programs.lock().running.is_some()
    }

    /// What the user should know of the running program, in lines.
    pub fn remarks(&self) -> Vec<String> {
        let programs = self.programs.lock();
        let Some(Running { config, loaded }) = &programs.running else { return Vec::new() };
        let nameless = config.is_nameless().then(|| {
            "a program without P4Info was pushed: controllers can name none of its tables, counters or \
             registers"
                .to_owned()
        });
        nameless.into_iter().chain(loaded.program.remarks.iter().cloned()).collect()
    }

    /// Runs the frame of a `p4.v1.PacketOut` through the program, as received on the CPU port. Refuses
    /// one for a port that the switch does not have.
    pub fn packet_out(&self, packet: &[u8]) -> Result {
        let program = self.running_program()?;
        let frame = packets::frame(&program, packet)?;
        if let Some(port) = packets::egress_port(&program, &frame) {
            self.shared.check_port(port)?;
        }
        Ok(self.shared.packet_out(&frame)?)
    }

    /// The packet-in of a frame from the CPU port.
    pub fn packet_in(&self, frame: &[u8]) -> Result<Packet> {
        packets::packet_in(&*self.running_program()?, frame)
    }

    /// The id of a digest of the running program, and the `p4.v1.P4Data` of what it has brought, if
    /// it is enabled.
    pub fn digest(&self, digest: &Digest) -> Option<(u32, Vec<u8>)> {
        let programs = self.programs.lock();
        let loaded = &programs.running.as_ref()?.loaded;
        let (id, data) = loaded.program.digest_data(&digest.name, &digest.fields)?;
        loaded.digests.contains_key(&id).then_some((id, data))
    }

    /// How the enabled digests of the running program are sent.
    pub fn digest_configs(&self) -> DigestConfigs {
        let programs = self.programs.lock();
        let running = programs.running.as_ref();
        running.map_or_else(DigestConfigs::new, |running| running.loaded.digests.clone())
    }

    /// Refuses an id that no digest of the running program has.
    pub fn check_digest(&self, id: u32) -> Result {
        self.running_program()?.digests.find(id).map(drop)
    }

    /// The table's id and the `p4.v1.TableEntry` of an entry of the running program, if controllers
    /// know its table.
    pub fn table_entry(&self, table: &str, entry: &TableEntry) -> Option<(u32, Vec<u8>)> {
        let message = entities::told_entry(&*self.running_program().ok()?, table, entry)?;
        Some((message.table_id, message.encode_to_vec()))
    }

    fn running_program(&self) -> Result<Arc<Program>> {
        Ok(Arc::clone(&self.programs.lock().running()?.loaded.program))
    }

    fn verify_and_commit(&self, config: Config) -> Result {
        let (pipeline, program) = config.verified()?;
        self.shared.replace(pipeline)?;
        let running = Running { loaded: Loaded::new(program), config };
        let json = running.config.json().into();
        self.programs.lock().started(json, Some(running));
        Ok(())
    }

    /// A program just loaded, for a later commit.
    fn saved(&self, config: Config) -> Result<Saved> {
        let (pipeline, program) = config.verified()?;
        let prepared = Prepared::new(pipeline, &self.shared);
        Ok(Saved { config, loaded: Loaded::new(program), prepared })
    }

    fn reconcile(&self, config: Config) -> Result {
        let mut new = self.saved(config)?;
        let running = self.programs.lock().running.clone();
        if let Some(mut running) = running {
            let mut pristine = self.saved(running.config.clone())?;
            let mut site = Site::Saved(&mut pristine.prepared);
            let before = reconcile::state(&mut site, &mut pristine.loaded)?;
            let now = reconcile::state(&mut Site::Running(&self.shared), &mut running.loaded)?;
            reconcile::carry_over(&before, now, &mut new.prepared, &mut new.loaded)?;
        }
        self.adopt(new, |new, old| new.take_over(old))
    }

    /// Lets a prepared program run. `complete` it from the old one at the instant of the change.
    fn adopt(&self, saved: Saved, complete: impl FnOnce(&mut Control<'_>, &Control<'_>)) -> Result {
        let Saved { config, loaded, prepared } = saved;
        self.shared.commit(prepared.pipeline, prepared.replication, |pipeline, old| {
            if let Some(old) = old {
                complete(&mut pipeline.control(), &old.control);
            }
        })?;
        let json = config.json().into();
        self.programs.lock().started(json, Some(Running { config, loaded }));
        Ok(())
    }
}
