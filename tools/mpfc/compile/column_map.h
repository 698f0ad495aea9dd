// Converts blocks with the columns of a list to blocks with all columns of a program.
#pragma once

#include "codegen/bundle/head/program_head.h"
#include "dsl/support/cases/case_block.h"

#include <cstddef>
#include <vector>

namespace mpf::driver {

/// Thrown by ColumnMap for a column of the list that the program does not have.
struct MissingColumn {
  VarId variable;
  bool isLikelihood = false;
};

/// Thrown by ColumnMap for a table of the program that has no defaults and that the list does not
/// set.
struct MissingTable {
  size_t input = 0; ///< into ProgramHead::caseInputs
};

class ColumnMap {
public:
  /// Both schemas use the program's variables. `from` has some of the program's inputs, in any
  /// order, identified by their numbers as factors, and all tables that follow from params. Params
  /// do not matter. Throws MissingColumn and MissingTable.
  ColumnMap(const CaseSchema &from, const ProgramHead &program);

  bool isIdentity() const { return isIdentity_; }
  /// Fills `to` with the cases of `from`. In columns that `from` lacks, they observe nothing and
  /// weigh nothing; inputs that `from` lacks have their defaults. `to` keeps its memory.
  void fill(const CaseBlock &from, CaseBlock &to) const;

private:
  static constexpr size_t kNone = SIZE_MAX;

  void addInputs(const CaseSchema &from, const ProgramHead &program);
  void fillCodes(size_t column, const CaseBlock &from, CaseBlock &to) const;

  CaseSchema schema_; ///< of `to`
  bool isIdentity_ = false;
  std::vector<size_t> codes_;      ///< by column of `to`: the column of `from`, or kNone
  std::vector<size_t> weightRows_; ///< by row of weights of `to`: the row of `from`, or kNone
  std::vector<double> weightElse_; ///< by row: the weight if weightRows_ is kNone
};

} // namespace mpf::driver
