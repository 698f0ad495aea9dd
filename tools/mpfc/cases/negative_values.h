// Counts answers that have no logarithm although the query asks for it: they are negative sums.
#pragma once

#include "tools/mpfc/cases/answer_columns.h"
#include "tools/mpfc/cases/case_pipeline.h"

#include <atomic>
#include <cstdint>
#include <vector>

namespace mpf::driver {

/// Counts negative answers over a list. Several threads may call count().
class NegativeValues {
public:
  void count(const std::vector<AnswerGroup> &columns, const CaseJob &job);
  /// Prints on stderr how many there were, and how to see them; nothing if there were none.
  void report() const;

private:
  std::atomic<uint64_t> values_ = 0;
};

} // namespace mpf::driver
