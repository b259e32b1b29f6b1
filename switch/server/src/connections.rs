//! Who connects.

use std::io;
use std::net::{SocketAddr, TcpListener as StdListener, ToSocketAddrs};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::stream::{self, BoxStream, StreamExt};
use futures_util::Future;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, Sleep};
use tonic::transport::server::Connected;

/// What a client sends first, with or without TLS.
const FIRST_BYTES: usize = 24;
/// What a client gets for it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);
/// Where there are no more descriptors, some time goes by until there are.
const UNTIL_THE_NEXT_TRY: Duration = Duration::from_millis(100);

/// Listens at all addresses that a host has; port 0 takes any free one. Addresses that this machine does
/// not have are left out if it has another.
pub fn listen(host: &str, port: u16) -> io::Result<(Vec<StdListener>, u16)> {
    let mut listening = (Vec::new(), port);
    let mut missing = io::Error::from(io::ErrorKind::AddrNotAvailable);
    for address in (host, port).to_socket_addrs()? {
        match StdListener::bind(SocketAddr::new(address.ip(), listening.1)) {
            Ok(listener) => {
                listening.1 = listener.local_addr()?.port();
                listening.0.push(listener);
            }
            Err(error) if error.kind() == io::ErrorKind::AddrNotAvailable => missing = error,
            Err(error) => return Err(error),
        }
    }
    if listening.0.is_empty() {
        return Err(missing);
    }
    Ok(listening)
}

/// The connections that are made at some addresses.
pub(crate) fn connections(
    listeners: Vec<StdListener>,
) -> io::Result<BoxStream<'static, io::Result<Connection>>> {
    let accepted = |listener: StdListener| {
        listener.set_nonblocking(true)?;
        Ok(stream::unfold(TcpListener::from_std(listener)?, accept).boxed())
    };
    let accepted = listeners.into_iter().map(accepted).collect::<io::Result<Vec<_>>>()?;
    Ok(stream::select_all(accepted).boxed())
}

async fn accept(listener: TcpListener) -> Option<(io::Result<Connection>, TcpListener)> {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                // Where it cannot be set, answers come later.
                let _ = stream.set_nodelay(true);
                return Some((Ok(Connection::new(stream)), listener));
            }
            Err(_) => sleep(UNTIL_THE_NEXT_TRY).await,
        }
    }
}

/// A connection that fails if its client says nothing at first. Later, gRPC asks whether it is there.
pub(crate) struct Connection {
    stream: TcpStream,
    /// Until the first bytes are there: how many, and how long that may take.
    wanted: Option<(usize, Pin<Box<Sleep>>)>,
}

impl Connection {
    fn new(stream: TcpStream) -> Connection {
        Connection { stream, wanted: Some((FIRST_BYTES, Box::pin(sleep(PATIENCE)))) }
    }
}

impl Connected for Connection {
    type ConnectInfo = ();

    fn connect_info(&self) {}
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, buffer);
        if let Some((wanted, patience)) = &mut self.wanted {
            *wanted = wanted.saturating_sub(buffer.filled().len() - before);
            if *wanted == 0 {
                self.wanted = None;
            } else if read.is_pending() && patience.as_mut().poll(context).is_ready() {
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
        }
        read
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
