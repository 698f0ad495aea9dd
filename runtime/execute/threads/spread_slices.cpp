#include "runtime/execute/threads/spread_slices.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {

constexpr double kNsOfUs = 1000;
/// Slices side by side that take at most this factor longer than the work divided by the threads
/// are taken without a closer look: shared operations lose about as much.
constexpr double kNearlyLeast = 1.1;

/// The operations of one loop, and those of the loops inside it.
class LoopWork {
public:
  LoopWork(const Bundle &bundle, uint32_t loop, const OperationNs &operationNs)
      : bundle_(bundle), operationNs_(operationNs), runs_(bundle.loopRuns()), loop_(loop),
        operations_(bundle.loops.count() + 1) {
    for (uint32_t i = 0; i < bundle.operations.size(); ++i) {
      const BundleOperation &operation = bundle.operations[i];
      if (!bundle.loops.contains(loop, operation.loop))
        continue;
      if (!operation.accumulates)
        operations_[operation.loop].push_back(i);
      sliceNs_ += operationNs(i) * runsInSlice(operation.loop);
    }
  }

  double slices() const { return runs_[loop_] / runs_[bundle_.loops.parent(loop_)]; }
  double oneNs() const { return sliceNs_ * slices(); }

  /// Returns the time of all slices, side by side on `threads` threads.
  double apartNs(size_t threads, const SpreadOptions &spread) const {
    const auto count = static_cast<double>(threads);
    return spread.costs.wakeUs * kNsOfUs * std::log2(count) +
           std::ceil(slices() / count) * (sliceNs_ * (1 + spread.costs.crowding * (count - 1)) +
                                          spread.costs.handUs * kNsOfUs);
  }

  /// Returns the time of all slices, one after the other on `threads` threads.
  double sharedNs(size_t threads, const SpreadOptions &spread) const {
    double ns = 0;
    for (uint32_t loop = loop_; loop < operations_.size(); ++loop)
      if (!operations_[loop].empty())
        ns += togetherNs(bundle_, operations_[loop], operationNs_, threads, spread) *
              runsInSlice(loop) * slices();
    return ns;
  }

private:
  double runsInSlice(uint32_t loop) const { return runs_[loop] / runs_[loop_]; }

  const Bundle &bundle_;
  const OperationNs &operationNs_;
  const std::vector<double> runs_; ///< by loop
  const uint32_t loop_;
  std::vector<std::vector<uint32_t>> operations_; ///< by loop
  double sliceNs_ = 0;                            ///< one slice on one thread
};

} // namespace

double togetherNs(const Bundle &bundle, const std::vector<uint32_t> &operations,
                  const OperationNs &operationNs, size_t threads, const SpreadOptions &spread) {
  double workNs = 0;
  for (const uint32_t operation : operations)
    workNs += operationNs(operation);
  if (threads == 1 || workNs < spread.leastRunNs)
    return workNs;
  const TaskGraph graph = buildTaskGraph(bundle, operations, operationNs, spread.unitNs);
  const size_t worth = threadsWorthWaking(graph, operationNs, threads, spread);
  return std::min(workNs, spreadRunNs(graph, operationNs, worth, spread));
}

std::vector<SpreadLoop> spreadSlices(const Bundle &bundle, const OperationNs &operationNs,
                                     size_t threads, const SpreadOptions &spread) {
  std::vector<SpreadLoop> loops;
  for (const SliceArenas &arenas : sliceArenas(bundle, threads)) {
    const LoopWork work(bundle, arenas.loop, operationNs);
    if (work.oneNs() < spread.leastRunNs)
      continue;
    const double apartNs = work.apartNs(arenas.count + 1, spread);
    const double leastNs = work.oneNs() / static_cast<double>(threads); // however they share
    if (apartNs <= work.oneNs() &&
        (apartNs <= kNearlyLeast * leastNs || apartNs <= work.sharedNs(threads, spread)))
      loops.push_back({arenas, apartNs, work.oneNs()});
  }
  return loops;
}

} // namespace mpf
