#pragma once

#include <ns3/queue-disc.h>

#include "switch.h"

namespace p4abs::tofino {

// A queue disc of ns-3 that holds what a Tofino's virtual queue admits, first in, first out. Its
// attribute Switch is the number of the switch; MaxSize shows the limit that the program has.
class QueueDisc : public ns3::QueueDisc {
  public:
    static ns3::TypeId GetTypeId();
    QueueDisc();

  private:
    bool DoEnqueue(ns3::Ptr<ns3::QueueDiscItem> item) override;
    ns3::Ptr<ns3::QueueDiscItem> DoDequeue() override;
    bool CheckConfig() override;
    void InitializeParams() override {}
    void control();

    uint64_t number_ = 0;
    Switch* switch_ = nullptr;
};

}  // namespace p4abs::tofino
