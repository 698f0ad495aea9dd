#include "codegen/lanes/one_case_plan.h"

#include <utility>

namespace mpf {

TableProgram planOneCase(const ObservableModel &observable, PlanOptions options,
                         Diagnostics &diagnostics, PlanHooks hooks) {
  options.keep = KeptMessages::None;
  options.deviceCosts = nullptr; // kernels of lanes do whole programs, not single operations
  options.otherDevice = {};      // its costs are those of single runs
  if (traitsOf(observable.query.kind).decoding)
    hooks.offPasses.push_back("join-buckets");
  return buildProgram(observable.model, observable.query, options, diagnostics, hooks);
}

} // namespace mpf
