#pragma once

#include "flows/flow.h"
#include "tcp/tcp_connection.h"

namespace p4abs {

// One TCP connection from a fixed time on.
class TcpFlow : public Flow {
  public:
    struct Schedule {
        ns3::Time rtt;
        ns3::Time start;
        ns3::Time stop;       // Time::Max(): never
        uint64_t size_bytes;  // 0: without end
    };

    TcpFlow(const TcpProfile& profile, const Schedule& schedule, ns3::Ptr<ns3::Node> node,
            uint32_t number, Random random);

    std::optional<double> completion_s() const override { return completion_s_; }
    uint32_t congestion_window_bytes() const override;
    void set_paused(bool paused) override { connection_.set_paused(paused); }

  private:
    void start();
    void completed();

    Schedule schedule_;
    Random random_;
    TcpConnection connection_;
    std::optional<double> completion_s_;
};

}  // namespace p4abs
