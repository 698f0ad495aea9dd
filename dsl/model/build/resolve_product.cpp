// Finds the factors that a query's product names: `f * h[0][1] * P(x)`.
#include "dsl/model/build/build_query.h"
#include "dsl/model/mpf_names.h"
#include "dsl/model/noisy_max.h"
#include "dsl/model/resolve/language_expression.h"
#include "dsl/model/resolve/variable_ref.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>

namespace mpf {

std::optional<std::vector<FactorId>> QueryBuilder::resolveProduct(const ast::QueryDecl &decl) {
  std::vector<FactorId> factors;
  std::vector<SourceRange> ranges; // parallel to `factors`
  bool ok = true;
  for (const ast::FactorRef &ref : decl.product) {
    const auto found = resolveFactor(ref);
    if (!found || !countReferences(ref.range, found->size())) {
      ok = false;
      continue;
    }
    for (const FactorId last : *found) { // only the last factor of a chain has a name
      const std::vector<FactorId> chain = chainOf(context_.model, last);
      factors.insert(factors.end(), chain.begin(), chain.end());
    }
    ranges.insert(ranges.end(), factors.size() - ranges.size(), ref.range);
  }
  if (!ok)
    return std::nullopt;
  std::vector<size_t> order(factors.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::ranges::stable_sort(order, [&](size_t a, size_t b) { return factors[a] < factors[b]; });
  const auto twice = std::ranges::adjacent_find(
      order, [&](size_t a, size_t b) { return factors[a] == factors[b]; });
  if (twice != order.end()) {
    context_.error(ranges[*(twice + 1)], "factor '{}' occurs twice in the product of {}",
                   excerpt(context_.model.factor(factors[*twice]).name, 80),
                   excerpt(decl.name.text));
    return std::nullopt;
  }
  std::ranges::sort(factors);
  return factors;
}

std::optional<std::span<const FactorId>> QueryBuilder::oneMember(const ast::FactorRef &ref,
                                                                 const std::string &key) {
  if (const auto id = context_.factors.member(key)) {
    single_ = *id;
    return std::span<const FactorId>(&single_, 1);
  }
  reportUnknown(context_, ref.range, fmt::format("no factor is called '{}'", excerpt(key, 80)),
                context_.factors.hintFor(key));
  return std::nullopt;
}

std::optional<std::span<const FactorId>> QueryBuilder::resolveFactor(const ast::FactorRef &ref) {
  if (ref.isProb)
    return resolveProb(ref);
  const std::string &name = ref.name.text;
  if (context_.factors.isBroken(name))
    return std::nullopt;
  const FactorNames::Family *family = context_.factors.family(name);
  if (ref.indices.empty())
    return family ? std::span<const FactorId>(family->members) : oneMember(ref, name);
  if (!family) {
    if (!context_.factors.member(name))
      return oneMember(ref, name);
    context_.error(ref.range, "'{}' is one factor, not a family: it takes no index", excerpt(name));
    return std::nullopt;
  }
  if (ref.indices.size() != family->indexCount) {
    context_.error(ref.range, "'{}' has {} indices here, its members have {}", excerpt(name),
                   ref.indices.size(), family->indexCount);
    return std::nullopt;
  }
  std::string key = name;
  for (const ast::Expr &expr : ref.indices) {
    const auto index = foldInteger(context_, expr, "an index", INT64_MIN, INT64_MAX);
    if (!index)
      return std::nullopt;
    key += fmt::format("[{}]", *index);
  }
  if (const auto id = context_.factors.member(key)) {
    single_ = *id;
    return std::span<const FactorId>(&single_, 1);
  }
  context_.error(ref.range, "the family '{}' of {} factors has no member {}", excerpt(name),
                 family->members.size(), excerpt(key));
  return std::nullopt;
}

std::optional<std::span<const FactorId>> QueryBuilder::resolveProb(const ast::FactorRef &ref) {
  const std::string name = probName(ref.child.name.text);
  if (context_.factors.isBroken(name))
    return std::nullopt;
  if (ref.child.indices.empty())
    if (const FactorNames::Family *family = context_.factors.family(name))
      return std::span<const FactorId>(family->members);
  const auto *array = context_.symbols.findAs<VariableSymbol>(ref.child.name.text);
  if (array && ref.child.indices.empty() && !array->dims.empty())
    return oneMember(ref, name);
  const auto child = resolveVariable(context_, ref.child);
  if (!child)
    return std::nullopt;
  return oneMember(ref, probName(context_.model.variable(*child).name));
}

} // namespace mpf
