#include "tests/oracle/bind_observed.h"

#include "runtime/execute/host/bind_input.h"

namespace mpf::oracle {

void bindObserved(const Bundle &bundle, Executor &executor) {
  for (const BundleInput &input : bundle.inputs)
    executor.setInput(input.buffer, bindInput(bundle, input, *bundle.tables[*input.table],
                                              bundle.evidence, executor.inputMemory(input.buffer)));
}

} // namespace mpf::oracle
