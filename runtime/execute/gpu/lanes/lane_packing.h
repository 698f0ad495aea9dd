// The host's work on cases of a lane program. It packs their codes and weights for a kernel, and
// reads the kernel's results.
#pragma once

#include "codegen/bundle/lanes/lane_kernel.h"
#include "codegen/bundle/lanes/linear_plan.h"
#include "runtime/execute/gpu/lanes/lane_launcher.h"
#include "runtime/execute/lanes/lane_launch.h"
#include "runtime/execute/threads/thread_pool.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

namespace mpf {

/// Thread-safe. The launcher must outlive it.
class LanePacking {
public:
  /// `pool`: null: every caller works alone.
  LanePacking(const LaneLauncher &launcher, ThreadPool *pool);

  /// A caller that waits for its block, while the object exists.
  class Caller {
  public:
    explicit Caller(LanePacking &packing) : callers_(packing.callers_) { ++callers_; }
    ~Caller() { --callers_; }
    Caller(const Caller &) = delete;
    Caller &operator=(const Caller &) = delete;

  private:
    std::atomic<size_t> &callers_;
  };
  /// Returns the pool for a caller that waits for its block. Returns null if there are several
  /// callers. Each then works alone: they keep the cores busy, and none waits for threads of the
  /// pool that wait for a core.
  ThreadPool *poolOfCaller() const {
    return callers_.load(std::memory_order_relaxed) <= 1 ? pool_ : nullptr;
  }

  /// Packs the codes and weights of `cases`; `weights` may be null if the program has none.
  void pack(const CaseBlock &block, const CaseRange &cases, uint64_t pitch, uint32_t *words,
            void *weights, ThreadPool *pool) const;

  /// Results of a kernel, with rows `pitch` apart.
  struct Fetched {
    uint64_t pitch = 0;
    const void *results = nullptr;
    const int32_t *exponents = nullptr;
    const uint32_t *states = nullptr;
  };
  /// Reads the answers to `cases`, and adds those without valid answers to `left`, ascending.
  void read(const Fetched &from, const CaseRange &cases, CaseAnswers &answers,
            std::vector<uint32_t> &left, ThreadPool *pool) const;

private:
  static void forRanges(const CaseRange &cases, ThreadPool *pool,
                        const std::function<void(const CaseRange &, uint64_t place)> &work);

  const LaneProgram &program_;
  const LinearPlan &plan_;
  const LaneKernel &kernel_;
  const ElementType type_;
  ThreadPool *const pool_;
  std::atomic<size_t> callers_{0};
};

} // namespace mpf
