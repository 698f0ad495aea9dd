// Reads any bytes as evidence, virtual evidence and query variables of a small model.
#include "dsl/formats/uai/uai_evidence.h"
#include "dsl/model/verify_model.h"
#include "dsl/support/check.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/fuzz/small_model.h"

#include <algorithm>

using namespace mpf;

namespace {

void checkEvidence(const Model &model) {
  const std::string fault = findModelFault(model);
  MPF_CHECK(fault.empty(), "{}", fault);
  MPF_CHECK(model.evidence.listed || model.evidence.caseCount == 1, "{} cases",
            model.evidence.caseCount);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const Model kModel = smallModel();
  const auto source = fuzzSource(data, size);
  Diagnostics diagnostics;
  Model observed = kModel;
  const bool read = readEvidence(source, observed, diagnostics);
  MPF_CHECK(read == !diagnostics.hasErrors(), "{} errors", diagnostics.errorCount());
  checkEvidence(observed);

  Diagnostics softDiagnostics;
  Model soft = kModel;
  const bool softRead = readVirtualEvidence(source, soft, softDiagnostics);
  MPF_CHECK(softRead == !softDiagnostics.hasErrors(), "{} errors", softDiagnostics.errorCount());

  Diagnostics queryDiagnostics;
  const auto query = readQueryVariables(source, kModel, queryDiagnostics);
  MPF_CHECK(query.has_value() == !queryDiagnostics.hasErrors(), "{} errors",
            queryDiagnostics.errorCount());
  renderDiagnostics(diagnostics);
  renderDiagnostics(softDiagnostics);
  renderDiagnostics(queryDiagnostics);
  return 0;
}
