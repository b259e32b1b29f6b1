#pragma once

#include "flows/flow_set.h"

namespace p4abs {

// TCP connections that arrive as a Poisson process.
class PoissonFlows : public FlowSet {
  public:
    struct Arrivals {
        double least_rtt_s, most_rtt_s;  // uniform
        double start_s;
        double stop_s;  // may be infinite
        double flows_per_s;
        double size_bytes;    // of each, or the mean
        double pareto_shape;  // 0: all sizes equal
    };

    PoissonFlows(const TcpProfile& profile, const Arrivals& arrivals, ns3::Ptr<ns3::Node> node,
                 uint32_t* next_number, Random choices, Random jitter);

  private:
    ns3::Time gap();
    void arrive();

    Arrivals arrivals_;
    Timer<PoissonFlows, &PoissonFlows::arrive> timer_;
};

}  // namespace p4abs
