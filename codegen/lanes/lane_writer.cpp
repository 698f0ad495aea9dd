#include "codegen/lanes/lane_writer.h"

#include "dsl/support/check.h"
#include "dsl/support/counts.h"

#include <algorithm>

namespace mpf {

namespace {

template <class T>
uint64_t strideIn(const std::vector<T> &keys, const std::vector<uint64_t> &strides, T key) {
  const auto at = std::find(keys.begin(), keys.end(), key);
  return at == keys.end() ? 0 : strides[static_cast<size_t>(at - keys.begin())];
}

} // namespace

uint64_t HeldTable::strideOf(VarId variable) const {
  return strideIn(scope, stridesElems, variable);
}

uint64_t HeldTable::strideOfColumn(uint32_t column) const {
  return strideIn(columns, columnStrides, column);
}

std::string LaneWriter::nextName(const char *kind) { return fmt::format("{}{}", kind, named_++); }

uint32_t LaneWriter::addTable(LaneTable table) {
  program_.tables.push_back(std::move(table));
  return static_cast<uint32_t>(program_.tables.size() - 1);
}

HeldTable LaneWriter::resultOver(uint32_t table, std::vector<VarId> scope,
                                 std::vector<uint32_t> columns, bool perCase) const {
  HeldTable held;
  held.table = table;
  held.scope = std::move(scope);
  held.columns = std::move(columns);
  held.perCase = perCase;
  uint64_t stride = 1;
  held.stridesElems.resize(held.scope.size());
  for (size_t i = held.scope.size(); i-- > 0;) {
    held.stridesElems[i] = stride;
    stride = saturatingMul(stride, program_.variables[held.scope[i].index()].extent);
  }
  held.columnStrides.resize(held.columns.size());
  for (size_t i = held.columns.size(); i-- > 0;) {
    held.columnStrides[i] = stride;
    stride = saturatingMul(stride, uint64_t{program_.schema.observed[held.columns[i]].extent} + 1);
  }
  return held;
}

/// Returns the table without the variables that are in a fixed state, which move its base.
HeldTable LaneWriter::declaredOver(uint32_t table, const std::vector<VarId> &declared,
                                   std::vector<uint32_t> columns, bool perCase) const {
  const HeldTable whole = resultOver(table, declared, std::move(columns), perCase);
  HeldTable held = whole;
  held.scope.clear();
  held.stridesElems.clear();
  for (size_t i = 0; i < declared.size(); ++i) {
    if (const std::optional<uint32_t> state = program_.evidence.state(declared[i])) {
      held.baseElems += *state * whole.stridesElems[i];
    } else {
      held.scope.push_back(declared[i]);
      held.stridesElems.push_back(whole.stridesElems[i]);
    }
  }
  return held;
}

HeldTable LaneWriter::addValues(LaneValues values, std::string name,
                                const std::vector<VarId> &declared) {
  const auto source = static_cast<uint32_t>(program_.values.size());
  const uint64_t size = values.sizeElems;
  program_.values.push_back(std::move(values));
  return declaredOver(addTable({std::move(name), LaneTableKind::Values, size, 0, source}), declared,
                      {}, false);
}

/// Adds a table whose entries the program stores.
uint32_t LaneWriter::addStored(std::string name, std::vector<double> entries) {
  const auto source = static_cast<uint32_t>(program_.values.size());
  const uint64_t size = entries.size();
  program_.values.push_back(
      {"", size, std::make_shared<const std::vector<double>>(std::move(entries))});
  return addTable({std::move(name), LaneTableKind::Values, size, 0, source});
}

HeldTable LaneWriter::addIndicator(uint32_t column) {
  const CaseVariable &observed = program_.schema.observed[column];
  const uint64_t states = observed.extent, size = (states + 1) * states;
  std::string name =
      fmt::format("observed({})", program_.variables[observed.variable.index()].name);
  uint32_t table = 0;
  if (size > storedElems_) {
    table = addTable({std::move(name), LaneTableKind::Indicator, size, 0, column});
  } else {
    std::vector<double> entries(size, 0.0);
    for (uint64_t state = 0; state < states; ++state)
      entries[state * states + state] = entries[states * states + state] = 1;
    table = addStored(std::move(name), std::move(entries));
  }
  return resultOver(table, {observed.variable}, {column}, false);
}

HeldTable LaneWriter::addIndicator(uint32_t column, const std::vector<VarId> &arguments,
                                   const std::vector<uint32_t> &states) {
  const CaseVariable &observed = program_.schema.observed[column];
  std::vector<double> entries;
  for (uint32_t code = 0; code <= observed.extent; ++code) // the last one: not observed
    for (const uint32_t state : states)
      entries.push_back(code == state || code == observed.extent ? 1 : 0);
  const uint32_t table =
      addStored(fmt::format("observed({})", program_.variables[observed.variable.index()].name),
                std::move(entries));
  return declaredOver(table, arguments, {column}, false);
}

HeldTable LaneWriter::addWeights(size_t number, std::string name,
                                 const std::vector<VarId> &declared) {
  const auto [known, isNew] = weights_.try_emplace(number, 0);
  if (isNew)
    known->second =
        addTable({std::move(name), LaneTableKind::Weights, program_.schema.weightTableElems(number),
                  0, static_cast<uint32_t>(number)});
  return declaredOver(known->second, declared, {}, true);
}

LaneAccess LaneWriter::access(const HeldTable &held, std::span<const VarId> scope) {
  LaneAccess access{held.table, held.baseElems, {}};
  for (const VarId variable : scope)
    access.stridesElems.push_back(held.strideOf(variable));
  return access;
}

LaneOperation LaneWriter::operationOver(std::span<const HeldTable> operands,
                                        const HeldTable &result) const {
  MPF_CHECK(!operands.empty() && operands.size() <= kMaxLaneOperands, "{} operands",
            operands.size());
  std::vector<VarId> variables = result.scope;
  for (const HeldTable &operand : operands)
    for (const VarId variable : operand.scope)
      if (std::find(variables.begin(), variables.end(), variable) == variables.end())
        variables.push_back(variable);
  LaneOperation operation;
  operation.semiring = program_.semiring;
  // Evidence digits are kept digits of common operations.
  for (const uint32_t column : result.columns)
    operation.digits.push_back({uint64_t{program_.schema.observed[column].extent} + 1, false});
  for (size_t i = 0; i < variables.size(); ++i)
    operation.digits.push_back(
        {program_.variables[variables[i].index()].extent, i >= result.scope.size()});
  const auto accessOf = [&](const HeldTable &held) {
    LaneAccess access{held.table, held.baseElems, {}};
    for (const uint32_t column : result.columns)
      access.stridesElems.push_back(held.strideOfColumn(column));
    for (const VarId variable : variables)
      access.stridesElems.push_back(held.strideOf(variable));
    return access;
  };
  for (const HeldTable &operand : operands)
    operation.operands.push_back(accessOf(operand));
  operation.result = accessOf(result);
  return operation;
}

HeldTable LaneWriter::addCommon(std::span<const HeldTable> operands,
                                const std::vector<VarId> &scope) {
  std::vector<uint32_t> columns;
  for (const HeldTable &operand : operands) {
    MPF_CHECK(!operand.perCase, "{} differs from case to case",
              program_.tables[operand.table].name);
    columns.insert(columns.end(), operand.columns.begin(), operand.columns.end());
  }
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  const uint32_t table = addTable({nextName("c"), LaneTableKind::Common, 0, 0, 0});
  HeldTable result = resultOver(table, scope, std::move(columns), false);
  LaneOperation operation = operationOver(operands, result);
  program_.tables[table].sizeElems = operation.keptAddresses();
  program_.commonOperations.push_back(std::move(operation));
  return result;
}

HeldTable LaneWriter::addMessage(std::span<const HeldTable> operands,
                                 const std::vector<VarId> &scope) {
  for (const HeldTable &operand : operands)
    MPF_CHECK(operand.columns.empty(), "{} has evidence digits, a lane reads rows of it",
              program_.tables[operand.table].name);
  const uint32_t table = addTable({nextName("m"), LaneTableKind::Message, 0, 0, 0});
  HeldTable result = resultOver(table, scope, {}, true);
  LaneOperation operation = operationOver(operands, result);
  program_.tables[table].sizeElems = operation.keptAddresses();
  program_.steps.emplace_back(std::move(operation));
  return result;
}

HeldTable LaneWriter::row(const HeldTable &held) {
  if (held.perCase || held.columns.empty())
    return held;
  // The same row under the names of this reader's variables.
  if (const auto found = rows_.find(held.table); found != rows_.end())
    return resultOver(found->second, held.scope, {}, true);
  uint64_t size = 1;
  for (const VarId variable : held.scope)
    size *= program_.variables[variable.index()].extent;
  const uint32_t table = addTable({nextName("g"), LaneTableKind::Message, size, 0, 0});
  LaneGather gather{held.table, table, {}};
  for (size_t i = 0; i < held.columns.size(); ++i)
    gather.codes.push_back({held.columns[i], held.columnStrides[i]});
  program_.steps.emplace_back(std::move(gather));
  rows_.emplace(held.table, table);
  return resultOver(table, held.scope, {}, true);
}

HeldTable LaneWriter::message(const HeldTable &held) {
  const HeldTable read = row(held);
  if (program_.tables[read.table].kind == LaneTableKind::Message)
    return read;
  return addMessage({&read, 1}, read.scope);
}

} // namespace mpf
