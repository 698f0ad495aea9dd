#include "runtime/execute/host/bind_tables.h"

#include "runtime/execute/host/bind_input.h"

namespace mpf {

void bindTables(const Bundle &bundle, Executor &executor) {
  for (const BundleInput &input : bundle.inputs)
    executor.setInput(input.buffer, bindInput(bundle, input, *bundle.tables[*input.table],
                                              bundle.evidence, executor.inputMemory(input.buffer)));
}

} // namespace mpf
