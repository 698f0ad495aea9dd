// Answers whose logarithm is asked for and that have none: sums of products with negative factors.
#pragma once

#include "tools/mpfc/cases/answer_columns.h"
#include "tools/mpfc/cases/case_pipeline.h"

#include <atomic>
#include <cstdint>
#include <vector>

namespace mpf::driver {

/// Counts them over a list. count() may be called by several threads.
class NegativeValues {
public:
  void count(const std::vector<AnswerGroup> &columns, const CaseJob &job);
  /// Says on stderr how many there were, and how to see them; nothing where there were none.
  void report() const;

private:
  std::atomic<uint64_t> values_ = 0;
};

} // namespace mpf::driver
