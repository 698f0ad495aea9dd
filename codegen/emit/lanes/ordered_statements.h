// Orders straight-line text so that few values are alive: each statement comes right before the
// first line that reads its value. So registers never hold a whole message whose entries are read
// one after the other, and each term is added to its sum right after it is computed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace mpf {

struct StatementLine {
  std::string text;
  std::vector<uint32_t> reads; ///< statements whose values the line reads
};

/// Lines that stay in their order. Lines of other statements may come between them.
struct Statement {
  std::vector<StatementLine> lines; ///< not empty
  /// The number of values it computes. They are alive from its first line to the last line that
  /// reads the statement.
  uint32_t values = 1;
};

struct OrderedStatements {
  std::vector<std::string> lines;
  uint64_t mostAlive = 0; ///< greatest number of values alive at a time
};

/// Returns the lines that `roots` need, and no others, root after root. Precondition: a statement
/// reads only statements with a lower index.
OrderedStatements orderStatements(const std::vector<Statement> &statements,
                                  std::span<const uint32_t> roots);

} // namespace mpf
