//! The services as gRPC has them: calls by their names, messages that stay bytes, and errors.

use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::{Buf, BufMut, Bytes};
use futures_util::future::BoxFuture;
use futures_util::stream::{self, BoxStream, Stream, StreamExt};
use futures_util::FutureExt;
use p4runtime::{message, Code, Error};
use prost::Message;
use tonic::body::Body;
use tonic::codec::{Codec, CompressionEncoding, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::server::{Grpc, StreamingService};
use tonic::{Request, Response, Status, Streaming};

use crate::calls::{beside, Calls};
use crate::device::Device;
use crate::panics::failed;
use crate::ports::{self, Struct, Trace};
use crate::streams::{self, is_too_long};

/// The longest message that is taken.
const MAX_BYTES: usize = 64 << 20;

type Answer = BoxStream<'static, Result<Vec<u8>, Status>>;

/// Serves one device.
#[derive(Debug, Clone)]
pub(crate) struct Services {
    pub(crate) calls: Arc<Calls>,
}

impl tower_service::Service<http::Request<Body>> for Services {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let path = request.uri().path().to_owned();
        let call = Call { calls: Arc::clone(&self.calls), path };
        let mut grpc = Grpc::new(BytesCodec)
            .accept_compressed(CompressionEncoding::Gzip)
            .accept_compressed(CompressionEncoding::Deflate)
            .apply_max_message_size_config(Some(MAX_BYTES), None);
        async move { Ok(grpc.streaming(call, request).await) }.boxed()
    }
}

/// A call, by `/SERVICE/METHOD`.
#[derive(Clone)]
struct Call {
    calls: Arc<Calls>,
    path: String,
}

impl StreamingService<Bytes> for Call {
    type Response = Vec<u8>;
    type ResponseStream = Answer;
    type Future = BoxFuture<'static, Result<Response<Answer>, Status>>;

    fn call(&mut self, request: Request<Streaming<Bytes>>) -> Self::Future {
        let call = self.clone();
        let requests = request.into_inner();
        async move {
            let answer = AssertUnwindSafe(call.answer(requests)).catch_unwind();
            let answer = tokio::select! {
                biased;
                answer = answer => answer.unwrap_or_else(|panic| Err(status(failed(&*panic)))),
                error = call.calls.device.failed() => Err(status(error)),
            };
            answer.map(Response::new)
        }
        .boxed()
    }
}

impl Call {
    async fn answer(&self, mut requests: Streaming<Bytes>) -> Result<Answer, Status> {
        let (calls, device) = (&self.calls, &self.calls.device);
        if self.path == "/p4.v1.P4Runtime/StreamChannel" {
            return Ok(answers(streams::channel(device, requests).map_err(status)?));
        }
        let known = Method::named(&self.path)
            .ok_or_else(|| Status::unimplemented(format!("there is no call {}", self.path)))?;
        let request = requests.message().await.map_err(refused_by_grpc)?;
        let request = request.ok_or_else(|| Status::internal("the call has no request"))?;
        match known {
            Method::Write => match calls.write(&request).await.map_err(status)? {
                None => Ok(answer(Vec::new())),
                Some(failed) => Err(batch(failed)),
            },
            Method::Read => {
                let (messages, failed) = calls.read(&request).await.map_err(status)?;
                let failed = failed.map(batch).map(Err);
                Ok(stream::iter(messages.into_iter().map(Ok).chain(failed)).boxed())
            }
            Method::SetConfig => {
                calls.set_config(&request).await.map_err(status)?;
                Ok(answer(Vec::new()))
            }
            Method::GetConfig => device.config(&request).map(answer).map_err(status),
            Method::Capabilities => device.capabilities(&request).map(answer).map_err(status),
            Method::Trace => {
                let wanted = fields(&request).map_err(status)?;
                let trace = Trace::begin(device, &wanted).map_err(status)?;
                Ok(answers(streams::trace(trace)))
            }
            Method::Ports(call) => {
                let (wanted, device) = (fields(&request).map_err(status)?, Arc::clone(device));
                // The kernel takes its time to open and close interfaces.
                let told = beside(move || call(&device, &wanted)).await.map_err(status)?;
                Ok(answer(told.encode_to_vec()))
            }
        }
    }
}

