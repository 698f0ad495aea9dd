// Writes a lane program table by table and step by step, as build_lane_program.h decides.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace mpf {

/// The table of the lane program that holds a table of a plan, or a product within an operation.
struct HeldTable {
  uint32_t table = 0; ///< number in the lane program
  uint64_t baseElems = 0;
  std::vector<VarId> scope;           ///< its variables, without evidence digits
  std::vector<uint64_t> stridesElems; ///< by place in `scope`
  std::vector<uint32_t> columns;      ///< its evidence digits, ascending: the most significant ones
  std::vector<uint64_t> columnStrides;
  bool perCase = false; ///< computed in the lane, or given by the case

  /// The stride of a variable; 0: the table lacks it.
  uint64_t strideOf(VarId variable) const;
  uint64_t strideOfColumn(uint32_t column) const;
};

class LaneWriter {
public:
  /// `program` has its schema, its variables and its semiring. Indicators of more than
  /// `storedElems` entries are not stored.
  LaneWriter(LaneProgram &program, uint64_t storedElems)
      : program_(program), storedElems_(storedElems) {}

  /// Adds a factor as declared: `declared` are its variables, last one fastest. Variables in a
  /// fixed state move its base.
  HeldTable addValues(LaneValues values, std::string name, const std::vector<VarId> &declared);
  /// Adds the indicator of column `column`: 1 where the state of its observed variable is allowed,
  /// else 0.
  HeldTable addIndicator(uint32_t column);
  /// Adds the indicator of a variable that is a function of `arguments`: `states` has its state by
  /// their assignment, row-major.
  HeldTable addIndicator(uint32_t column, const std::vector<VarId> &arguments,
                         const std::vector<uint32_t> &states);
  /// Adds the weights of likelihood or table `number` (CaseSchema::weightTableElems), over its
  /// factor's variables as declared.
  HeldTable addWeights(size_t number, std::string name, const std::vector<VarId> &declared);

  /// Adds a common operation: result(columns, scope) = the product of free operands, reduced to
  /// `scope`.
  HeldTable addCommon(std::span<const HeldTable> operands, const std::vector<VarId> &scope);
  /// Adds such an operation in the lane, where no operand has evidence digits.
  HeldTable addMessage(std::span<const HeldTable> operands, const std::vector<VarId> &scope);
  /// Returns the table that a lane reads in place of a free table: the row that its codes pick,
  /// which is the same message each time. A table without evidence digits is read as it is.
  HeldTable row(const HeldTable &held);
  bool hasRow(const HeldTable &held) const { return rows_.contains(held.table); }
  /// Returns a message with the entries of a table of any kind.
  HeldTable message(const HeldTable &held);

  static LaneAccess access(const HeldTable &held, std::span<const VarId> scope);

private:
  uint32_t addStored(std::string name, std::vector<double> entries);
  HeldTable declaredOver(uint32_t table, const std::vector<VarId> &declared,
                         std::vector<uint32_t> columns, bool perCase) const;
  HeldTable resultOver(uint32_t table, std::vector<VarId> scope, std::vector<uint32_t> columns,
                       bool perCase) const;
  LaneOperation operationOver(std::span<const HeldTable> operands, const HeldTable &result) const;
  uint32_t addTable(LaneTable table);
  std::string nextName(const char *kind);

  LaneProgram &program_;
  const uint64_t storedElems_;
  std::map<uint32_t, uint32_t> rows_;  ///< by free table: the message
  std::map<size_t, uint32_t> weights_; ///< by number: the table
  unsigned named_ = 0;
};

} // namespace mpf
