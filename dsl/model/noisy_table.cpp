#include "dsl/model/noisy_table.h"

#include "dsl/model/edit_evidence.h"
#include "dsl/model/mpf_names.h"
#include "dsl/model/noisy_max.h"
#include "dsl/source/text_error.h"
#include "dsl/support/counts.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace mpf {

namespace {

/// Whether the query is a sum of products, also over all auxiliary variables.
bool sumsProducts(const Query &query) {
  const QueryTraits &traits = traitsOf(query.kind);
  if (!traits.isExpression())
    return traits.reduce == Reduce::Sum && !traits.decoding;
  return query.combine == Combine::Times &&
         std::ranges::all_of(query.reductions, [](const QueryReduction &reduction) {
           return reduction.reduce == Reduce::Sum;
         });
}

/// Returns the table over (causes..., effect). It grows by one cause at a time.
std::vector<double> wholeTable(const NoisyMax &noisy) {
  const size_t states = noisy.leak.size();
  std::vector<double> whole = noisy.leak;
  for (const TableValues &table : noisy.tables) {
    const size_t rows = table->size() / states;
    std::vector<double> longer(whole.size() * rows, 0);
    for (size_t before = 0; before < whole.size() / states; ++before)
      for (size_t row = 0; row < rows; ++row) {
        double *const out = &longer[(before * rows + row) * states];
        for (size_t i = 0; i < states; ++i)
          for (size_t j = 0; j < states; ++j)
            out[noisy.takesLowest ? std::min(i, j) : std::max(i, j)] +=
                whole[before * states + i] * (*table)[row * states + j];
      }
    whole = std::move(longer);
  }
  return whole;
}

class Multiplication {
public:
  /// `who` needs the whole tables, `advice` says what needs none: both are for a message.
  Multiplication(const Model &model, const Query &query, std::string who, std::string advice = "")
      : given_(model), made_{model, query}, who_(std::move(who)), advice_(std::move(advice)) {}

  MultipliedOut run() {
    const auto unit = std::make_shared<const std::vector<double>>(1, 1.0);
    for (size_t i = 0; i < given_.factors.size(); ++i) {
      Factor &factor = made_.model.factors[i];
      const std::optional<NoisyMax> noisy = noisyMaxOf(given_, FactorId{i});
      const bool isAsked = std::ranges::binary_search(made_.query.factors, FactorId{i});
      if (noisy && isAsked)
        replace(factor, *noisy);
      else if (noisy || isInnerLink(given_, given_.factors[i]))
        dropLink(FactorId{i}, unit);
    }
    const auto isAuxiliary = [this](VarId id) { return given_.variable(id).auxiliary; };
    for (QueryReduction &reduction : made_.query.reductions)
      std::erase_if(reduction.variables, isAuxiliary);
    for (Factor &factor : made_.model.factors)
      factor.uncut = nullptr; // it may have auxiliary variables
    made_.model.variables.resize(ownVariableCount(given_));
    return std::move(made_);
  }

private:
  /// Replaces a link by the constant 1, and removes it from queries that add their factors.
  void dropLink(FactorId id, const TableValues &unit) {
    Factor &factor = made_.model.factors[id.index()];
    factor = {factor.name, factor.family, {}, unit};
    if (made_.query.combine != Combine::Times)
      std::erase(made_.query.factors, id);
  }

  void replace(Factor &factor, const NoisyMax &noisy) {
    factor.scope = noisy.causes;
    factor.scope.push_back(noisy.effect);
    const uint64_t elems = scopeElems(given_, factor.scope);
    entries_ = saturatingAdd(entries_, elems);
    if (entries_ > kMaxNoisyTableElems)
      refuse(factor);
    factor.values = std::make_shared<const std::vector<double>>(wholeTable(noisy));
  }

  [[noreturn]] void refuse(const Factor &factor) const {
    double bits = 0;
    for (const VarId id : factor.scope)
      bits += std::log2(given_.variable(id).extent);
    failAt(ErrorKind::Unsupported, made_.query.place,
           "{} is a noisy-max of {} causes, and {} needs its whole table of 2^{:.1f} entries; such "
           "tables may have 2^24 in all{}",
           excerpt(factor.name, 80), factor.scope.size() - 1, who_, bits, advice_);
  }

  const Model &given_;
  MultipliedOut made_;
  const std::string who_, advice_;
  uint64_t entries_ = 0;
};

} // namespace

std::optional<MultipliedOut> multipliedOut(const Model &model, const Query &query) {
  if (model.variables.empty() || !model.variables.back().auxiliary || sumsProducts(query))
    return std::nullopt;
  return Multiplication(model, query, "query " + excerpt(query.name, 80),
                        ". Evidence, marginals and P(...) need none")
      .run();
}

Model withWholeTables(const Model &model) {
  Model whole =
      Multiplication(model, shortQuery(model, QueryKind::Evidence), "a file that knows no causes")
          .run()
          .model;
  whole.queries.clear();
  std::vector<FactorId> links;
  for (size_t i = 0; i < model.factors.size(); ++i)
    if (isInnerLink(model, model.factors[i]))
      links.emplace_back(i);
  removeFactors(whole, std::move(links));
  return whole;
}

} // namespace mpf
