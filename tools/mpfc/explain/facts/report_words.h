// The words of the report of `mpfc explain`, for `mpfc help words` and the page's glossary.
#pragma once

#include <span>
#include <string_view>

namespace mpf {

struct ReportWord {
  std::string_view word;
  std::string_view meaning; ///< a sentence
  bool ofGpu = false;       ///< a report without a GPU does not have it
};

/// Returns the words, by the sections of the report.
std::span<const ReportWord> reportWords();

/// Returns what a pass of the simplifier or the planner does; each pass has a row.
std::string_view passMeaning(std::string_view pass);
/// Returns the passes with their meanings, in the order in which they run.
std::span<const ReportWord> passWords();

} // namespace mpf
