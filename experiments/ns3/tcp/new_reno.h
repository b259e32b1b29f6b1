#pragma once

#include <ns3/tcp-congestion-ops.h>

namespace p4abs {

// Reno (RFC 5681). ns-3.37's adds whole bytes per acknowledgement, at windows of hundreds of
// segments half or twice of what is due, and halves what is in flight instead of what is
// outstanding, some segments less.
class NewReno : public ns3::TcpNewReno {
  public:
    static ns3::TypeId GetTypeId();

    std::string GetName() const override { return "NewReno"; }
    uint32_t GetSsThresh(ns3::Ptr<const ns3::TcpSocketState> socket, uint32_t) override;
    ns3::Ptr<ns3::TcpCongestionOps> Fork() override;

  protected:
    void CongestionAvoidance(ns3::Ptr<ns3::TcpSocketState> socket, uint32_t segments) override;

  private:
    double fraction_bytes_ = 0.0;  // of the window, below a byte
};

}  // namespace p4abs
