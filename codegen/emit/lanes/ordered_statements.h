// Straight-line text in an order in which few values are alive: each statement stands right before
// the first line that reads what it gives. So a message whose entries are read one after the other
// is never there as a whole, and a sum takes its terms as they come.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace mpf {

struct StatementLine {
  std::string text;
  std::vector<uint32_t> reads; ///< statements, whose values it reads
};

/// Lines that stay in their order; others may come between them.
struct Statement {
  std::vector<StatementLine> lines; ///< not empty
  uint32_t values = 1; ///< alive from its first line to the last one that reads the statement
};

struct OrderedStatements {
  std::vector<std::string> lines;
  uint64_t mostAlive = 0; ///< values alive at a time
};

/// What `roots` need, and nothing else, root after root. A statement reads only those with a lower
/// index.
OrderedStatements orderStatements(const std::vector<Statement> &statements,
                                  std::span<const uint32_t> roots);

} // namespace mpf
