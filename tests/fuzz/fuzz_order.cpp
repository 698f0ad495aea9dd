// Any bytes as an elimination order (.order, .td) and as a table of cases, for a small model.
#include "dsl/formats/cases_file.h"
#include "dsl/formats/order_file.h"
#include "dsl/model/verify_model.h"
#include "dsl/support/check.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/fuzz/small_model.h"

#include <set>

using namespace mpf;

namespace {

/// Variables of the model, each once.
void checkVariables(const Model &model, const std::vector<VarId> &variables) {
  std::set<VarId> seen;
  for (const VarId variable : variables) {
    MPF_CHECK(variable.index() < model.variables.size(), "variable {} of {}", variable.value,
              model.variables.size());
    MPF_CHECK(seen.insert(variable).second, "variable {} twice", variable.value);
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const Model kModel = smallModel();
  const auto source = fuzzSource(data, size);
  Diagnostics orderDiagnostics;
  const auto order = readOrderFile(source, kModel, orderDiagnostics);
  MPF_CHECK(order.has_value() == !orderDiagnostics.hasErrors(), "{} errors",
            orderDiagnostics.errorCount());
  if (order)
    checkVariables(kModel, *order);
  renderDiagnostics(orderDiagnostics);

  Diagnostics caseDiagnostics;
  const auto cases = readCases(source, kModel, caseDiagnostics);
  MPF_CHECK(cases.has_value() == !caseDiagnostics.hasErrors(), "{} errors",
            caseDiagnostics.errorCount());
  if (cases) {
    Model observed = kModel;
    observed.evidence = *cases;
    const std::string fault = findModelFault(observed);
    MPF_CHECK(fault.empty(), "{}", fault);
  }
  renderDiagnostics(caseDiagnostics);
  return 0;
}
