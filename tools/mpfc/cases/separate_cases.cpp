#include "tools/mpfc/cases/separate_cases.h"

#include "dsl/formats/cases/evidence_cases.h"

#include <utility>

namespace mpf::driver {

SeparateCases separateCases(const Model &model) {
  SeparateCases separate;
  separate.model = model;
  separate.source = std::exchange(separate.model.cases, nullptr);
  if (separate.source)
    return separate;
  SplitEvidence split = splitListedEvidence(
      model.evidence, [&](VarId id) { return model.variable(id).extent; }, "the evidence");
  separate.model.evidence = std::move(split.common);
  separate.source = std::move(split.cases);
  return separate;
}

} // namespace mpf::driver
