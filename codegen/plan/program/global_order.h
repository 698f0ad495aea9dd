// The global order of a program and the arithmetic on scopes that every pass needs
// (ICS'08 section 3: one order of all variables, so that no message is ever rearranged).
#pragma once

#include "codegen/plan/program/table_program.h"

#include <span>
#include <vector>

namespace mpf {

/// Positions of the variables in the global order: scopes are sorted and united by them.
/// Immutable after construction, so safe to share between threads.
class GlobalOrder {
public:
  explicit GlobalOrder(const TableProgram &program);

  static constexpr uint32_t kAbsent = UINT32_MAX;
  /// 0 = most significant; kAbsent when the variable is in no scope.
  uint32_t position(VarId variable) const { return positions_[variable.index()]; }
  bool before(VarId a, VarId b) const { return position(a) < position(b); }
  void sort(std::vector<VarId> &scope) const;

private:
  std::vector<uint32_t> positions_; ///< by VarId
};

/// Product of the extents of a scope, saturating at UINT64_MAX.
uint64_t programElems(const TableProgram &program, std::span<const VarId> scope);

/// Sorted union of the operands' scopes: the digits of the bucket address.
std::vector<VarId> unionScope(const TableProgram &program, const GlobalOrder &order,
                              std::span<const TableId> operands);

/// scope without `removed`; both sorted by the global order.
std::vector<VarId> scopeWithout(const GlobalOrder &order, const std::vector<VarId> &scope,
                                const std::vector<VarId> &removed);

} // namespace mpf
