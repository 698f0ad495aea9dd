#include "dsl/formats/uai/uai_writer.h"

#include "dsl/formats/network/entry_text.h"
#include "dsl/formats/network/losses.h"
#include "dsl/model/noisy_table.h"
#include "dsl/support/check.h"
#include "dsl/support/number_text.h"

#include <algorithm>
#include <cmath>

namespace mpf {

namespace {

bool isBayes(const Model &model) {
  std::vector<bool> isChild(model.variables.size(), false);
  for (const Factor &factor : model.factors) {
    if (!factor.conditional || isChild[factor.scope.back().index()])
      return false;
    isChild[factor.scope.back().index()] = true;
  }
  return !model.factors.empty() && model.factors.size() == model.variables.size();
}

/// Appends the entries, one line per row over the last variable.
void appendTable(std::string &out, const Model &model, const Factor &factor) {
  const TableValues &stated = storedValues(factor);
  if (!stated)
    fail(ErrorKind::Unsupported,
         "factor {} gets its values when the program runs, a .uai file needs them", factor.name);
  const StoredValues values(*stated, scopeElems(model, factor.scope));
  const size_t row = factor.scope.empty() ? 1 : model.variable(factor.scope.back()).extent;
  MPF_CHECK(holdsValues(stated->size(), values.size()), "{} values, the scope needs {}",
            stated->size(), values.size());
  out += fmt::format("\n{}\n", values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values.mantissa(i)))
      fail(ErrorKind::Unsupported, "entry {} of factor {} is {}, a .uai file holds finite numbers",
           i, factor.name, formatDouble(values.mantissa(i)));
    out += ' ';
    out += entryTextOf(values, i);
    if ((i + 1) % row == 0)
      out += '\n';
  }
}

/// Returns the line `m v1 x1 .. vm xm`, variables ascending.
void appendSample(std::string &out, const std::vector<Observation> &observations) {
  out += fmt::format("{}", observations.size());
  for (const Observation &observation : observations)
    out += fmt::format(" {} {}", observation.variable, observation.state);
  out += '\n';
}

} // namespace

std::string writeUai(const Model &given) {
  const bool hasChains = ownVariableCount(given) != given.variables.size();
  const Model whole = hasChains ? withWholeTables(given) : Model();
  const Model &model = hasChains ? whole : given;
  std::string out = isBayes(model) ? "BAYES\n" : "MARKOV\n";
  out += fmt::format("{}\n", model.variables.size());
  for (size_t i = 0; i < model.variables.size(); ++i)
    out += fmt::format("{}{}", i ? " " : "", model.variables[i].extent);
  out += fmt::format("\n{}\n", model.factors.size());
  for (const Factor &factor : model.factors) {
    out += fmt::format("{}", factor.scope.size());
    for (const VarId id : factor.scope)
      out += fmt::format(" {}", id);
    out += '\n';
  }
  for (const Factor &factor : model.factors)
    appendTable(out, model, factor);
  return out;
}

std::vector<std::string> uaiLosses(const Model &model) {
  std::vector<std::string> losses = {
      "a .uai file has no names, labels and queries: variables are numbers there"};
  for (std::string &loss : commonLosses(model, true))
    losses.push_back(std::move(loss));
  return losses;
}

std::string writeEvidence(const Model &model) {
  std::string out;
  if (model.evidence.listed)
    out += fmt::format("{}\n", model.evidence.caseCount);
  for (uint64_t number = 0; number < model.evidence.caseCount; ++number)
    appendSample(out, model.evidence.observations(number));
  return out;
}

} // namespace mpf
