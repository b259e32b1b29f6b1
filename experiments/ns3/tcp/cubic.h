#pragma once

#include <ns3/tcp-congestion-ops.h>

#include "tcp/slow_start.h"

namespace p4abs {

// CUBIC (RFC 9438) with fast convergence, and HyStart++ in the first slow start. ns-3.37's has no
// Reno-friendly region and takes what a recovery has acknowledged for newly acknowledged.
class Cubic : public ns3::TcpCongestionOps {
  public:
    static ns3::TypeId GetTypeId();

    std::string GetName() const override { return "Cubic"; }
    uint32_t GetSsThresh(ns3::Ptr<const ns3::TcpSocketState> socket, uint32_t) override;
    void IncreaseWindow(ns3::Ptr<ns3::TcpSocketState> socket, uint32_t segments) override;
    void PktsAcked(ns3::Ptr<ns3::TcpSocketState> socket, uint32_t segments,
                   const ns3::Time& rtt) override;
    void CongestionStateSet(ns3::Ptr<ns3::TcpSocketState> socket,
                            ns3::TcpSocketState::TcpCongState_t state) override;
    ns3::Ptr<ns3::TcpCongestionOps> Fork() override;

  private:
    void start_epoch();
    // Windows of the RFC, in segments; `time_s` since the epoch began.
    double cubic_window(double time_s) const;
    void avoid_congestion(double segments, double rtt_s);

    SlowStart slow_start_;
    bool has_reduced_ = false;  // the first slow start is over
    double window_ = 0.0;       // segments; the socket has whole bytes of it
    uint32_t window_bytes_ = 0;
    double largest_window_ = 0.0;  // W_max
    double prior_window_ = 0.0;    // cwnd_prior: before the last reduction

    bool in_epoch_ = false;  // a stage of congestion avoidance
    ns3::Time epoch_began_;
    double plateau_s_ = 0.0;    // K
    double reno_window_ = 0.0;  // W_est
};

}  // namespace p4abs
