#pragma once

#include <ns3/queue-disc.h>

#include <map>
#include <string>

#include "network/port.h"

namespace p4abs {

// A queue disc of ns-3 as the buffer.
class QueueDiscPort : public Port {
  public:
    // `type_id` without "ns3::". `random_stream` is the first of the streams that the disc may
    // use. UserError: no such queue disc, no such attribute or no such value.
    QueueDiscPort(std::string name, uint64_t rate_bps, const std::string& type_id,
                  const std::map<std::string, std::string>& attributes, int64_t random_stream);
    ~QueueDiscPort() override;

    Snapshot snapshot() override;
    // UserError: the disc's attributes set its limit, once.
    void set_limit_bytes(uint64_t limit) override;
    // UserError: the disc's attributes say whether it marks.
    void set_ecn_marking(bool marking) override;

    std::optional<Transit> dequeue() override;

  protected:
    bool enqueue(Transit transit) override;

  private:
    void dropped_on_arrival(ns3::Ptr<const ns3::QueueDiscItem> item, const char* reason);
    void dropped_from_queue(ns3::Ptr<const ns3::QueueDiscItem> item, const char* reason);

    ns3::Ptr<ns3::QueueDisc> disc_;
    uint64_t admitted_bytes_ = 0;
    uint64_t dropped_bytes_ = 0;
    uint64_t departed_bytes_ = 0;
};

}  // namespace p4abs
