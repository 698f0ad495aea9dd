// Where the totals of a list go (--totals). Whatever ends a run early, they are written of the
// whole rows that were answered by then, as rows themselves are (case_output.h).
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

  /// CaseTotals::sumBlock. Thread-safe.
  void sumBlock(CaseJob &job) const { totals_.sumBlock(job); }
  /// One thread at a time.
  void add(const CaseJob &job);
  /// Writes the totals so far to -o or stdout. Later calls, and calls of add, have no effect. Any
  /// thread may call it, while another one adds. Throws Error(BadInput).
  void finish();
  /// "the totals are of 1000 rows", for messages.
  std::string summary() const;

private:
  const Options &options_;
  CaseTotals totals_;
  mutable std::mutex mutex_; ///< of all but sumBlock, which reads columns alone
  bool isFinished_ = false;
};

} // namespace mpf::driver
