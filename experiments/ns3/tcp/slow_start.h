#pragma once

#include <ns3/nstime.h>
#include <ns3/sequence-number.h>
#include <ns3/tcp-socket-state.h>

#include <cstdint>

namespace p4abs {

// HyStart++ (RFC 9406): slow start that ends when the round-trip time of a round has grown, and
// not only by losses.
class SlowStart {
  public:
    // Of a round-trip time sample.
    void sample(const ns3::Time& rtt);
    // New window in bytes after an acknowledgement; lowers the threshold to it once the path is
    // full.
    uint32_t increase(const ns3::Ptr<ns3::TcpSocketState>& socket, uint32_t segments);

  private:
    void end_round(const ns3::Ptr<ns3::TcpSocketState>& socket);
    bool has_grown() const;

    ns3::SequenceNumber32 round_end_{0};
    ns3::Time former_least_rtt_ = ns3::Time::Max();  // of the round before
    ns3::Time least_rtt_ = ns3::Time::Max();         // of this round
    uint32_t samples_ = 0;                           // in this round
    bool conservative_ = false;
    ns3::Time baseline_rtt_ = ns3::Time::Max();  // least of the round that made it conservative
    uint32_t conservative_rounds_ = 0;
};

}  // namespace p4abs
