#include "tests/oracle/bind_observed.h"

#include "runtime/execute/host/bind_input.h"

namespace mpf::oracle {

void bindObserved(const Bundle &bundle, Executor &executor) { bindTables(bundle, executor); }

} // namespace mpf::oracle
