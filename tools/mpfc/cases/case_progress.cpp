#include "tools/mpfc/cases/case_progress.h"

#include <fmt/core.h>

namespace mpf::driver {

CaseProgress::CaseProgress(std::optional<uint64_t> total, bool isShown)
    : total_(total), line_([this] { return text(); }, isShown) {}

std::string CaseProgress::text() {
  const uint64_t done = done_;
  const std::string share = total_ && *total_ != 0
                                ? fmt::format(" ({:.0f} %)", 100 * static_cast<double>(done) /
                                                                 static_cast<double>(*total_))
                                : "";
  const uint64_t more = done - before_;
  before_ = done;
  return fmt::format("mpfc: {} cases{}, {:.3g} rows/s", done, share, static_cast<double>(more));
}

} // namespace mpf::driver
