#include "flows/poisson_flows.h"

#include <algorithm>
#include <utility>

namespace p4abs {

PoissonFlows::PoissonFlows(const TcpProfile& profile, const Arrivals& arrivals,
                           ns3::Ptr<ns3::Node> node, uint32_t* next_number, Random choices, Random jitter)
    : FlowSet(profile, std::move(node), next_number, choices, jitter), arrivals_(arrivals), timer_(this) {
    timer_.start(ns3::Seconds(arrivals_.start_s) + gap());
}

ns3::Time PoissonFlows::gap() {
    return ns3::Seconds(choices_.exponential(1.0 / arrivals_.flows_per_s));
}

void PoissonFlows::arrive() {
    if (ns3::Simulator::Now().GetSeconds() >= arrivals_.stop_s) {
        return;
    }
    const double rtt_s = choices_.uniform(arrivals_.least_rtt_s, arrivals_.most_rtt_s);
    const double bytes = arrivals_.pareto_shape > 0.0
                             ? choices_.pareto(arrivals_.size_bytes, arrivals_.pareto_shape)
                             : arrivals_.size_bytes;
    if (!paused()) {
        open(ns3::Seconds(rtt_s), static_cast<uint64_t>(std::max(1.0, bytes)));
    }
    timer_.start(gap());
}

}  // namespace p4abs
