#include "codegen/plan/program/global_order.h"

#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>

namespace mpf {

GlobalOrder::GlobalOrder(const TableProgram &program)
    : positions_(program.variables.size(), kAbsent) {
  for (size_t i = 0; i < program.order.size(); ++i) {
    const VarId id = program.order[i];
    MPF_CHECK(id.index() < positions_.size() && positions_[id.index()] == kAbsent,
              "the order has variable {} of {} twice, or it is none", id, positions_.size());
    positions_[id.index()] = static_cast<uint32_t>(i);
  }
}

void GlobalOrder::sort(std::vector<VarId> &scope) const {
  std::sort(scope.begin(), scope.end(), [this](VarId a, VarId b) { return before(a, b); });
}

uint64_t programElems(const TableProgram &program, std::span<const VarId> scope) {
  uint64_t elems = 1;
  for (const VarId id : scope)
    elems = saturatingMul(elems, program.variables[id.index()].extent);
  return elems;
}

std::vector<VarId> unionScope(const TableProgram &program, const GlobalOrder &order,
                              std::span<const TableId> operands) {
  if (operands.size() == 1)
    return program.table(operands.front()).scope;
  size_t places = 0;
  for (const TableId id : operands)
    places += program.table(id).scope.size();
  std::vector<VarId> scope;
  scope.reserve(places);
  const auto before = [&order](VarId a, VarId b) { return order.before(a, b); };
  for (const TableId id : operands) {
    auto at = scope.begin();
    for (const VarId variable : program.table(id).scope) { // ascending, as all scopes
      at = std::lower_bound(at, scope.end(), variable, before);
      if (at == scope.end() || *at != variable)
        at = scope.insert(at, variable);
    }
  }
  return scope;
}

std::vector<VarId> scopeWithout(const GlobalOrder &order, const std::vector<VarId> &scope,
                                const std::vector<VarId> &removed) {
  std::vector<VarId> rest;
  rest.reserve(scope.size());
  std::set_difference(scope.begin(), scope.end(), removed.begin(), removed.end(),
                      std::back_inserter(rest),
                      [&order](VarId a, VarId b) { return order.before(a, b); });
  return rest;
}

} // namespace mpf
