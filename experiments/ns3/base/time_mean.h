#pragma once

#include <ns3/nstime.h>

#include <cstdint>

namespace p4abs {

// A number and its mean over time, exact, since restart() or the beginning.
class TimeMean {
  public:
    void change(int64_t difference);
    void restart();

    int64_t value() const { return value_; }
    // NaN when no time has passed.
    double mean() const;

  private:
    void account();

    int64_t value_ = 0;
    ns3::Time start_;
    ns3::Time accounted_to_;
    double area_ = 0.0;  // integral of the value over nanoseconds
};

}  // namespace p4abs
