#include "flows/flow_set.h"

#include <utility>

namespace p4abs {

FlowSet::FlowSet(const TcpProfile& profile, ns3::Ptr<ns3::Node> node, uint32_t* next_number,
                 Random choices, Random jitter)
    : choices_(choices),
      jitter_(jitter),
      profile_(profile),
      node_(std::move(node)),
      next_number_(next_number) {}

void FlowSet::restart_record() {
    started_ = 0;
    completions_.clear();
}

void FlowSet::set_paused(bool paused) {
    paused_ = paused;
    if (!paused) {
        resumed();
    }
}

void FlowSet::open(ns3::Time rtt, uint64_t size_bytes) {
    ++started_;
    TcpConnection* connection = idle_connection();
    const ns3::Time start = ns3::Simulator::Now();
    connection->start(rtt, size_bytes, [this, connection, start] {
        completions_.add((ns3::Simulator::Now() - start).GetNanoSeconds());
        finished_.push_back(connection);
        closed();
    });
}

TcpConnection* FlowSet::idle_connection() {
    if (!finished_.empty() && finished_.front()->idle()) {
        TcpConnection* connection = finished_.front();
        finished_.pop_front();
        return connection;
    }
    connections_.push_back(std::make_unique<TcpConnection>(profile_, node_, (*next_number_)++,
                                                           &jitter_, &traffic_));
    return connections_.back().get();
}

}  // namespace p4abs
