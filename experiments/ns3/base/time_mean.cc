#include "base/time_mean.h"

#include <ns3/simulator.h>

#include <limits>

namespace p4abs {

void TimeMean::change(int64_t difference) {
    account();
    value_ += difference;
}

void TimeMean::restart() {
    start_ = ns3::Simulator::Now();
    accounted_to_ = start_;
    area_ = 0.0;
}

double TimeMean::mean() const {
    TimeMean until_now = *this;
    until_now.account();
    const int64_t length_ns = (until_now.accounted_to_ - start_).GetNanoSeconds();
    if (length_ns == 0) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    return until_now.area_ / static_cast<double>(length_ns);
}

void TimeMean::account() {
    const ns3::Time now = ns3::Simulator::Now();
    area_ += static_cast<double>(value_) * static_cast<double>((now - accounted_to_).GetNanoSeconds());
    accounted_to_ = now;
}

}  // namespace p4abs
