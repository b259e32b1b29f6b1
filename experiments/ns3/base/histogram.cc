#include "base/histogram.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace p4abs {

void Histogram::add(int64_t duration_ns) {
    ++bins_[bin_of(static_cast<uint64_t>(duration_ns))];
    ++count_;
    sum_ns_ += static_cast<double>(duration_ns);
}

void Histogram::clear() {
    *this = Histogram();
}

double Histogram::mean_s() const {
    if (count_ == 0) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    return sum_ns_ / static_cast<double>(count_) * 1e-9;
}

double Histogram::quantile_s(double q) const {
    if (count_ == 0) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    const double rank = std::max(1.0, std::ceil(q * static_cast<double>(count_)));
    uint64_t below = 0;
    int bin = 0;
    while (bin < BINS - 1 && static_cast<double>(below + bins_[bin]) < rank) {
        below += bins_[bin++];
    }
    return middle_ns(bin) * 1e-9;
}

// The bins below 2^SUBDIVISION_BITS hold one value each. Above, an octave (the values with the
// same highest bit) has 2^SUBDIVISION_BITS bins, numbered by the bits that follow the highest.
int Histogram::bin_of(uint64_t duration_ns) {
    if (duration_ns >> SUBDIVISION_BITS == 0) {
        return static_cast<int>(duration_ns);
    }
    const int shift = 63 - __builtin_clzll(duration_ns) - SUBDIVISION_BITS;
    const int offset = static_cast<int>(duration_ns >> shift);
    return (shift << SUBDIVISION_BITS) + offset;
}

double Histogram::middle_ns(int bin) {
    if (bin >> SUBDIVISION_BITS <= 1) {
        return bin;
    }
    const int shift = (bin >> SUBDIVISION_BITS) - 1;
    const int offset = bin - (shift << SUBDIVISION_BITS);
    return std::ldexp(offset + 0.5, shift) - 0.5;
}

}  // namespace p4abs
