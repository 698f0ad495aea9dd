#include "codegen/plan/order/print_graph.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace mpf {

std::string printGraph(const TableProgram &program) {
  std::vector<std::pair<uint32_t, uint32_t>> edges;
  const auto addScope = [&edges](const std::vector<VarId> &scope) {
    for (const VarId a : scope)
      for (const VarId b : scope)
        if (a < b)
          edges.emplace_back(a.value + 1, b.value + 1);
  };
  for (const ProgramTable &table : program.tables)
    if (table.isInput())
      addScope(table.scope);
  for (const ProgramOutput &output : program.outputs)
    addScope(program.table(output.table).scope);
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  std::string text = fmt::format("p tw {} {}\n", program.variables.size(), edges.size());
  for (const auto &[from, to] : edges)
    fmt::format_to(std::back_inserter(text), "{} {}\n", from, to);
  return text;
}

} // namespace mpf
