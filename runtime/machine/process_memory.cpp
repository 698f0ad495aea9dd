#include "runtime/machine/process_memory.h"

#include "dsl/support/check.h"
#include "dsl/support/number_text.h"
#include "dsl/support/system/thread_count.h"
#include "runtime/execute/threads/worker_memory.h"
#include "runtime/schedule/run_volume.h"

#include <algorithm>

namespace mpf {

namespace {

// Measured over the published networks (tests/networks/memory_limits.py prints the shares), with
// room to spare.
constexpr uint64_t kCodeBytes = uint64_t{4} << 20; ///< code, mapped already but touched later
constexpr uint64_t kProgramBytes = uint64_t{10}
                                   << 20;    ///< slack of the allocator, and small allocations
constexpr uint64_t kBytesPerEntry = 24;      ///< entries simplified, in the bundle, and bound
constexpr uint64_t kBytesPerItem = 1024;     ///< items in search, plan, bundle and executor
constexpr uint64_t kBytesPerListItem = 1024; ///< items in lanes, strips and layouts of blocks
constexpr uint64_t kBytesPerResult = 512;    ///< results as numbers, restored, as text or JSON
constexpr uint64_t kStreamShare = 8;
constexpr uint64_t kStackBytes = uint64_t{8} << 20; ///< addresses of an ordinary thread's stack
constexpr uint64_t kPageTableShare = 256; ///< page tables need a 512th of the tables' size

uint64_t without(uint64_t bytes, uint64_t less) { return bytes - std::min(bytes, less); }

} // namespace

RunFacts runFacts(const Bundle &bundle, unsigned threads) {
  RunFacts facts;
  facts.items = bundle.operations.size() + bundle.variables.size();
  facts.resultEntries = bundle.variables.size();
  for (const BundleOutput &output : bundle.outputs)
    facts.resultEntries =
        saturatingAdd(facts.resultEntries, bundle.buffer(output.buffer).sizeElems);
  facts.threads = threads;
  return facts;
}

uint64_t streamedWithin(uint64_t wanted, const MemoryLimits &limits) {
  return std::min(wanted, std::min(limits.availableBytes, limits.addressBytes) / kStreamShare);
}

uint64_t processBytes(const RunFacts &facts) {
  uint64_t bytes = kProgramBytes;
  for (const auto &[count, each] : {std::pair{facts.entries, kBytesPerEntry},
                                    {facts.items, kBytesPerItem},
                                    {facts.listItems, kBytesPerListItem},
                                    {facts.resultEntries, kBytesPerResult}})
    bytes = saturatingAdd(bytes, saturatingMul(count, each));
  return bytes;
}

TablesBound tablesBound(const MemoryLimits &limits, const RunFacts &facts) {
  const uint64_t threads = threadCount(facts.threads), process = processBytes(facts);
  const uint64_t available = limits.availableBytes, addresses = limits.addressBytes;
  const uint64_t touched = saturatingAdd(
      process, kCodeBytes + available / kPageTableShare +
                   saturatingAdd(workerBytes(threads, available), facts.streamedBytes));
  TablesBound bound{without(available, touched), limits.source};
  uint64_t beside = touched, limit = available; // those that determine the bound
  if (addresses != UINT64_MAX) {
    const uint64_t stacks = facts.streamThreads * kStackBytes;
    const uint64_t mapped =
        saturatingAdd(process, saturatingAdd(workerBytes(threads, addresses) +
                                                 helperBytes(threads - 1, addresses) + stacks,
                                             facts.streamedBytes));
    if (const uint64_t left = without(addresses, mapped); left < bound.bytes) {
      bound = {left, limits.addressSource};
      beside = mapped;
      limit = addresses;
    }
  }
  if (bound.bytes == 0) {
    const bool isLargeResult = saturatingMul(facts.resultEntries, kBytesPerResult) > limit / 2;
    fail(ErrorKind::MemoryBound, "the process needs about {} beside the tables; {} is {}{}",
         formatBytes(beside), bound.source, formatBytes(limit),
         isLargeResult ? facts.largestResult : "");
  }
  bound.bytes = steadyBytes(bound.bytes);
  return bound;
}

uint64_t hostBytes() {
  const MemoryLimits limits = memoryLimits();
  return std::min(limits.availableBytes, limits.addressBytes);
}

void requireMemory(const Bundle &bundle, unsigned threads) {
  constexpr uint64_t kWorthAsking = uint64_t{8} << 20;
  if (tableBytes(bundle) < kWorthAsking)
    return;
  const MemoryLimits limits = memoryLimits();
  const uint64_t results = saturatingMul(runFacts(bundle, threads).resultEntries, sizeof(double));
  const auto require = [&](uint64_t tables, uint64_t left, const std::string &source) {
    const uint64_t beside = saturatingAdd(
        results, workerBytes(std::min<uint64_t>(threadCount(threads), kSureWorkers), left));
    if (saturatingAdd(tables, beside) > left)
      fail(ErrorKind::MemoryBound, "query {} needs {} for its tables and {} beside them; {} is {}",
           bundle.name, formatBytes(tables), formatBytes(beside), source, formatBytes(left));
  };
  require(neededTableBytes(bundle), saturatingAdd(limits.availableBytes, limits.swapBytes),
          limits.source);
  require(tableBytes(bundle), limits.addressBytes, limits.addressSource);
}

} // namespace mpf
