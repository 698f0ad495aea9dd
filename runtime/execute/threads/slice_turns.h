// SLICE TURNS: hands the slices of a loop to threads in order, and lets them add their results in
// this order. So sums have the bits of one thread.
//
// A slice waits with an addition until all earlier slices have made it. Slices are taken in order,
// so the slices that it waits for are under way. When a slice fails, earlier ones still run and
// later ones end, so that the first failure of the order is reported.
#pragma once

#include "runtime/execute/threads/short_wait.h"
#include "runtime/execute/threads/sleepers.h"

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <vector>

namespace mpf {

class SliceTurns {
public:
  SliceTurns(uint32_t slices, size_t sums) : failed_(slices), added_(sums) {}

  /// Returns the next slice to compute; none when all are taken, or when one has failed.
  std::optional<uint32_t> take() {
    const uint32_t slice = next_.fetch_add(1);
    return slice < failed_.load() ? std::optional(slice) : std::nullopt;
  }

  /// Waits until all earlier slices have made addition `sum`. Returns false if one of them has
  /// failed: then this slice must end.
  bool waitFor(uint32_t slice, size_t sum) {
    const auto isDecided = [&] { return added_[sum].load() == slice || failed_.load() < slice; };
    if (!shortWait(kWaitForTask, isDecided))
      sleepers_.sleepUntil(isDecided);
    return added_[sum].load() == slice;
  }

  /// Notes that the slice whose turn it is has made addition `sum`.
  void added(size_t sum) {
    added_[sum].fetch_add(1);
    sleepers_.announce(SIZE_MAX);
  }

  /// Notes the exception that is being handled as the failure of a slice.
  void fail(uint32_t slice) {
    {
      const std::lock_guard lock(mutex_);
      if (slice < failed_.load()) {
        failure_ = std::current_exception();
        failed_.store(slice);
      }
    }
    sleepers_.announce(SIZE_MAX);
  }

  void rethrow() const {
    if (failure_)
      std::rethrow_exception(failure_);
  }

private:
  std::atomic<uint32_t> next_{0};
  std::atomic<uint32_t> failed_;             ///< the first that failed, or the number of slices
  std::vector<std::atomic<uint32_t>> added_; ///< by addition: the slices that have made it
  Sleepers sleepers_;
  std::mutex mutex_;
  std::exception_ptr failure_;
};

} // namespace mpf
