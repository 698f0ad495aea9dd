// `probability ( child | parents ) { ... }` -> Factor.
#pragma once

#include "dsl/formats/bif_context.h"

namespace mpf {

/// Reads the blocks of one file, one after the other.
class BifProbabilityReader {
public:
  explicit BifProbabilityReader(BifContext &context)
      : context_(context), blockOf_(context.model.variables.size()) {}

  /// The lexer stands behind the word `probability`, and behind the block afterwards. Reports.
  bool read();
  /// One warning about all rows that are far from summing to 1.
  void finish();
  /// The child's name in the block of each factor.
  const std::vector<BifToken> &children() const { return children_; }

private:
  struct Rows; ///< the entries of the block at hand

  bool readScope(Factor &factor, BifToken &child);
  std::optional<VarId> takeVariable(const char *what);
  bool readEntries(Rows &rows);
  bool readRow(Rows &rows);
  bool readNumbers(const Rows &rows, uint64_t count, const std::string &what,
                   std::vector<double> &numbers);
  bool finishRows(Rows &rows);
  void checkSums(const Rows &rows, Factor &factor);

  BifContext &context_;
  std::vector<std::optional<BifToken>> blockOf_; ///< by VarId: the child's name
  std::vector<BifToken> children_;
  uint64_t defaultElems_ = 0; ///< filled by `default`, in all
  uint64_t totalElems_ = 0;
  uint64_t badRows_ = 0; ///< far from summing to 1, and the first of them:
  BifToken badPlace_;
  std::string badRow_;
};

} // namespace mpf
