// The tables that all cases share, computed once from the values of the factors.
#pragma once

#include "codegen/bundle/lanes/lane_program.h"
#include "codegen/bundle/lanes/wide_number.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mpf {

/// The greatest and least floor(log2 |entry|) of entries other than 0.
struct ExponentBounds {
  int64_t least = INT64_MAX;
  int64_t greatest = INT64_MIN;
  bool negative = false; ///< some entry is below 0
  bool allZero() const { return least > greatest; }
};

class CommonTables {
public:
  /// Memory that the tables take, and that making them takes for a while; saturates.
  static uint64_t bytes(const LaneProgram &program);

  /// Computes the tables from `values`, which has the declared values (StoredValues) for each of
  /// LaneProgram::values. Each multiplication and addition rounds once; nothing overflows or
  /// underflows.
  CommonTables(const LaneProgram &program, const std::vector<std::span<const double>> &values);
  /// Computes the tables from the values in the program, which must have all of them.
  explicit CommonTables(const LaneProgram &program);

  /// The entries of a table of kind Values or Common; empty for others.
  const std::vector<WideNumber> &table(uint32_t index) const { return tables_[index]; }
  ExponentBounds bounds(uint32_t index) const;

private:
  void run(const LaneOperation &operation);

  const LaneProgram &program_;
  std::vector<std::vector<WideNumber>> tables_; ///< by table of the program
};

/// result[k] = reduce over r of the product of the operands' entries there. `tables` has the
/// entries of each operand's table, `result` those of the result's.
void runWide(const LaneOperation &operation, std::span<const WideNumber *const> tables,
             WideNumber *result);

} // namespace mpf
