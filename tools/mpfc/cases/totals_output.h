// Writes the totals of a list (--totals). Whatever ends a run early, the totals of the rows
// answered by then are written, as case_output.h does with rows.
#pragma once

#include "tools/mpfc/cases/case_totals.h"
#include "tools/mpfc/options/options.h"

#include <mutex>
#include <string>
#include <vector>

namespace mpf::driver {

class TotalsOutput {
public:
  /// `options` must outlive the object. Throws as CaseTotals does.
  TotalsOutput(const Options &options, const std::vector<AnswerGroup> &columns);

  /// Calls CaseTotals::sumBlock. Thread-safe.
  void sumBlock(CaseJob &job) const { totals_.sumBlock(job); }
  /// Adds the sums of sumBlock. One thread at a time may call it.
  void add(const CaseJob &job);
  /// Writes the totals so far to -o or stdout. Later calls, and calls of add, have no effect. Any
  /// thread may call it, while another one adds. Throws Error(BadInput).
  void finish();
  /// Returns "the totals are of 1000 rows", for messages.
  std::string summary() const;

private:
  const Options &options_;
  CaseTotals totals_;
  mutable std::mutex mutex_; ///< guards everything except sumBlock, which only reads columns
  bool isFinished_ = false;
};

} // namespace mpf::driver