/// The calls that have one request.
#[derive(Clone, Copy)]
enum Method {
    Write,
    Read,
    SetConfig,
    GetConfig,
    Capabilities,
    Trace,
    Ports(fn(&Device, &Struct) -> Result<Struct, Error>),
}

impl Method {
    fn named(path: &str) -> Option<Method> {
        let (service, name) = path.strip_prefix('/')?.split_once('/')?;
        match (service, name) {
            ("p4.v1.P4Runtime", "Write") => Some(Method::Write),
            ("p4.v1.P4Runtime", "Read") => Some(Method::Read),
            ("p4.v1.P4Runtime", "SetForwardingPipelineConfig") => Some(Method::SetConfig),
            ("p4.v1.P4Runtime", "GetForwardingPipelineConfig") => Some(Method::GetConfig),
            ("p4.v1.P4Runtime", "Capabilities") => Some(Method::Capabilities),
            ("p4abs.switch.v1.Ports", "Trace") => Some(Method::Trace),
            ("p4abs.switch.v1.Ports", "ShowPorts") => Some(Method::Ports(ports::show)),
            ("p4abs.switch.v1.Ports", "SetQueueDepth") => {
                Some(Method::Ports(ports::set_queue_depth))
            }
            ("p4abs.switch.v1.Ports", "SetQueueRate") => Some(Method::Ports(ports::set_queue_rate)),
            ("p4abs.switch.v1.Ports", "AddPort") => Some(Method::Ports(ports::add)),
            ("p4abs.switch.v1.Ports", "RemovePort") => Some(Method::Ports(ports::remove)),
            _ => None,
        }
    }
}

fn fields(request: &[u8]) -> Result<Struct, Error> {
    message("google.protobuf.Struct", request)
}

fn answer(message: Vec<u8>) -> Answer {
    stream::once(std::future::ready(Ok(message))).boxed()
}

fn answers(messages: impl Stream<Item = Result<Vec<u8>, Error>> + Send + 'static) -> Answer {
    messages.map(|message| message.map_err(status)).boxed()
}

/// The error of a call as a whole.
fn status(error: Error) -> Status {
    Status::new((error.code as i32).into(), error.message)
}

/// UNKNOWN, and one `p4.v1.Error` for each part of a batch (section 12.3).
fn batch((message, details): (String, Vec<u8>)) -> Status {
    Status::with_details((Code::Unknown as i32).into(), message, details.into())
}

/// What gRPC's other servers answer to a message that is too long.
fn refused_by_grpc(status: Status) -> Status {
    if is_too_long(&status) {
        return Status::resource_exhausted(status.message());
    }
    status
}

/// Messages are decoded elsewhere.
#[derive(Debug, Clone, Copy, Default)]
struct BytesCodec;

impl Codec for BytesCodec {
    type Encode = Vec<u8>;
    type Decode = Bytes;
    type Encoder = BytesCodec;
    type Decoder = BytesCodec;

    fn encoder(&mut self) -> BytesCodec {
        BytesCodec
    }

    fn decoder(&mut self) -> BytesCodec {
        BytesCodec
    }
}

impl Encoder for BytesCodec {
    type Item = Vec<u8>;
    type Error = Status;

    fn encode(&mut self, message: Vec<u8>, to: &mut EncodeBuf<'_>) -> Result<(), Status> {
        to.reserve(message.len());
        to.put_slice(&message);
        Ok(())
    }
}

impl Decoder for BytesCodec {
    type Item = Bytes;
    type Error = Status;

    fn decode(&mut self, from: &mut DecodeBuf<'_>) -> Result<Option<Bytes>, Status> {
        Ok(Some(from.copy_to_bytes(from.remaining())))
    }
}
