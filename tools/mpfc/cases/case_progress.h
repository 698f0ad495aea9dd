// Prints once a second how many cases a run has answered.
#pragma once

#include "tools/mpfc/process/progress_line.h"

#include <atomic>
#include <cstdint>
#include <optional>

namespace mpf::driver {

class CaseProgress {
public:
  /// `total`: the number of cases, if it is known. `isShown`: whether anything is printed.
  CaseProgress(std::optional<uint64_t> total, bool isShown);

  void add(uint64_t cases) { done_ += cases; }
  /// Erases the line, before other text is printed. Any thread may call it.
  void end() { line_.end(); }

private:
  std::string text();

  const std::optional<uint64_t> total_;
  std::atomic<uint64_t> done_ = 0;
  uint64_t before_ = 0; ///< cases that the last line had
  ProgressLine line_;   ///< the last member: its thread reads the others
};

} // namespace mpf::driver
