#include "runtime/execute/threads/worker_memory.h"

#include <algorithm>

namespace mpf {

namespace {
constexpr uint64_t kShare = 8;
} // namespace

uint64_t workersWithin(uint64_t wanted, uint64_t leftBytes) {
  if (wanted <= kSureWorkers)
    return wanted;
  return kSureWorkers + std::min(wanted - kSureWorkers, leftBytes / kShare / kWorkerBytes);
}

uint64_t workersNow(uint64_t wanted) {
  if (wanted <= kSureWorkers)
    return wanted;
  const MemoryLimits limits = memoryLimits();
  return workersWithin(wanted, std::min(limits.availableBytes, limits.addressBytes));
}

uint64_t workerBytes(uint64_t wanted, uint64_t leftBytes) {
  const uint64_t sure = std::min(wanted, kSureWorkers);
  return sure * kWorkerBytes + std::min((wanted - sure) * kWorkerBytes, leftBytes / kShare);
}

} // namespace mpf
