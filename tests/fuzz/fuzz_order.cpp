// Reads any bytes as an elimination order (.order, .td) for a small model.
#include "dsl/formats/order_file.h"
#include "dsl/support/check.h"
#include "tests/fuzz/fuzz_input.h"
#include "tests/fuzz/small_model.h"

#include <set>

using namespace mpf;

namespace {

/// Checks that the order has variables of the model, each at most once.
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
  return 0;
}
