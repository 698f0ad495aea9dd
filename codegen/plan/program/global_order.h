// Looks up the global order of a program, and computes with scopes that are sorted by it. There is
// one order of all variables, so that no message is ever rearranged (ICS'08 section 3).
#pragma once

#include "codegen/plan/program/table_program.h"

#include <span>
#include <vector>

namespace mpf {

/// The positions of the variables in TableProgram::order, copied when it is constructed. Immutable,
/// so safe to share between threads.
class GlobalOrder {
public:
  /// The order must name variables of the program only.
  explicit GlobalOrder(const TableProgram &program);

  static constexpr uint32_t kAbsent = UINT32_MAX;
  /// 0 is the most significant position; kAbsent when the order does not hold the variable.
  uint32_t position(VarId variable) const { return positions_[variable.index()]; }
  bool before(VarId a, VarId b) const { return position(a) < position(b); }
  void sort(std::vector<VarId> &scope) const;

private:
  std::vector<uint32_t> positions_; ///< by VarId
};

/// The product of the extents of a scope, saturating at UINT64_MAX.
uint64_t programElems(const TableProgram &program, std::span<const VarId> scope);

/// The union of the operands' scopes, sorted: the variables of the bucket address.
std::vector<VarId> unionScope(const TableProgram &program, const GlobalOrder &order,
                              std::span<const TableId> operands);

/// `scope` without the variables of `removed`. Both must be sorted by the global order.
std::vector<VarId> scopeWithout(const GlobalOrder &order, const std::vector<VarId> &scope,
                                const std::vector<VarId> &removed);

} // namespace mpf
