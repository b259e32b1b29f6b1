#pragma once

#include <string>

#include "network/plain_port.h"
#include "network/shared_memory.h"

namespace p4abs {

// Tail drop at a limit that moves with the memory that all of its ports have left.
class SharedMemoryPort : public PlainPort {
  public:
    SharedMemoryPort(std::string name, uint64_t rate_bps, SharedMemory* memory, double alpha);

    // UserError: the memory sets the limit.
    void set_limit_bytes(uint64_t limit) override;

  protected:
    bool enqueue(Transit transit) override;
    uint64_t limit_bytes() const override { return memory_->limit_bytes(queue_); }
    bool admits_when_empty() const override { return false; }

  private:
    SharedMemory* memory_;
    size_t queue_;
};

}  // namespace p4abs
