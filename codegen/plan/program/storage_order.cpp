#include "codegen/plan/program/storage_order.h"

#include "codegen/plan/program/program_edit.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <fmt/core.h>

namespace mpf {

namespace {

bool isSliced(const TableProgram &program, VarId id) {
  return program.variables[id.index()].sliced;
}

bool isPermutation(std::vector<uint32_t> places, size_t count) {
  std::sort(places.begin(), places.end());
  for (size_t i = 0; i < places.size(); ++i)
    if (places[i] != i)
      return false;
  return places.size() == count;
}

std::string tableFault(const ProgramTable &table) {
  if (table.layout.empty())
    return {};
  if (table.sameAs.valid() || table.isIdentity)
    return fmt::format("table {} has a layout, but no entries of its own", table.name);
  if (!isPermutation(table.layout, table.scope.size()))
    return fmt::format("table {}: its layout is no permutation of its scope", table.name);
  return {};
}

std::string sliceFault(const TableProgram &program, TableId id) {
  const std::vector<VarId> &scope = program.table(id).scope;
  const std::vector<VarId> order = storageOrder(program, id);
  for (size_t i = 0; i < scope.size() && isSliced(program, scope[i]); ++i)
    if (order[i] != scope[i])
      return fmt::format("table {}: a slice of {} is scattered in its layout",
                         program.table(id).name, program.variables[scope[i].index()].name);
  return {};
}

} // namespace

std::vector<VarId> storageOrder(const TableProgram &program, TableId id) {
  const std::vector<VarId> &scope = program.table(id).scope;
  const std::vector<uint32_t> &layout = program.table(program.stored(id)).layout;
  if (layout.empty())
    return scope;
  MPF_CHECK(layout.size() == scope.size(), "table {} has a layout of {} of its {} variables", id,
            layout.size(), scope.size());
  std::vector<VarId> order;
  order.reserve(layout.size());
  for (const uint32_t place : layout)
    order.push_back(scope[place]);
  return order;
}

std::vector<VarId> orderInSlice(const TableProgram &program, TableId id) {
  std::vector<VarId> order = storageOrder(program, id);
  std::erase_if(order, [&program](VarId v) { return isSliced(program, v); });
  return order;
}

std::optional<std::vector<uint32_t>> layoutFor(const std::vector<VarId> &scope,
                                               std::span<const VarId> order) {
  if (order.size() != scope.size())
    return std::nullopt;
  std::vector<uint32_t> layout;
  for (const VarId id : order) {
    const auto at = std::find(scope.begin(), scope.end(), id);
    layout.push_back(static_cast<uint32_t>(at - scope.begin()));
  }
  if (!isPermutation(layout, scope.size()))
    return std::nullopt;
  if (std::is_sorted(layout.begin(), layout.end()))
    layout.clear();
  return layout;
}

bool setStorageOrder(ProgramTable &table, std::span<const VarId> order) {
  std::optional<std::vector<uint32_t>> layout = layoutFor(table.scope, order);
  if (layout)
    table.layout = std::move(*layout);
  return layout.has_value();
}

std::vector<uint64_t> sliceStridesElems(const TableProgram &program, const SliceLevels &levels,
                                        TableId table) {
  if (levels.count() == 0 || !program.table(table).isInput())
    return {};
  const std::vector<VarId> order = storageOrder(program, table);
  const uint32_t loops = levels.ofScope(order);
  std::vector<uint64_t> strides(loops == 0 ? 0 : levels.count(), 0);
  for (uint32_t loop = 0; loop < loops; ++loop) {
    const auto at = std::find(order.begin(), order.end(), program.order[loop]);
    if (at != order.end())
      strides[loop] = programElems(program, {at + 1, order.end()});
  }
  return strides;
}

std::string findStorageFault(const TableProgram &program) {
  const bool asScopes = std::all_of(program.tables.begin(), program.tables.end(),
                                    [](const ProgramTable &t) { return t.layout.empty(); });
  if (asScopes)
    return {};
  for (const ProgramTable &table : program.tables)
    if (std::string fault = tableFault(table); !fault.empty())
      return fault;
  for (size_t i = 0; i < program.tables.size(); ++i)
    if (std::string fault = sliceFault(program, TableId{i}); !fault.empty())
      return fault;
  for (size_t i = 0; i < program.operations.size(); ++i) {
    const Operation &operation = program.operations[i];
    const bool accumulates = std::any_of(operation.reduced.begin(), operation.reduced.end(),
                                         [&](VarId id) { return isSliced(program, id); });
    if (accumulates &&
        orderInSlice(program, operation.operands[0]) != orderInSlice(program, operation.result))
      return fmt::format("operation {}: it accumulates a table of another layout", i);
  }
  return {};
}

} // namespace mpf
