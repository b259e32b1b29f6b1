#pragma once

#include <ns3/data-rate.h>
#include <ns3/event-id.h>
#include <ns3/nstime.h>
#include <ns3/queue-disc.h>
#include <ns3/random-variable-stream.h>

namespace p4abs {

// Random Exponential Marking (Athuraliya, Low, Li and Yin, REM: active queue management, IEEE
// Network 15(3), 2001). Every UpdateInterval a price follows the queue and the arrivals:
//
//     price = max(0, price + Gamma (Alpha (queue - Target) + arrived - carried))
//
// in packets of MeanPktSize bytes; carried is what LinkBandwidth carries in the interval. An
// arriving packet is marked, or dropped where it cannot be, with probability 1 - Phi^-price.
// The defaults are those of ns-2's REM, which can average the arrivals as well; this one does not.
class RemQueueDisc : public ns3::QueueDisc {
  public:
    static ns3::TypeId GetTypeId();

    RemQueueDisc();

    // One stream.
    void AssignStreams(int64_t stream);

  protected:
    void DoDispose() override;

  private:
    bool DoEnqueue(ns3::Ptr<ns3::QueueDiscItem> item) override;
    ns3::Ptr<ns3::QueueDiscItem> DoDequeue() override;
    bool CheckConfig() override;
    void InitializeParams() override;

    bool is_signalled();
    void update_price();

    ns3::DataRate bandwidth_;
    ns3::Time update_interval_;
    double target_packets_ = 0;
    double packet_bytes_ = 0;
    double alpha_ = 0;
    double gamma_ = 0;
    double phi_ = 0;
    bool use_ecn_ = false;

    ns3::Ptr<ns3::UniformRandomVariable> random_;
    ns3::EventId next_update_;
    double arrived_bytes_ = 0;
    double price_ = 0;
};

}  // namespace p4abs
