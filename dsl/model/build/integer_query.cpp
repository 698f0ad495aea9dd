#include "dsl/model/build/integer_query.h"

#include "dsl/model/build/build_table.h"
#include "dsl/support/integer_value.h"
#include "dsl/support/number_text.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <fmt/core.h>
#include <unordered_set>

namespace mpf {

namespace {

std::string factorFault(const Model &model, const Factor &factor) {
  const auto bad = std::ranges::find_if(
      *factor.values, [](double value) { return !isIntegerBelow(value, kExactTextBits); });
  if (bad == factor.values->end())
    return {};
  return fmt::format(
      "{} is {} at {}", excerpt(factor.name, 80), formatDouble(*bad),
      entryText(model, factor.scope, static_cast<uint64_t>(bad - factor.values->begin())));
}

} // namespace

std::string integerQueryFault(const Model &model, const Query &query, ElementType type) {
  if (!isIntegerType(type))
    return {};
  const std::string name = excerpt(query.name, 80);
  if (traitsOf(query.kind).isQuotient)
    return fmt::format("{} asks for quotients, {} holds whole numbers only: ask for counts, as in "
                       "query n(x) : {} = sum() f * g",
                       name, elementTypeName(type), elementTypeName(type));
  for (const QueryReduction &reduction : query.reductions)
    if (reduction.reduce == Reduce::LogSum)
      return fmt::format("{} adds what its values are the logs of, {} holds whole numbers only",
                         name, elementTypeName(type));
  std::unordered_set<const void *> seen; // never walked
  for (const FactorId id : query.factors) {
    const Factor &factor = model.factor(id);
    if (!factor.values || isSwept(model, factor.formula.get()) ||
        !seen.insert(factor.values.get()).second)
      continue;
    if (const std::string fault = factorFault(model, factor); !fault.empty())
      return fmt::format("{} counts in {}, which needs whole numbers from 0 to 2^53 - 1; {}", name,
                         elementTypeName(type), fault);
  }
  return {};
}

} // namespace mpf
