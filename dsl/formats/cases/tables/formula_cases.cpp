#include "dsl/formats/cases/tables/formula_cases.h"

#include "dsl/formats/cases/tables/checked_cases.h"
#include "dsl/support/spares.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace mpf {

std::unique_ptr<CaseSource> withFormulas(std::shared_ptr<CaseSource> given, const Model &model,
                                         const EntryNeeds &needs) {
  CaseFormulas formulas(model, given->schema(), needs);
  return withFormulas(std::move(given), std::move(formulas));
}

std::unique_ptr<CaseSource> withFormulas(std::shared_ptr<CaseSource> given, CaseFormulas formulas) {
  /// The formulas, with a spare copy for each thread: a copy has its own memory.
  struct Filler {
    const CaseFormulas formulas;
    Spares<std::optional<CaseFormulas>> spares = {};
  };
  CaseSchema schema = formulas.schema();
  const auto filler = std::make_shared<Filler>(std::move(formulas));
  return checkedCases(std::move(given), std::move(schema), [filler](CaseBlock &block) {
    std::vector<CaseFault> faults;
    filler->spares.with([&](std::optional<CaseFormulas> &own) {
      if (!own)
        own = filler->formulas;
      faults = own->fill(block);
    });
    return faults;
  });
}

} // namespace mpf
