#include "dsl/formats/cases/tables/formula_cases.h"

#include "dsl/formats/cases/tables/checked_cases.h"

#include <utility>

namespace mpf {

std::unique_ptr<CaseSource> withFormulas(std::shared_ptr<CaseSource> given, const Model &model,
                                         bool nonNegative) {
  CaseFormulas formulas(model, given->schema(), nonNegative);
  return withFormulas(std::move(given), std::move(formulas));
}

std::unique_ptr<CaseSource> withFormulas(std::shared_ptr<CaseSource> given, CaseFormulas formulas) {
  CaseSchema schema = formulas.schema();
  return checkedCases(
      std::move(given), std::move(schema),
      [formulas = std::move(formulas)](CaseBlock &block) mutable { return formulas.fill(block); });
}

} // namespace mpf
