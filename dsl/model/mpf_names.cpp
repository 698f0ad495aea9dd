#include "dsl/model/mpf_names.h"

#include "dsl/support/counts.h"
#include "dsl/support/number_text.h"
#include "dsl/support/numbers/row_sums.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <fmt/core.h>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace mpf {

namespace {

bool sameDomain(const Variable &a, const Variable &b) {
  return a.extent == b.extent && a.labels == b.labels;
}

/// Returns the dims if variables first .. first + count - 1 are exactly an array; else nothing.
std::vector<uint64_t> arrayDims(const std::vector<IndexedName> &names, size_t first, size_t count) {
  std::vector<uint64_t> dims = names[first + count - 1].indices;
  uint64_t elems = 1;
  for (uint64_t &dim : dims)
    elems = saturatingMul(elems, ++dim);
  if (elems != count)
    return {};
  for (size_t i = 0; i < count; ++i) {
    size_t rest = i;
    for (size_t axis = dims.size(); axis-- > 0; rest /= dims[axis])
      if (names[first + i].indices[axis] != rest % dims[axis])
        return {};
  }
  return dims;
}

} // namespace

std::string probName(std::string_view child) {
  std::string name;
  name.reserve(child.size() + 3); // models name thousands
  name += "P(";
  name += child;
  name += ')';
  return name;
}

std::string probNotation(const Model &model, const std::vector<VarId> &scope) {
  std::string name = "P(" + model.variable(scope.back()).name;
  for (size_t i = 0; i + 1 < scope.size(); ++i)
    name += (i == 0 ? " | " : ", ") + model.variable(scope[i]).name;
  return name + ')';
}

IndexedName splitIndexedName(const std::string &name) {
  IndexedName split{name, {}};
  const size_t open = name.find('[');
  if (open == 0 || open == std::string::npos || name.back() != ']')
    return split;
  std::vector<uint64_t> indices;
  std::string_view rest = std::string_view(name).substr(open);
  while (!rest.empty()) {
    const size_t close = rest.find(']');
    if (rest.front() != '[' || close == std::string_view::npos)
      return split;
    const std::string_view digits = rest.substr(1, close - 1);
    const auto index = parseUnsigned(digits);
    if (!index || *index == UINT64_MAX || (digits.size() > 1 && digits.front() == '0'))
      return split;
    indices.push_back(*index);
    rest.remove_prefix(close + 1);
  }
  return {name.substr(0, open), std::move(indices)};
}

std::vector<VariableRun> groupVariables(const Model &model) {
  std::vector<IndexedName> names;
  names.reserve(model.variables.size());
  std::unordered_set<std::string_view> taken; // names a base must not collide with
  for (const Variable &variable : model.variables) {
    names.push_back(splitIndexedName(variable.name));
    taken.insert(variable.name);
  }
  std::vector<VariableRun> runs;
  for (size_t first = 0; first < names.size();) {
    const IndexedName &head = names[first];
    size_t end = first + 1;
    while (!head.indices.empty() && end < names.size() && names[end].base == head.base &&
           names[end].indices.size() == head.indices.size() &&
           sameDomain(model.variables[end], model.variables[first]))
      ++end;
    VariableRun run{first, end - first, head.base, arrayDims(names, first, end - first)};
    if (run.dims.empty() || !taken.insert(names[first].base).second)
      // Not an array: one scalar each. The rest of the run cannot be an array either, because an
      // array starts with all indices 0 and those names are unique.
      for (size_t i = first; i < end; ++i)
        runs.push_back({i, 1, model.variables[i].name, {}});
    else
      runs.push_back(std::move(run));
    first = end;
  }
  return runs;
}

MpfSpelling::MpfSpelling(const Model &model)
    : model_(model), runs_(groupVariables(model)), variables_(model.variables.size()) {
  for (const VariableRun &run : runs_) {
    const std::string base = spellName(run.base);
    for (size_t i = run.first; i < run.first + run.count; ++i)
      variables_[i] =
          run.dims.empty() ? base : base + model.variables[i].name.substr(run.base.size());
  }
}

std::string MpfSpelling::list(const std::vector<VarId> &ids, std::string_view separator) const {
  std::string text;
  for (const VarId id : ids) {
    if (!text.empty())
      text += separator;
    text += variable(id);
  }
  return text;
}

bool MpfSpelling::isProb(const Factor &factor) const {
  if (!factor.conditional)
    return false;
  const Variable &child = model_.variable(factor.scope.back());
  return factor.name == probName(child.name) &&
         (isInput(factor) || factor.wide || isSwept(model_, factor.formula.get()) ||
          areRowsTaken(StoredValues(*factor.values, factor.values->size()), child.extent));
}

IndexedName MpfSpelling::member(const Factor &factor) const {
  IndexedName split = splitIndexedName(factor.name);
  if (split.indices.empty() || split.base != factor.family)
    return {factor.name, {}};
  return split;
}

std::string MpfSpelling::reference(const Factor &factor) const {
  if (isProb(factor))
    return probName(variable(factor.scope.back()));
  const IndexedName name = member(factor);
  std::string text = spellName(name.base);
  for (const uint64_t index : name.indices)
    text += fmt::format("[{}]", index);
  return text;
}

} // namespace mpf
