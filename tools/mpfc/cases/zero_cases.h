// Cases whose evidence has probability zero: they have no posterior and no best assignment.
#pragma once

#include "tools/mpfc/cases/answer_columns.h"
#include "tools/mpfc/cases/case_pipeline.h"

#include <atomic>
#include <cstdint>
#include <vector>

namespace mpf::driver {

/// Counts them over a list. count() may be called by several threads.
class ZeroCases {
public:
  /// `columns`: those of the answers to `queries` that are written. Sums of costs do not count.
  ZeroCases(const std::vector<AnswerGroup> &columns, const std::vector<Query> &queries);

  void count(const CaseJob &job);
  /// Says on stderr how many there were; nothing where there were none. `areSwept`: a row of the
  /// list makes several cases.
  void report(bool areSwept) const;

private:
  /// The tables of a query's posteriors are zero together, so one of each query is asked.
  struct Asked {
    size_t query = 0, table = 0;
    bool isAssignment = false;
  };
  std::vector<Asked> asked_;
  std::atomic<uint64_t> cases_ = 0;
};

} // namespace mpf::driver
