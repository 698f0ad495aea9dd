#include "dsl/model/build/integer_query.h"

#include "dsl/model/tables/build_table.h"
#include "dsl/support/integer_value.h"
#include "dsl/support/numbers/scaled_text.h"
#include "dsl/syntax/spelling.h"

#include <algorithm>
#include <fmt/core.h>
#include <unordered_set>

namespace mpf {

namespace {

std::string factorFault(const Model &model, const Factor &factor) {
  const StoredValues values(*storedValues(factor), scopeElems(model, factor.scope));
  for (uint64_t i = 0; i < values.size(); ++i) {
    const ScaledNumber value = values.at(i);
    if (!isIntegerBelow(values.isWide() ? value.nearest() : values.mantissa(i), kExactTextBits) ||
        (value.mantissa != 0 && value.nearest() == 0))
      return fmt::format("{} is {} at {}", excerpt(factor.name, 80), formatScaled(value),
                         entryText(model, factor.scope, i));
  }
  return {};
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
  std::unordered_set<const void *> seen; // only looked up
  for (const FactorId id : query.factors) {
    const Factor &factor = model.factor(id);
    if (isInput(factor) || isSwept(model, factor.formula.get()) ||
        !seen.insert(storedValues(factor).get()).second)
      continue;
    if (const std::string fault = factorFault(model, factor); !fault.empty())
      return fmt::format("{} counts in {}, which needs whole numbers from 0 to 2^53 - 1; {}", name,
                         elementTypeName(type), fault);
  }
  return {};
}

} // namespace mpf
