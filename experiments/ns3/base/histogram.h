#pragma once

#include <array>
#include <cstdint>

namespace p4abs {

// Quantiles of durations from 1 ns to centuries in constant memory. Bins are equal in width
// within a power of two, 128 to each, so that a bin's middle is within 0.4 % of its values.
class Histogram {
  public:
    void add(int64_t duration_ns);
    void clear();

    uint64_t count() const { return count_; }
    // NaN when empty.
    double mean_s() const;
    // 0 <= q <= 1; the smallest duration that at least q of all do not exceed. NaN when empty.
    double quantile_s(double q) const;

  private:
    static constexpr int SUBDIVISION_BITS = 7;
    static constexpr int BINS = (64 - SUBDIVISION_BITS) << SUBDIVISION_BITS;

    static int bin_of(uint64_t duration_ns);
    static double middle_ns(int bin);

    std::array<uint64_t, BINS> bins_{};
    uint64_t count_ = 0;
    double sum_ns_ = 0.0;
};

}  // namespace p4abs
