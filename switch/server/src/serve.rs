//! Starts and ends a server, which has a thread of its own.

use std::net::TcpListener;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;
use tokio::time::timeout;
use tonic::transport::server::ServerTlsConfig;
use tonic::transport::{Certificate, Identity, Server as Transport};

use crate::calls::Calls;
use crate::connections::{connections, PATIENCE};
use crate::device::Device;
use crate::grpc::Services;
use crate::parts::{self, Heard};

/// A controller that vanished loses its stream.
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(10);
const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(5);
/// How long ending streams may take.
const FAREWELL: Duration = Duration::from_millis(50);

/// Certificates and keys in PEM.
#[derive(Clone)]
pub struct Tls {
    /// The server's.
    pub chain: Vec<u8>,
    /// Its private key.
    pub key: Vec<u8>,
    /// What clients' certificates must be signed by; none: any client is let in.
    pub roots: Option<Vec<u8>>,
}

/// Is told why a server has died.
pub type OnDeath = Box<dyn Fn(&str) + Send>;

/// A device that is served. Dropping it ends that.
#[derive(Debug)]
pub struct Server {
    device: Arc<Device>,
    running: Mutex<Option<(oneshot::Sender<()>, JoinHandle<()>)>>,
}

impl Server {
    /// Serves at addresses that are listened at. `listener` hears of a program's news, too. `on_death` is
    /// told in one line what has died, and why. The error is one line, too.
    pub fn start(
        device: Arc<Device>,
        listeners: Vec<TcpListener>,
        tls: Option<Tls>,
        listener: Heard,
        on_death: OnDeath,
    ) -> Result<Server, String> {
        let transport = transport(tls)?;
        let runtime = Builder::new_current_thread().enable_io().enable_time().build();
        let runtime = runtime.map_err(|error| format!("cannot serve: {error}"))?;
        let (stop, stopped) = oneshot::channel();
        let served = Arc::clone(&device);
        let serve = move || {
            serve(&runtime, &served, transport, listeners, &listener, stopped, &on_death);
            // What is under way beside it is left to itself.
            runtime.shutdown_background();
        };
        let thread = thread::Builder::new().name("p4abs-server".to_owned()).spawn(serve);
        let thread = thread.map_err(|error| format!("cannot serve: {error}"))?;
        Ok(Server { device, running: Mutex::new(Some((stop, thread))) })
    }

    /// Ends all streams, with UNAVAILABLE and the reason, and the server.
    pub fn stop(&self, reason: &str) {
        self.device.fail(reason);
        let running = self.running.lock().take();
        if let Some((stop, thread)) = running {
            // One that has ended by itself hears nothing.
            let _ = stop.send(());
            let _ = thread.join();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop("the switch has been ended");
    }
}

fn transport(tls: Option<Tls>) -> Result<Transport, String> {
    let transport = Transport::builder()
        .http2_keepalive_interval(Some(KEEPALIVE_INTERVAL))
        .http2_keepalive_timeout(Some(KEEPALIVE_TIMEOUT));
    let Some(Tls { chain, key, roots }) = tls else { return Ok(transport) };
    let config = ServerTlsConfig::new().identity(Identity::from_pem(chain, key)).timeout(PATIENCE);
    let config = match roots {
        Some(roots) => config.client_ca_root(Certificate::from_pem(roots)),
        None => config,
    };
    transport.tls_config(config).map_err(|error| {
        let cause = std::error::Error::source(&error).map(ToString::to_string);
        cause.unwrap_or_else(|| error.to_string())
    })
}

fn serve(
    runtime: &Runtime,
    device: &Arc<Device>,
    transport: Transport,
    listeners: Vec<TcpListener>,
    listener: &Heard,
    stopped: oneshot::Receiver<()>,
    on_death: &OnDeath,
) {
    runtime.block_on(async {
        let connections = match connections(listeners) {
            Ok(connections) => connections,
            Err(error) => {
                return die(device, on_death, &format!("cannot accept connections: {error}"))
            }
        };
        let services = Services { calls: Arc::new(Calls::new(Arc::clone(device))) };
        let (end, ended) = oneshot::channel::<()>();
        let ended = async { drop(ended.await) };
        let transport = transport.serve_with_incoming_shutdown(services, connections, ended);
        let mut transport = std::pin::pin!(transport);
        let parts = async {
            let reason = parts::run(device, listener).await;
            die(device, on_death, &reason);
            std::future::pending::<()>().await;
        };
        tokio::select! {
            _ = &mut transport => die(device, on_death, "the P4Runtime server has ended"),
            () = parts => {}
            _ = stopped => {
                drop(end);
                let _ = timeout(FAREWELL, transport).await;
            }
        }
    });
}

/// Controllers hear why for as long as the server is not stopped.
fn die(device: &Device, on_death: &OnDeath, reason: &str) {
    device.fail(reason);
    on_death(reason);
}
