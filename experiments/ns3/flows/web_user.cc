#include "flows/web_user.h"

#include <algorithm>
#include <utility>

namespace p4abs {

WebUser::WebUser(const TcpProfile& profile, const Behaviour& behaviour, ns3::Ptr<ns3::Node> node,
                 uint32_t* next_number, Random choices, Random jitter)
    : FlowSet(profile, std::move(node), next_number, choices, jitter),
      behaviour_(behaviour),
      pages_left_(choices_.integer(behaviour.least_pages, behaviour.most_pages)),
      page_timer_(this),
      object_timer_(this) {
    page_timer_.start(ns3::Seconds(behaviour_.start_s));
}

void WebUser::fetch_page() {
    page_waits_ = paused();
    if (page_waits_) {
        return;
    }
    --pages_left_;
    objects_left_ = choices_.integer(behaviour_.least_objects, behaviour_.most_objects);
    fetch_object();
}

void WebUser::fetch_object() {
    object_waits_ = paused();
    if (object_waits_) {
        return;
    }
    --objects_left_;
    const double bytes = choices_.pareto(behaviour_.object_bytes, behaviour_.pareto_shape);
    open(ns3::Seconds(behaviour_.rtt_s), static_cast<uint64_t>(std::max(1.0, bytes)));
}

void WebUser::closed() {
    const auto gap = [this](double mean_s) { return ns3::Seconds(choices_.exponential(mean_s)); };
    if (objects_left_ > 0) {
        object_timer_.start(gap(behaviour_.object_gap_s));
    } else if (pages_left_ > 0) {
        page_timer_.start(gap(behaviour_.page_gap_s));
    }
}

void WebUser::resumed() {
    if (page_waits_) {
        fetch_page();
    } else if (object_waits_) {
        fetch_object();
    }
}

}  // namespace p4abs
