#include "tools/mpf-check-kernel/table_programs.h"

#include "codegen/pipeline/model_pipeline.h"
#include "dsl/model/model.h"

#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <numeric>
#include <random>

namespace mpf {

namespace {

/// Exponents of entries, for products that no floating-point number holds.
constexpr int kModest = 0, kWide = 120, kWideOfDouble = 900;

enum class Signs { Positive, Both };

class ModelMaker {
public:
  ModelMaker(ElementType type, int exponents, Signs signs = Signs::Positive)
      : type_(type), exponents_(exponents), signs_(signs) {}

  /// Makes a tree of large and small tables with two branches, which one level computes together.
  Model make() {
    for (const uint32_t extent : {17U, 16U, 13U, 5U, 3U, 4U, 2U, 7U, 19U})
      model_.variables.push_back({fmt::format("x{}", model_.variables.size()), extent, {}});
    for (const std::vector<size_t> &scope : std::vector<std::vector<size_t>>{
             {0, 1, 2}, {2, 3}, {3, 4}, {0, 5}, {5, 6}, {5, 7, 8}, {8}, {1, 8}})
      addFactor(scope);
    return std::move(model_);
  }

private:
  double entry() {
    const auto share = static_cast<double>(random_() >> 11) * 0x1p-53;
    if (isIntegerType(type_))
      return std::floor(3 * share);
    const int exponent =
        exponents_ == 0
            ? 0
            : static_cast<int>(random_() % static_cast<unsigned>(2 * exponents_)) - exponents_;
    const double sign = signs_ == Signs::Both && random_() % 4 == 0 ? -1 : 1;
    return random_() % 11 == 0 ? 0 : sign * std::ldexp(0.5 + share / 2, exponent);
  }

  void addFactor(const std::vector<size_t> &scope) {
    Factor factor;
    factor.name = factor.family = fmt::format("f{}", model_.factors.size());
    uint64_t elems = 1;
    for (const size_t variable : scope) {
      factor.scope.emplace_back(variable);
      elems *= model_.variables[variable].extent;
    }
    auto values = std::make_shared<std::vector<double>>(elems);
    for (double &value : *values)
      value = entry();
    factor.values = std::move(values);
    model_.factors.push_back(std::move(factor));
  }

  const ElementType type_;
  const int exponents_;
  const Signs signs_;
  std::mt19937_64 random_{7};
  Model model_;
};

/// Returns a query with a result for each state of the first `kept` variables.
Query queryOf(const Model &model, Reduce reduce, Combine combine, size_t kept = 0) {
  Query query;
  query.name = fmt::format("{}-{}", static_cast<int>(reduce), static_cast<int>(combine));
  query.kind = QueryKind::Expression;
  query.combine = combine;
  QueryReduction reduction{reduce, {}};
  for (size_t v = 0; v < model.variables.size(); ++v)
    (v < kept ? query.output : reduction.variables).emplace_back(v);
  query.reductions = {std::move(reduction)};
  for (size_t f = 0; f < model.factors.size(); ++f)
    query.factors.emplace_back(f);
  return query;
}

void add(std::vector<Bundle> &bundles, const Model &model, const Query &query, ElementType type) {
  QueryPolicy policy;
  policy.settings.purpose = Purpose::Text;
  policy.settings.simplify = Simplification::Off;
  policy.settings.devices = DeviceRequest::cpu();
  policy.settings.type = type;
  policy.settings.order = OrderMethod::MinFill; // no search: equal plans on all machines
  policy.settings.threads = 1;
  compileEach(model, {query}, policy,
              [&bundles](Bundle bundle) { bundles.push_back(std::move(bundle)); });
}

} // namespace

std::vector<Bundle> tablePrograms(ElementType type) {
  std::vector<Bundle> bundles;
  const Model model = ModelMaker(type, kModest).make();
  add(bundles, model, queryOf(model, Reduce::Sum, Combine::Times), type);
  if (isIntegerType(type))
    return bundles;
  add(bundles, model, shortQuery(model, QueryKind::Marginals), type);
  add(bundles, model, shortQuery(model, QueryKind::Mpe), type);
  add(bundles, model, queryOf(model, Reduce::Min, Combine::Plus), type);
  const int exponents = type == ElementType::F32 ? kWide : kWideOfDouble;
  for (const Signs signs : {Signs::Positive, Signs::Both}) {
    const Model wide = ModelMaker(type, exponents, signs).make();
    add(bundles, wide, queryOf(wide, Reduce::Sum, Combine::Times, 1), type);
  }
  return bundles;
}

} // namespace mpf
