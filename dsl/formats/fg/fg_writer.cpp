#include "dsl/formats/fg/fg_writer.h"

#include "dsl/formats/network/entry_text.h"
#include "dsl/formats/network/losses.h"
#include "dsl/model/noisy_table.h"
#include "dsl/support/check.h"
#include "dsl/support/number_text.h"

#include <cmath>

namespace mpf {

namespace {

std::vector<std::string> lossesOf(const Model &model) {
  std::vector<std::string> losses = {
      "a .fg file has no names, labels and queries: variables are numbers there"};
  if (!model.evidence.findings.empty() || !model.evidence.likelihoods.empty())
    losses.push_back("the evidence is left out: a .fg file holds tables alone");
  for (std::string &loss : commonLosses(model, true))
    losses.push_back(std::move(loss));
  return losses;
}

/// The numbers by which the file calls the variables: those of names such as x3, x7 if all names
/// are so and ascend, else the places.
std::vector<uint64_t> labelsOf(const Model &model) {
  std::vector<uint64_t> labels, places;
  for (const Variable &variable : model.variables) {
    places.push_back(places.size());
    const std::string_view name = variable.name;
    const std::optional<uint64_t> number =
        name.starts_with('x') ? parseUnsigned(name.substr(1)) : std::nullopt;
    if (number && fmt::format("x{}", *number) == name &&
        (labels.empty() || labels.back() < *number))
      labels.push_back(*number);
  }
  return labels.size() == places.size() ? labels : places;
}

void appendFactor(std::string &out, const Model &model, const std::vector<uint64_t> &labels,
                  const Factor &factor) {
  const TableValues &stated = storedValues(factor);
  if (!stated)
    fail(ErrorKind::Unsupported,
         "factor {} gets its values when the program runs, a .fg file needs them", factor.name);
  out += fmt::format("\n{}\n", factor.scope.size());
  for (auto id = factor.scope.rbegin(); id != factor.scope.rend(); ++id)
    out += fmt::format("{}{}", id == factor.scope.rbegin() ? "" : " ", labels[id->index()]);
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

WrittenModel writeFg(const Model &given) {
  const bool hasChains = ownVariableCount(given) != given.variables.size();
  const Model whole = hasChains ? withWholeTables(given) : Model();
  const Model &model = hasChains ? whole : given;
  const std::vector<uint64_t> labels = labelsOf(model);
  std::vector<bool> isNamed(model.variables.size(), false);
  std::string factors;
  size_t count = 0;
  for (size_t i = 0; i < model.factors.size(); ++i) {
    if (model.evidence.isLikelihood(FactorId(i)))
      continue;
    for (const VarId id : model.factors[i].scope)
      isNamed[id.index()] = true;
    appendFactor(factors, model, labels, model.factors[i]);
    ++count;
  }
  for (size_t i = 0; i < isNamed.size(); ++i)
    if (!isNamed[i]) {
      const uint64_t extent = model.variables[i].extent;
      Factor ones;
      ones.scope = {VarId(i)};
      ones.values = std::make_shared<const std::vector<double>>(extent, 1.0);
      appendFactor(factors, model, labels, ones);
      ++count;
    }
  return {fmt::format("{}\n{}", count, factors), lossesOf(given)};
}

} // namespace mpf
