// Jobs of a pipeline that wait for their next stage.
#pragma once

#include "dsl/support/check.h"

#include <cstddef>
#include <vector>

namespace mpf::driver {

struct CaseJob;

/// First in, first out, except for pushFirst. The memory is taken once, so that a thread that hands
/// on a job cannot run out of it. The caller holds the lock of the pipeline.
class JobQueue {
public:
  /// A queue with room for `capacity` jobs.
  explicit JobQueue(size_t capacity) : jobs_(capacity) {}

  bool empty() const { return count_ == 0; }
  size_t size() const { return count_; }
  void push(CaseJob &job) { at(count_) = &job; }
  /// Adds the job that is popped next.
  void pushFirst(CaseJob &job) {
    first_ = (first_ + jobs_.size() - 1) % jobs_.size();
    at(0) = &job;
  }
  CaseJob &pop() {
    MPF_CHECK(count_ != 0, "nothing in a queue of {}", jobs_.size());
    CaseJob &job = *jobs_[first_];
    first_ = (first_ + 1) % jobs_.size();
    --count_;
    return job;
  }

private:
  CaseJob *&at(size_t place) {
    MPF_CHECK(count_ < jobs_.size(), "more than {} jobs in a queue", jobs_.size());
    ++count_;
    return jobs_[(first_ + place) % jobs_.size()];
  }

  std::vector<CaseJob *> jobs_; ///< a ring
  size_t first_ = 0, count_ = 0;
};

} // namespace mpf::driver
