#include "base/event_heap.h"

#include <algorithm>

namespace p4abs {

namespace {

constexpr size_t CHILDREN = 4;

}  // namespace

NS_OBJECT_ENSURE_REGISTERED(EventHeap);

ns3::TypeId EventHeap::GetTypeId() {
    static ns3::TypeId type = ns3::TypeId("p4abs::EventHeap")
                                  .SetParent<ns3::Scheduler>()
                                  .AddConstructor<EventHeap>();
    return type;
}

void EventHeap::Insert(const Event& event) {
    if (has_first_) {
        if (event.key < first_.key) {
            push(first_);
            first_ = event;
        } else {
            push(event);
        }
    } else if (heap_.empty() || event.key < heap_.front().key) {
        first_ = event;
        has_first_ = true;
    } else {
        push(event);
    }
}

bool EventHeap::IsEmpty() const {
    return !has_first_ && heap_.empty();
}

ns3::Scheduler::Event EventHeap::PeekNext() const {
    return has_first_ ? first_ : heap_.front();
}

ns3::Scheduler::Event EventHeap::RemoveNext() {
    if (has_first_) {
        has_first_ = false;
        return first_;
    }
    return pop();
}

void EventHeap::Remove(const Event& event) {
    if (has_first_ && first_.key.m_uid == event.key.m_uid) {
        has_first_ = false;
        return;
    }
    const auto found = std::find_if(heap_.begin(), heap_.end(), [&event](const Event& candidate) {
        return candidate.key.m_uid == event.key.m_uid;
    });
    const Event last = heap_.back();
    const auto hole = static_cast<size_t>(found - heap_.begin());
    heap_.pop_back();
    if (hole < heap_.size()) {
        sift_down(hole, last);
        const Event moved = heap_[hole];
        sift_up(hole, moved);
    }
}

void EventHeap::push(const Event& event) {
    heap_.emplace_back();
    sift_up(heap_.size() - 1, event);
}

ns3::Scheduler::Event EventHeap::pop() {
    const Event earliest = heap_.front();
    const Event last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) {
        sift_down(0, last);
    }
    return earliest;
}

void EventHeap::sift_down(size_t hole, const Event& event) {
    const size_t size = heap_.size();
    for (;;) {
        const size_t begin = CHILDREN * hole + 1;
        if (begin >= size) {
            break;
        }
        const size_t end = std::min(begin + CHILDREN, size);
        size_t earliest = begin;
        for (size_t child = begin + 1; child < end; ++child) {
            if (heap_[child].key < heap_[earliest].key) {
                earliest = child;
            }
        }
        if (event.key < heap_[earliest].key) {
            break;
        }
        heap_[hole] = heap_[earliest];
        hole = earliest;
    }
    heap_[hole] = event;
}

void EventHeap::sift_up(size_t hole, const Event& event) {
    while (hole > 0) {
        const size_t parent = (hole - 1) / CHILDREN;
        if (!(event.key < heap_[parent].key)) {
            break;
        }
        heap_[hole] = heap_[parent];
        hole = parent;
    }
    heap_[hole] = event;
}

}  // namespace p4abs
