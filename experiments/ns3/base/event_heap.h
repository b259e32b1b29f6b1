#pragma once

#include <ns3/scheduler.h>

#include <vector>

namespace p4abs {

// ns-3's queue of events as a heap with four children to a node, which is about twice as fast as
// the schedulers of ns-3 with the few hundred events that wait here. The earliest event may stand
// beside the heap: what is to happen at once never enters it.
class EventHeap : public ns3::Scheduler {
  public:
    static ns3::TypeId GetTypeId();

    void Insert(const Event& event) override;
    bool IsEmpty() const override;
    Event PeekNext() const override;
    Event RemoveNext() override;
    void Remove(const Event& event) override;

  private:
    void push(const Event& event);
    Event pop();
    // Puts the event into the hole or further down; everything below the hole is a heap.
    void sift_down(size_t hole, const Event& event);
    // Puts the event into the hole or further up.
    void sift_up(size_t hole, const Event& event);

    bool has_first_ = false;
    Event first_{};  // if any, earlier than all of heap_
    std::vector<Event> heap_;
};

}  // namespace p4abs
