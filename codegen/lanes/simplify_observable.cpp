#include "codegen/lanes/simplify_observable.h"

#include "codegen/simplify/simplify.h"
#include "codegen/simplify/state/query_support.h"
#include "dsl/support/check.h"
#include "dsl/support/query_traits.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>

namespace mpf {

namespace {

/// Finds the factors of the smaller model that replace those of the observable one. Factors that
/// cases set have no values, and no pass removes such a factor of the query.
class FactorPlaces {
public:
  FactorPlaces(const ObservableModel &observable, const Model &model)
      : observable_(observable), isAsked_(observable.model.factors.size()) {
    for (const FactorId id : queryFactors(observable.model, observable.query))
      isAsked_[id.index()] = 1;
    for (size_t f = 0; f < model.factors.size(); ++f)
      byName_.emplace(model.factors[f].name, FactorId{f});
  }

  /// Returns no factor if the query does not have it.
  FactorId of(FactorId declared) const {
    if (!declared.valid() || !isAsked_[declared.index()])
      return {};
    const std::string &name = observable_.model.factor(declared).name;
    const auto found = byName_.find(name);
    MPF_CHECK(found != byName_.end(), "{} was simplified away", name);
    return found->second;
  }

  std::vector<FactorId> ofAll(std::vector<FactorId> list) const {
    std::ranges::transform(list, list.begin(), [this](FactorId id) { return of(id); });
    return list;
  }

private:
  const ObservableModel &observable_;
  std::vector<char> isAsked_; ///< by factor
  std::map<std::string, FactorId> byName_;
};

void addConstant(ObservableModel &made, double value) {
  const std::string name = fmt::format("(constant {})", made.query.factors.size());
  made.query.factors.push_back(FactorId{made.model.factors.size()});
  made.model.factors.push_back(
      {name, name, {}, std::make_shared<const std::vector<double>>(1, value), false});
}

/// Adds `scale` as factors each of which fits every element type.
void addScale(ObservableModel &made, const ScaledNumber &scale) {
  constexpr int64_t kMostExponent = 100; // of f32, with room
  if (scale.mantissa != 1)
    addConstant(made, scale.mantissa);
  for (int64_t left = scale.exponent; left != 0;) {
    const int64_t part = std::clamp(left, -kMostExponent, kMostExponent);
    addConstant(made, std::exp2(static_cast<double>(part)));
    left -= part;
  }
}

/// Whether `smaller` still answers for every variable that `observable` does.
bool answersAll(const ObservableModel &observable, const Simplified &smaller) {
  const QueryTraits &traits = traitsOf(observable.query.kind);
  if (traits.outputs != QueryOutputs::Posteriors && !traits.decoding)
    return true;
  return smaller.model.evidence.observations().size() ==
         observable.model.evidence.observations().size();
}

} // namespace

std::optional<ObservableModel> simplifyObservable(const ObservableModel &observable,
                                                  const SimplifyOptions &options,
                                                  const SimplifyHook &after) {
  if (isIntegerType(options.type)) // not for lanes
    return std::nullopt;
  SimplifyOptions withIndicators = options;
  std::ranges::copy_if(observable.indicators, std::back_inserter(withIndicators.indicators),
                       &FactorId::valid);
  Simplified simple = simplify(observable.model, observable.query, withIndicators, after);
  if (!simple.answer || !simple.answer->steps.empty() || simple.answer->scale.offset != 0 ||
      !answersAll(observable, simple))
    return std::nullopt;
  ObservableModel made;
  made.model = std::move(simple.model);
  made.query = std::move(simple.query);
  const FactorPlaces places(observable, made.model);
  made.indicators = places.ofAll(observable.indicators);
  made.indicated.resize(made.indicators.size());
  for (MovedIndicator &moved : simple.indicators) {
    const auto at = std::ranges::find(made.indicators, moved.factor);
    MPF_CHECK(at != made.indicators.end(), "factor {} is no indicator of a column",
              made.model.factor(moved.factor).name);
    made.indicated[static_cast<size_t>(at - made.indicators.begin())] = std::move(moved.states);
  }
  made.likelihoods = places.ofAll(observable.likelihoods);
  for (const VaryingTable &table : observable.tables) {
    made.tables.push_back(table);
    made.tables.back().factors = places.ofAll(table.factors);
    std::erase_if(made.tables.back().factors, [](FactorId id) { return !id.valid(); });
  }
  addScale(made, simple.answer->scale.factor);
  made.model.queries = {made.query};
  return made;
}

} // namespace mpf
