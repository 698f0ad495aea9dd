#include "tests/oracle/bind_observed.h"

#include "runtime/execute/host/bind_input.h"

namespace mpf::oracle {

void bindObserved(const Bundle &bundle, Executor &executor) {
  std::vector<uint32_t> states;
  for (const BundleVariable &variable : bundle.variables)
    states.push_back(variable.observed.value_or(0));
  for (const BundleInput &input : bundle.inputs)
    executor.setInput(input.buffer, bindInput(bundle, input, *bundle.tables[*input.table], states,
                                              executor.inputMemory(input.buffer)));
}

} // namespace mpf::oracle
