#pragma once

#include "flows/flow_set.h"

namespace p4abs {

// Fetches pages of objects, one TCP connection per object, one after the other.
class WebUser : public FlowSet {
  public:
    struct Behaviour {
        double rtt_s;
        double start_s;
        int64_t least_pages, most_pages;      // uniform
        double page_gap_s;                    // mean, exponential
        int64_t least_objects, most_objects;  // per page, uniform
        double object_gap_s;                  // mean, exponential
        double object_bytes, pareto_shape;    // mean of the Pareto sizes
    };

    WebUser(const TcpProfile& profile, const Behaviour& behaviour, ns3::Ptr<ns3::Node> node,
            uint32_t* next_number, Random choices, Random jitter);

  protected:
    void closed() override;
    void resumed() override;

  private:
    void fetch_page();
    void fetch_object();

    Behaviour behaviour_;
    int64_t pages_left_;
    int64_t objects_left_ = 0;
    bool page_waits_ = false;  // for the end of a pause
    bool object_waits_ = false;
    Timer<WebUser, &WebUser::fetch_page> page_timer_;
    Timer<WebUser, &WebUser::fetch_object> object_timer_;
};

}  // namespace p4abs
