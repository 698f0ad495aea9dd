#include "codegen/plan/program/operation_key.h"

#include "dsl/support/check.h"

#include <algorithm>

namespace mpf {

namespace {

/// Appends the number of variables of `scope` and their places in `address`. Both follow the global
/// order.
void appendPlaces(const GlobalOrder &order, const std::vector<VarId> &address,
                  const std::vector<VarId> &scope, std::vector<uint32_t> &key) {
  key.push_back(static_cast<uint32_t>(scope.size()));
  for (const VarId id : scope) {
    const auto at = std::lower_bound(address.begin(), address.end(), id,
                                     [&order](VarId a, VarId b) { return order.before(a, b); });
    MPF_CHECK(at != address.end() && *at == id, "variable {} is not among the {} of the operands",
              id, address.size());
    key.push_back(static_cast<uint32_t>(at - address.begin()));
  }
}

} // namespace

std::vector<uint32_t> operationKey(const TableProgram &program, const GlobalOrder &order,
                                   const Operation &operation) {
  const std::vector<VarId> address = unionScope(program, order, operation.operands);
  size_t words = 4 + 2 * address.size() + operation.reduced.size() + 1;
  for (const TableId id : operation.operands)
    words += 2 + program.table(id).scope.size();
  std::vector<uint32_t> key;
  key.reserve(words);
  key.push_back(static_cast<uint32_t>(operation.semiring.reduce));
  key.push_back(static_cast<uint32_t>(operation.semiring.combine));
  key.push_back(static_cast<uint32_t>(address.size()));
  for (const VarId id : address) {
    const ProgramVariable &variable = program.variables[id.index()];
    key.push_back(variable.extent);
    key.push_back(variable.sliced ? id.value : UINT32_MAX); // a slice is of one variable
  }
  appendPlaces(order, address, operation.reduced, key);
  key.push_back(program.table(operation.result).splits);
  std::vector<std::vector<uint32_t>> operands;
  operands.reserve(operation.operands.size());
  for (const TableId id : operation.operands) {
    operands.emplace_back().reserve(2 + program.table(id).scope.size());
    operands.back().push_back(program.stored(id).value);
    appendPlaces(order, address, program.table(id).scope, operands.back());
  }
  std::sort(operands.begin(), operands.end());
  for (const std::vector<uint32_t> &operand : operands)
    key.insert(key.end(), operand.begin(), operand.end());
  return key;
}

} // namespace mpf
