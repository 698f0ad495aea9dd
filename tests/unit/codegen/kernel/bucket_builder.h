// One-operation table programs from letters: bucket("xzwy", {2,3,2,2}, {"xzy","xw","wy"}, "xz").
#pragma once

#include "codegen/plan/program/table_program.h"

#include <string>
#include <string_view>
#include <vector>

namespace mpf {

/// Variables are the letters of `order`, most significant first, with their `extents`; tables are
/// words over them in that order, "!xk" a packed one; the variables outside `kept` are reduced.
inline TableProgram bucket(const std::string &order, const std::vector<uint32_t> &extents,
                           const std::vector<std::string> &operands, const std::string &kept,
                           Semiring semiring = {}) {
  TableProgram program;
  program.name = "bucket";
  const auto scopeOf = [&](const std::string &word) {
    std::vector<VarId> scope;
    for (char letter : word)
      if (letter != '!')
        scope.push_back(VarId(order.find(letter)));
    return scope;
  };
  const auto addTable = [&](std::string name, const std::string &word) {
    ProgramTable table{std::move(name), scopeOf(word), 1, {}, {}};
    for (VarId v : table.scope)
      table.sizeElems *= extents[v.index()];
    program.tables.push_back(table);
    return TableId(program.tables.size() - 1);
  };
  for (size_t i = 0; i < order.size(); ++i) {
    program.variables.push_back({std::string(1, order[i]), extents[i], false});
    program.order.push_back(VarId(i));
  }
  Operation operation;
  for (const std::string &word : operands) {
    operation.operands.push_back(
        addTable(std::string(1, static_cast<char>('f' + operation.operands.size())), word));
    program.tables.back().factor = FactorId(operation.operands.size() - 1);
    program.tables.back().packed = word.starts_with('!');
  }
  operation.result = addTable("m0", kept);
  program.tables.back().producer = OpId(0);
  operation.semiring = semiring;
  for (char letter : order)
    if (kept.find(letter) == std::string::npos)
      operation.reduced.push_back(VarId(order.find(letter)));
  program.operations.push_back(operation);
  return program;
}

} // namespace mpf
