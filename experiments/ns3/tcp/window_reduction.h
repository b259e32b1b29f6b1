#pragma once

#include <ns3/tcp-recovery-ops.h>

namespace p4abs {

// Proportional rate reduction with the slow-start bound (RFC 6937): brings the window down to the
// threshold within a round-trip time. ns-3.37's multiplies two counts of bytes in 32 bits, which
// overflows at windows of 64 kB, and then sends next to nothing for a round-trip time.
class WindowReduction : public ns3::TcpRecoveryOps {
  public:
    static ns3::TypeId GetTypeId();

    std::string GetName() const override { return "WindowReduction"; }
    void EnterRecovery(ns3::Ptr<ns3::TcpSocketState> socket, uint32_t duplicates,
                       uint32_t outstanding_bytes, uint32_t delivered_bytes) override;
    void DoRecovery(ns3::Ptr<ns3::TcpSocketState> socket, uint32_t delivered_bytes) override;
    void ExitRecovery(ns3::Ptr<ns3::TcpSocketState> socket) override;
    void UpdateBytesSent(uint32_t bytes) override { sent_bytes_ += bytes; }
    ns3::Ptr<ns3::TcpRecoveryOps> Fork() override;

  private:
    // All since recovery began.
    int64_t delivered_bytes_ = 0;
    int64_t sent_bytes_ = 0;
    int64_t outstanding_bytes_ = 0;  // when it began
};

}  // namespace p4abs
