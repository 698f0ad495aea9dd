#include "dsl/formats/fg/fg_writer.h"

#include "dsl/formats/network/entry_text.h"
#include "dsl/formats/network/losses.h"
#include "dsl/model/noisy_table.h"
#include "dsl/support/check.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {

void appendFactor(std::string &out, const Model &model, const Factor &factor) {
  const TableValues &stated = storedValues(factor);
  if (!stated)
    fail(ErrorKind::Unsupported,
         "factor {} gets its values when the program runs, a .fg file needs them", factor.name);
  out += fmt::format("\n{}\n", factor.scope.size());
  for (auto id = factor.scope.rbegin(); id != factor.scope.rend(); ++id)
    out += fmt::format("{}{}", id == factor.scope.rbegin() ? "" : " ", *id);
  out += '\n';
  for (auto id = factor.scope.rbegin(); id != factor.scope.rend(); ++id)
    out += fmt::format("{}{}", id == factor.scope.rbegin() ? "" : " ", model.variable(*id).extent);
  const StoredValues values(*stated, scopeElems(model, factor.scope));
  uint64_t listed = 0;
  for (uint64_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values.mantissa(i)) || values.mantissa(i) < 0)
      fail(ErrorKind::Unsupported,
           "entry {} of factor {} is {}, a .fg file holds finite numbers of at least 0", i,
           factor.name, entryTextOf(values, i));
    listed += values.mantissa(i) != 0 ? 1 : 0;
  }
  out += fmt::format("\n{}\n", listed);
  for (uint64_t i = 0; i < values.size(); ++i)
    if (values.mantissa(i) != 0)
      out += fmt::format("{} {}\n", i, entryTextOf(values, i));
}

} // namespace

std::string writeFg(const Model &given) {
  const bool hasChains = ownVariableCount(given) != given.variables.size();
  const Model whole = hasChains ? withWholeTables(given) : Model();
  const Model &model = hasChains ? whole : given;
  std::vector<bool> isNamed(model.variables.size(), false);
  for (const Factor &factor : model.factors)
    for (const VarId id : factor.scope)
      isNamed[id.index()] = true;
  const auto unnamed = static_cast<size_t>(std::ranges::count(isNamed, false));
  std::string out = fmt::format("{}\n", model.factors.size() + unnamed);
  for (const Factor &factor : model.factors)
    appendFactor(out, model, factor);
  for (size_t i = 0; i < isNamed.size(); ++i)
    if (!isNamed[i]) {
      const uint64_t extent = model.variables[i].extent;
      Factor ones;
      ones.scope = {VarId(i)};
      ones.values = std::make_shared<const std::vector<double>>(extent, 1.0);
      appendFactor(out, model, ones);
    }
  return out;
}

std::vector<std::string> fgLosses(const Model &model) {
  std::vector<std::string> losses = {
      "a .fg file has no names, labels and queries: variables are numbers there"};
  if (!model.evidence.findings.empty())
    losses.push_back("the evidence is left out: a .fg file holds tables alone");
  for (std::string &loss : commonLosses(model))
    losses.push_back(std::move(loss));
  return losses;
}

} // namespace mpf
