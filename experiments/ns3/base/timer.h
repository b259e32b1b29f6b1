#pragma once

#include <ns3/event-impl.h>
#include <ns3/nstime.h>
#include <ns3/simulator.h>

namespace p4abs {

// One event of ns-3 that is used again and again, which spares the allocation of a new one each
// time. At most one expiry may be pending; it cannot be cancelled.
template <class Owner, void (Owner::*expired)()>
class Timer {
  public:
    explicit Timer(Owner* owner) : event_(ns3::Create<Event>(owner)) {}

    void start(ns3::Time delay) {
        ns3::Simulator::Schedule(delay, ns3::Ptr<ns3::EventImpl>(event_));
    }

  private:
    class Event : public ns3::EventImpl {
      public:
        explicit Event(Owner* owner) : owner_(owner) {}

      private:
        void Notify() override { (owner_->*expired)(); }

        Owner* owner_;
    };

    ns3::Ptr<Event> event_;
};

}  // namespace p4abs
