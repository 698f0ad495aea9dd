// Makes a key of the computation of an operation from its stored operands. Equal computations on
// other variables get equal keys, so that the second one need not run (pass_share_tables.h).
#pragma once

#include "codegen/plan/program/global_order.h"
#include "codegen/plan/program/table_program.h"

#include <unordered_map>
#include <vector>

namespace mpf {

/// If two keys are equal, the results hold the same entries at the same bucket addresses, in every
/// slice. Operands enter the key as the tables that store them, in any order (the order of a
/// product changes only its rounding). `order` must be that of the program. The operation must not
/// accumulate.
std::vector<uint32_t> operationKey(const TableProgram &program, const GlobalOrder &order,
                                   const Operation &operation);

/// Keeps the keys of operations with which many others are compared, as they were before their sums
/// were cut (wholeSum in program_edit.h). Each key is computed once. Not thread-safe.
class WholeKeys {
public:
  explicit WholeKeys(const TableProgram &program) : program_(program) {}
  /// Returns the key of operation `id`, valid as long as this. `order` must be that of the program,
  /// which must be sound up to `id`.
  const std::vector<uint32_t> &of(OpId id, const GlobalOrder &order);

private:
  const TableProgram &program_;
  std::unordered_map<size_t, std::vector<uint32_t>> known_; ///< by index; looked up, never walked
};

} // namespace mpf
