#include "base/random.h"

#include <cmath>

namespace p4abs {

Random::Random(uint32_t seed, uint64_t stream) : stream_(seed, stream, 0) {}

double Random::uniform(double low, double high) {
    return low + stream_.RandU01() * (high - low);
}

int64_t Random::integer(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(stream_.RandU01() * static_cast<double>(high - low + 1));
}

double Random::exponential(double mean) {
    return -mean * std::log(stream_.RandU01());
}

double Random::pareto(double mean, double shape) {
    const double least = mean * (shape - 1.0) / shape;
    return least / std::pow(stream_.RandU01(), 1.0 / shape);
}

}  // namespace p4abs
