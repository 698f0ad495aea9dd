// Any bytes as evidence, virtual evidence and query variables of a small model.
#include "dsl/formats/uai_evidence.h"
#include "dsl/support/check.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/fuzz/small_model.h"

#include <algorithm>

using namespace mpf;

namespace {

void checkEvidence(const Model &model) {
  for (size_t i = 0; i < model.evidence.size(); ++i) {
    const Observation &now = model.evidence[i];
    MPF_CHECK(now.state < model.variable(now.variable).extent, "state {}", now.state);
    MPF_CHECK(i == 0 || model.evidence[i - 1].variable < now.variable, "not ascending at {}", i);
  }
  if (!model.batch)
    return;
  for (const std::vector<uint32_t> &row : model.batch->rows)
    MPF_CHECK(row.size() == model.batch->variables.size(), "{} cells for {} columns", row.size(),
              model.batch->variables.size());
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
