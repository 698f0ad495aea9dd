// The host's side of a GPU's results: views of their bytes, and counts that did not fit.
#pragma once

#include "codegen/bundle/bundle.h"
#include "codegen/bundle/table_state.h"
#include "runtime/execute/host/executor.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mpf {

/// Returns a view of a buffer's bytes in the bundle's layout.
TableView viewOf(const Bundle &bundle, BufferId buffer, const std::byte *bytes,
                 const TableState &state);

/// Throws for the first operation with a count that does not fit, because kernels of whole numbers
/// continue then. `states`: by buffer. `noted`: an operation that the device noted in slices that
/// ran without the host (GpuSliceFaults::lost).
void refuseLost(const Bundle &bundle, int32_t noted, const std::vector<TableState> &states);

} // namespace mpf
