#include "tcp/tcp_settings.h"

#include <ns3/boolean.h>
#include <ns3/config.h>
#include <ns3/enum.h>
#include <ns3/nstime.h>
#include <ns3/tcp-westwood.h>
#include <ns3/uinteger.h>

namespace p4abs {

void apply_tcp_settings(uint32_t delayed_ack_segments) {
    const auto set = [](const char* attribute, const ns3::AttributeValue& value) {
        ns3::Config::SetDefault(attribute, value);
    };
    set("ns3::TcpSocket::DelAckCount", ns3::UintegerValue(delayed_ack_segments));
    set("ns3::TcpSocketBase::Sack", ns3::BooleanValue(true));
    // ns-3 takes the same samples of the round-trip time with timestamps as without, but rounded
    // to milliseconds. TcpConnection switches them on where the congestion control needs them.
    set("ns3::TcpSocketBase::Timestamp", ns3::BooleanValue(false));
    // As Linux: the round-trip time and at least 200 ms, which ns-3 calls the granularity of its
    // clock. With less, a queue that is full and steady ends recoveries by spurious timeouts.
    set("ns3::TcpSocketBase::ClockGranularity", ns3::TimeValue(ns3::MilliSeconds(200)));
    set("ns3::TcpSocketBase::MinRto", ns3::TimeValue(ns3::MilliSeconds(200)));
    set("ns3::TcpSocket::ConnTimeout", ns3::TimeValue(ns3::Seconds(1.0)));
    // A source gives up only at its own end.
    set("ns3::TcpSocket::ConnCount", ns3::UintegerValue(20));
    set("ns3::TcpSocket::DataRetries", ns3::UintegerValue(1'000'000));
    // The send buffer holds virtual bytes; it must never be what limits a sender.
    set("ns3::TcpSocket::SndBufSize", ns3::UintegerValue(1U << 31));
    set("ns3::TcpWestwood::ProtocolType", ns3::EnumValue(ns3::TcpWestwood::WESTWOODPLUS));
}

}  // namespace p4abs
