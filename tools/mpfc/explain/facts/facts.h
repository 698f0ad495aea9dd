// Figures with their names, in the wording of both the text report and the HTML page.
#pragma once

#include "tools/mpfc/explain/facts/explanation.h"

#include <string>
#include <string_view>
#include <vector>

namespace mpf {

struct Fact {
  std::string name;
  std::string value;
  std::string note; ///< its meaning or its bound; may be empty
};

/// Figures of several things of a kind; the first column has their names.
struct FactTable {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

/// Returns the answer in one sentence: the device, the time and the memory of a run.
std::string headline(const QueryExplanation &explanation);

std::vector<Fact> networkFactList(const NetworkFacts &network);
std::vector<Fact> planFactList(const QueryExplanation &explanation);
std::vector<Fact> memoryFactList(const QueryExplanation &explanation);

// Facts about a query for a list of cases:
std::string caseHeadline(const CaseFacts &cases);
std::vector<Fact> caseFactList(const QueryExplanation &explanation);
FactTable frontierTable(const CaseFacts &cases); ///< no rows: there is no frontier
FactTable engineTable(const CaseFacts &cases);

/// Returns a time as text: "850 ns", "3.70 us", "1.25 ms", "12.0 s", "3.50 h", "2.40 years".
std::string formatTime(double us);
/// Names the speed that predicted times use: this machine's, or the shipped one.
std::string_view speedText(const QueryExplanation &explanation);
/// Returns a count as text for users: "1234", "6.29 M", "2^41.20".
std::string formatCount(double count);
/// Returns a number by its logarithm to base 2, which may exceed any integer type: "2^12.30", "0",
/// "inf".
std::string formatPower(double bits);
/// Returns a share as text: "12 %", "2.35 %", "<0.01 %".
std::string formatShare(double share);
/// Returns the first `shown` names, and the number of the others: "a, b, c, ... 12 more".
std::string joinNames(const std::vector<std::string> &names, size_t shown,
                      std::string_view separator = ", ");
/// Returns the results of a chain: "m3 .. m9".
std::string chainText(const QueryExplanation &explanation, const ChainFacts &chain);
/// Returns the memory of the plan, exact or as a power of two.
std::string peakText(const MemoryFacts &memory);

/// Returns text that every terminal and browser can show: invalid UTF-8 and control characters
/// become U+FFFD, because names come from users' files.
std::string displayText(std::string_view text);
/// Returns at most `codePoints` of `text`, with an ellipsis at the cut.
std::string elided(std::string_view text, size_t codePoints);

} // namespace mpf
