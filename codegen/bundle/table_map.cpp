#include "codegen/bundle/table_map.h"

#include <algorithm>

namespace mpf {

namespace {

/// Returns the stride of axis `at` in a table with these axes, the last one fastest.
uint64_t strideOf(const Bundle &bundle, const std::vector<VarId> &axes, size_t at) {
  uint64_t stride = 1;
  for (size_t i = axes.size(); i-- > at + 1;)
    stride *= bundle.variables[axes[i].index()].extent;
  return stride;
}

/// Returns a digit for each variable of `walked`, with its stride in a table with `axes`.
std::vector<MapDigit> digitsAlong(const Bundle &bundle, const std::vector<VarId> &walked,
                                  const std::vector<VarId> &axes) {
  std::vector<MapDigit> digits;
  for (const VarId id : walked) {
    const auto at = std::find(axes.begin(), axes.end(), id) - axes.begin();
    if (const uint64_t extent = bundle.variables[id.index()].extent; extent > 1)
      digits.push_back({extent, strideOf(bundle, axes, static_cast<size_t>(at))});
  }
  return digits;
}

} // namespace

TableMap mapOfInput(const Bundle &bundle, const BundleInput &input, const Evidence &evidence) {
  TableMap map;
  for (size_t i = 0; i < input.scope.size(); ++i)
    if (const std::optional<uint32_t> state = evidence.state(input.scope[i]))
      map.baseElems += strideOf(bundle, input.scope, i) * *state;
  map.digits = digitsAlong(bundle, input.layout, input.scope);
  return map;
}

uint64_t valueCount(const Bundle &bundle, const BundleInput &input) {
  uint64_t count = 1;
  for (const VarId id : input.scope)
    count *= bundle.variables[id.index()].extent;
  return count;
}

TableMap mapOfOutput(const Bundle &bundle, const BundleOutput &output) {
  return {0, digitsAlong(bundle, output.scope, output.layout)};
}

} // namespace mpf
