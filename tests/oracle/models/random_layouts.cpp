#include "tests/oracle/models/random_layouts.h"

#include "codegen/plan/program/storage_order.h"
#include "codegen/plan/program/verify_program.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <utility>

namespace mpf::oracle {

namespace {

bool isSliced(const TableProgram &program, VarId id) {
  return program.variables[id.index()].sliced;
}

/// Returns, by stored table, the number of sliced variables of all tables that it stores; they come
/// first.
std::vector<size_t> slicedPlaces(const TableProgram &program) {
  std::vector<size_t> places(program.tables.size(), 0);
  for (size_t i = 0; i < places.size(); ++i) {
    const auto &scope = program.tables[i].scope;
    const auto sliced = std::count_if(scope.begin(), scope.end(),
                                      [&program](VarId id) { return isSliced(program, id); });
    size_t &most = places[program.stored(TableId{i}).index()];
    most = std::max(most, static_cast<size_t>(sliced));
  }
  return places;
}

/// Stores a sum over a loop like its operand: the sliced variables of its scope first, then the
/// operand's others.
void storeLikeOperand(TableProgram &program, const Operation &operation) {
  ProgramTable &result = program.tables[operation.result.index()];
  std::vector<VarId> order;
  for (const VarId id : result.scope)
    if (isSliced(program, id))
      order.push_back(id);
  for (const VarId id : storageOrder(program, operation.operands[0]))
    if (!isSliced(program, id))
      order.push_back(id);
  MPF_CHECK(setStorageOrder(result, order), "table {} is no sum over a loop", result.name);
}

} // namespace

size_t layOutRandomly(std::mt19937_64 &random, TableProgram &program) {
  const std::vector<size_t> sliced = slicedPlaces(program);
  std::vector<std::vector<uint32_t>> before;
  for (size_t i = 0; i < program.tables.size(); ++i) {
    ProgramTable &table = program.tables[i];
    before.push_back(table.layout);
    if (table.sameAs.valid() || table.isIdentity)
      continue;
    std::vector<VarId> order = table.scope;
    for (size_t last = order.size(); last > sliced[i] + 1; --last)
      std::swap(order[last - 1], order[sliced[i] + random() % (last - sliced[i])]);
    setStorageOrder(table, order);
  }
  for (const Operation &operation : program.operations)
    if (std::any_of(operation.reduced.begin(), operation.reduced.end(),
                    [&program](VarId id) { return isSliced(program, id); }))
      storeLikeOperand(program, operation);
  const auto problem = verifyProgram(program);
  MPF_CHECK(!problem, "laid out at random: {}", problem.value_or(""));
  size_t changed = 0;
  for (size_t i = 0; i < before.size(); ++i)
    changed += program.tables[i].layout != before[i];
  return changed;
}

} // namespace mpf::oracle
