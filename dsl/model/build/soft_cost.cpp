#include "dsl/model/build/soft_cost.h"

#include "dsl/syntax/spelling.h"

namespace mpf {

std::string softCostFault(const Model &model, const Query &query, VarId variable) {
  if (query.combine == Combine::Times)
    return "";
  // A query of one factor has no `+`: the message explains why it adds. With logsum this is clear.
  const bool isLog = !query.reductions.empty() && query.reductions.front().reduce == Reduce::LogSum;
  const std::string why = query.factors.size() == 1 && !isLog
                              ? fmt::format(", for entries of {} may be below 0",
                                            excerpt(model.factor(query.factors.front()).name, 80))
                              : "";
  return fmt::format("{} adds its factors{}; the soft evidence on '{}' is a factor of a product",
                     excerpt(query.name), why, excerpt(model.variable(variable).name));
}

} // namespace mpf
