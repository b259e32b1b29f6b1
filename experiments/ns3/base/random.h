#pragma once

#include <ns3/rng-stream.h>

#include <cstdint>

namespace p4abs {

// One independent stream of ns-3's generator. Seed and number fix every draw.
class Random {
  public:
    Random(uint32_t seed, uint64_t stream);

    double uniform(double low, double high);
    int64_t integer(int64_t low, int64_t high);  // both included
    double exponential(double mean);
    // A mean needs shape > 1.
    double pareto(double mean, double shape);

  private:
    ns3::RngStream stream_;
};

}  // namespace p4abs
