#pragma once

#include <deque>
#include <memory>

#include "base/histogram.h"
#include "tcp/tcp_connection.h"

namespace p4abs {

// A source that opens many TCP connections, of which it uses finished ones again.
class FlowSet {
  public:
    // Connections are numbered by *next_number, which is counted up.
    FlowSet(const TcpProfile& profile, ns3::Ptr<ns3::Node> node, uint32_t* next_number,
            Random choices, Random jitter);
    virtual ~FlowSet() = default;
    FlowSet(const FlowSet&) = delete;
    FlowSet& operator=(const FlowSet&) = delete;

    const Traffic& traffic() const { return traffic_; }
    uint64_t started() const { return started_; }
    uint64_t completed() const { return completions_.count(); }
    const Histogram& completions() const { return completions_; }
    void restart_record();
    // A paused source starts no connection.
    void set_paused(bool paused);

  protected:
    void open(ns3::Time rtt, uint64_t size_bytes);
    // Called when a connection has ended.
    virtual void closed() {}
    // Called at the end of a pause.
    virtual void resumed() {}
    bool paused() const { return paused_; }

    Random choices_;  // of the source itself, so that the network does not change them

  private:
    TcpConnection* idle_connection();

    Random jitter_;
    TcpProfile profile_;
    ns3::Ptr<ns3::Node> node_;
    uint32_t* next_number_;
    Traffic traffic_;
    bool paused_ = false;
    uint64_t started_ = 0;
    Histogram completions_;
    std::vector<std::unique_ptr<TcpConnection>> connections_;
    std::deque<TcpConnection*> finished_;  // the first has waited longest
};

}  // namespace p4abs
