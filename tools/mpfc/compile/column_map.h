// Blocks of the columns of a list -> blocks of the columns of a program that has them and others.
#pragma once

#include "dsl/support/cases/case_block.h"

#include <cstddef>
#include <vector>

namespace mpf::driver {

/// What ColumnMap throws: a column of the list that the program does not have.
struct MissingColumn {
  VarId variable;
  bool isLikelihood = false;
};

class ColumnMap {
public:
  /// Both schemas are of the same variables and have the same tables, in order; params do not
  /// matter, for tables follow from them. Throws MissingColumn.
  ColumnMap(const CaseSchema &from, const CaseSchema &to);

  bool isIdentity() const { return isIdentity_; }
  /// Makes `to` the cases of `from`, which observe nothing and weigh nothing in other columns. It
  /// keeps its memory from block to block.
  void fill(const CaseBlock &from, CaseBlock &to) const;

private:
  static constexpr size_t kNone = SIZE_MAX;

  void fillCodes(size_t column, const CaseBlock &from, CaseBlock &to) const;

  CaseSchema schema_; ///< of `to`
  bool isIdentity_ = false;
  std::vector<size_t> codes_;      ///< by column of `to`: the column of `from`, or kNone
  std::vector<size_t> weightRows_; ///< by row of weights of `to`: the row of `from`, or kNone
};

} // namespace mpf::driver
