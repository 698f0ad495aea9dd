#include "codegen/bundle/open_variables.h"

#include "dsl/support/counts.h"

#include <algorithm>

namespace mpf {

std::vector<std::vector<VarId>> openVariables(const Bundle &bundle) {
  std::vector<char> isOpen(bundle.variables.size(), 0);
  for (const BundleTraceback &step : bundle.traceback)
    isOpen[step.variable.index()] = 1;
  std::vector<std::vector<VarId>> open;
  for (const BundleTraceback &step : bundle.traceback) {
    isOpen[step.variable.index()] = 0;
    std::vector<VarId> &mine = open.emplace_back();
    for (const BundleTraceback::Table &table : step.tables)
      std::ranges::copy_if(table.layout, std::back_inserter(mine),
                           [&isOpen](VarId id) { return isOpen[id.index()] != 0; });
    std::ranges::sort(mine);
    const auto repeated = std::ranges::unique(mine);
    mine.erase(repeated.begin(), repeated.end());
  }
  return open;
}

uint64_t jointStates(const Bundle &bundle, const std::vector<VarId> &variables) {
  uint64_t states = 1;
  for (const VarId id : variables)
    states = saturatingMul(states, bundle.variables[id.index()].extent);
  return states;
}

uint64_t openStride(const Bundle &bundle, const std::vector<VarId> &open, VarId id) {
  return jointStates(bundle, {std::ranges::find(open, id) + 1, open.end()});
}

} // namespace mpf
