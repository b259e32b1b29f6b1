#pragma once

#include "flows/flow.h"
#include "network/path.h"

namespace p4abs {

// UDP packets at a constant rate, all the time or in exponential phases.
class CbrFlow : public Flow {
  public:
    struct Schedule {
        ns3::Time start;
        ns3::Time stop;  // Time::Max(): never
        ns3::Time interval;  // between packets
        double on_s;     // mean length of a phase of sending; infinite: one phase without end
        double off_s;    // mean length of a phase of silence
    };

    CbrFlow(std::vector<Port*> ports, ns3::Time delay, ns3::Time jitter, uint32_t packet_bytes,
            const Schedule& schedule, uint32_t number, Random random);

    void set_paused(bool paused) override { paused_ = paused; }

  private:
    void start_phase();
    void send();
    void received(ns3::Ptr<ns3::Packet> packet);

    Schedule schedule_;
    Random random_;
    Path path_;
    ns3::Ptr<ns3::Packet> packet_;
    ns3::Time phase_end_;
    bool paused_ = false;
    Timer<CbrFlow, &CbrFlow::start_phase> phase_timer_;
    Timer<CbrFlow, &CbrFlow::send> send_timer_;
};

}  // namespace p4abs
