#include "tools/mpfc/cases/totals_output.h"

#include "tools/mpfc/process/output.h"

#include <fmt/format.h>
#include <utility>

namespace mpf::driver {

TotalsOutput::TotalsOutput(const Options &options, const std::vector<AnswerGroup> &columns)
    : options_(options), totals_(columns) {}

void TotalsOutput::add(const CaseJob &job) {
  const std::lock_guard lock(mutex_);
  if (!isFinished_)
    totals_.add(job);
}

void TotalsOutput::finish() {
  const std::lock_guard lock(mutex_);
  if (!std::exchange(isFinished_, true))
    writeResult(options_, totals_.text());
}

std::string TotalsOutput::summary() const {
  const std::lock_guard lock(mutex_);
  return fmt::format("the totals are of {}", counted(totals_.cases(), "row", "rows"));
}

} // namespace mpf::driver
