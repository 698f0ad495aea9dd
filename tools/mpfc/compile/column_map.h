// Blocks of the columns of a list -> blocks of the columns of a program that has them and others.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"
#include "dsl/support/cases/case_block.h"

#include <cstddef>
#include <vector>

namespace mpf::driver {

/// What ColumnMap throws: a column of the list that the program does not have.
struct MissingColumn {
  VarId variable;
  bool isLikelihood = false;
};

/// What ColumnMap throws: a table of the program that the list does not set, nor has it defaults.
struct MissingTable {
  size_t input = 0; ///< into LaneProgram::inputs
};

class ColumnMap {
public:
  /// Both schemas are of the program's variables. `from` has some of its inputs, in any order, by
  /// their numbers as factors, and all tables that follow from params; params do not matter. Throws
  /// MissingColumn and MissingTable.
  ColumnMap(const CaseSchema &from, const LaneProgram &program);

  bool isIdentity() const { return isIdentity_; }
  /// Makes `to` the cases of `from`, which observe nothing and weigh nothing in other columns, and
  /// have the defaults of other inputs. It keeps its memory from block to block.
  void fill(const CaseBlock &from, CaseBlock &to) const;

private:
  static constexpr size_t kNone = SIZE_MAX;

  void addInputs(const CaseSchema &from, const LaneProgram &program);
  void fillCodes(size_t column, const CaseBlock &from, CaseBlock &to) const;

  CaseSchema schema_; ///< of `to`
  bool isIdentity_ = false;
  std::vector<size_t> codes_;      ///< by column of `to`: the column of `from`, or kNone
  std::vector<size_t> weightRows_; ///< by row of weights of `to`: the row of `from`, or kNone
  std::vector<double> weightElse_; ///< by row: what holds where that is kNone
};

} // namespace mpf::driver
